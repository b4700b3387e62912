//! Tools and tasks that take their time.

use serde_json::Value;

use crate::wire::{view, words};

view! {
    /// A tool still runs.
    pub struct ToolProgress {
        /// The tool use; in a heartbeat with a suffix.
        tool_use_id: String,
        /// The tool.
        tool_name: String,
        /// In a sub-agent: the tool use that started it.
        parent_tool_use_id: Option<String>,
        /// For how long.
        elapsed_time_seconds: f64,
        /// The background task that it became.
        task_id: Option<String>,
        /// Whether it only says that the tool lives.
        heartbeat: Option<bool>,
        /// What kind of sub-agent.
        subagent_type: Option<String>,
        /// That a sub-agent's request is tried again.
        subagent_retry: Option<Value>,
    }

    /// A summary of some tool uses.
    pub struct ToolUseSummary {
        /// The summary.
        summary: String,
        /// The tool uses.
        preceding_tool_use_ids: Vec<String>,
    }

    /// A background task started.
    pub struct TaskStarted {
        /// The task.
        task_id: String,
        /// This run of it.
        run_id: Option<String>,
        /// The tool use that started it.
        tool_use_id: Option<String>,
        /// What it does.
        description: String,
        /// What kind of sub-agent.
        subagent_type: Option<String>,
        /// Whether it runs in the background.
        is_backgrounded: Option<bool>,
        /// How deep in sub-agents.
        spawn_depth: Option<u64>,
        /// The task that started it.
        parent_task_id: Option<String>,
        /// What kind of task.
        task_type: Option<String>,
        /// The workflow that it belongs to.
        workflow_name: Option<String>,
        /// What the sub-agent was told.
        prompt: Option<String>,
        /// Whether the transcript leaves it out.
        skip_transcript: Option<bool>,
        /// Whether it is part of the furniture.
        ambient: Option<bool>,
    }

    /// A background task made progress.
    pub struct TaskProgress {
        /// The task.
        task_id: String,
        /// This run of it.
        run_id: Option<String>,
        /// The tool use that started it.
        tool_use_id: Option<String>,
        /// What it does.
        description: String,
        /// What kind of sub-agent.
        subagent_type: Option<String>,
        /// What it used so far.
        usage: TaskUsage,
        /// The last tool that it used.
        last_tool_name: Option<String>,
        /// How far it is.
        summary: Option<String>,
    }

    /// A background task changed.
    pub struct TaskUpdated {
        /// The task.
        task_id: String,
        /// This run of it.
        run_id: Option<String>,
        /// What changed.
        patch: TaskPatch,
    }

    /// What changed of a background task.
    pub struct TaskPatch {
        /// How it is.
        status: Option<TaskStatus>,
        /// What it does.
        description: Option<String>,
        /// When it ended, in milliseconds since 1970.
        end_time: Option<f64>,
        /// How long it was paused.
        total_paused_ms: Option<u64>,
        /// Why it failed.
        error: Option<String>,
        /// Whether it runs in the background.
        is_backgrounded: Option<bool>,
    }

    /// A background task ended.
    pub struct TaskNotification {
        /// The task.
        task_id: String,
        /// This run of it.
        run_id: Option<String>,
        /// The tool use that started it.
        tool_use_id: Option<String>,
        /// How it ended.
        status: TaskStatus,
        /// Why.
        reason: Option<String>,
        /// Where its output is.
        output_file: String,
        /// What came of it.
        summary: String,
        /// What it used.
        usage: Option<TaskUsage>,
        /// Resources that it gave.
        resource_links: Option<Vec<Value>>,
        /// Whether the transcript leaves it out.
        skip_transcript: Option<bool>,
        /// Whether it is part of the furniture.
        ambient: Option<bool>,
    }

    /// What a task used.
    pub struct TaskUsage {
        /// Tokens.
        total_tokens: u64,
        /// Tool uses.
        tool_uses: u64,
        /// Time.
        duration_ms: u64,
    }

    /// The list of background tasks changed.
    pub struct BackgroundTasksChanged {
        /// The new list.
        tasks: Vec<BackgroundTask>,
    }

    /// A background task.
    pub struct BackgroundTask {
        /// The task.
        task_id: String,
        /// This run of it.
        run_id: Option<String>,
        /// What kind of task.
        task_type: String,
        /// What kind of sub-agent.
        subagent_type: Option<String>,
        /// What it does.
        description: String,
        /// The task that started it.
        parent_task_id: Option<String>,
        /// Whether it is part of the furniture.
        ambient: Option<bool>,
    }
}

words! {
    /// How a background task is.
    pub enum TaskStatus {
        /// It has not started.
        Pending = "pending",
        /// It runs.
        Running = "running",
        /// It ended well.
        Completed = "completed",
        /// It failed.
        Failed = "failed",
        /// It was killed.
        Killed = "killed",
        /// It was stopped.
        Stopped = "stopped",
        /// It waits.
        Paused = "paused",
    }
}
