//! Messages about running tools and background tasks.

use super::detail::{ResourceLink, SubagentRetry};
use crate::wire::{view, words};

view! {
    /// A tool is still running.
    pub struct ToolProgress {
        /// The id of the tool use; a heartbeat adds a suffix.
        tool_use_id: String,
        /// The tool.
        tool_name: String,
        /// In a sub-agent: the id of the tool use that started it.
        parent_tool_use_id: Option<String>,
        /// The time since it started.
        elapsed_time_seconds: f64,
        /// The id of the background task that it became.
        task_id: Option<String>,
        /// Whether this is only a heartbeat.
        heartbeat: Option<bool>,
        /// The type of the sub-agent.
        subagent_type: Option<String>,
        /// Set if an API request of a sub-agent is retried.
        subagent_retry: Option<SubagentRetry>,
    }

    /// A summary of some tool uses.
    pub struct ToolUseSummary {
        /// The summary.
        summary: String,
        /// The ids of the tool uses.
        preceding_tool_use_ids: Vec<String>,
    }

    /// A background task started.
    pub struct TaskStarted {
        /// The id of the task.
        task_id: String,
        /// The id of this run.
        run_id: Option<String>,
        /// The id of the tool use that started it.
        tool_use_id: Option<String>,
        /// Its description.
        description: String,
        /// The type of the sub-agent.
        subagent_type: Option<String>,
        /// Whether it runs in the background.
        is_backgrounded: Option<bool>,
        /// The nesting depth of sub-agents.
        spawn_depth: Option<u64>,
        /// The id of the task that started it.
        parent_task_id: Option<String>,
        /// The type of the task.
        task_type: Option<String>,
        /// The workflow that it belongs to.
        workflow_name: Option<String>,
        /// The prompt of the sub-agent.
        prompt: Option<String>,
        /// Whether it is left out of the transcript.
        skip_transcript: Option<bool>,
        /// Whether it is a housekeeping task that need not be shown.
        ambient: Option<bool>,
    }

    /// A background task made progress.
    pub struct TaskProgress {
        /// The id of the task.
        task_id: String,
        /// The id of this run.
        run_id: Option<String>,
        /// The id of the tool use that started it.
        tool_use_id: Option<String>,
        /// Its description.
        description: String,
        /// The type of the sub-agent.
        subagent_type: Option<String>,
        /// The usage so far.
        usage: TaskUsage,
        /// The last tool that it used.
        last_tool_name: Option<String>,
        /// A summary of its progress.
        summary: Option<String>,
    }

    /// A background task changed.
    pub struct TaskUpdated {
        /// The id of the task.
        task_id: String,
        /// The id of this run.
        run_id: Option<String>,
        /// The changes.
        patch: TaskPatch,
    }

    /// The changes of a background task.
    pub struct TaskPatch {
        /// The new status.
        status: Option<TaskStatus>,
        /// The new description.
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
        /// The id of the task.
        task_id: String,
        /// The id of this run.
        run_id: Option<String>,
        /// The id of the tool use that started it.
        tool_use_id: Option<String>,
        /// The final status.
        status: TaskStatus,
        /// The reason.
        reason: Option<String>,
        /// The path of its output.
        output_file: String,
        /// A summary of the outcome.
        summary: String,
        /// The total usage.
        usage: Option<TaskUsage>,
        /// Links to resources that it produced.
        resource_links: Option<Vec<ResourceLink>>,
        /// Whether it is left out of the transcript.
        skip_transcript: Option<bool>,
        /// Whether it is a housekeeping task that need not be shown.
        ambient: Option<bool>,
    }

    /// The usage of a task.
    pub struct TaskUsage {
        /// Number of tokens.
        total_tokens: u64,
        /// Number of tool uses.
        tool_uses: u64,
        /// The duration.
        duration_ms: u64,
    }

    /// The list of background tasks changed.
    pub struct BackgroundTasksChanged {
        /// The new list.
        tasks: Vec<BackgroundTask>,
    }

    /// A background task.
    pub struct BackgroundTask {
        /// The id of the task.
        task_id: String,
        /// The id of this run.
        run_id: Option<String>,
        /// The type of the task.
        task_type: String,
        /// The type of the sub-agent.
        subagent_type: Option<String>,
        /// Its description.
        description: String,
        /// The id of the task that started it.
        parent_task_id: Option<String>,
        /// Whether it is a housekeeping task that need not be shown.
        ambient: Option<bool>,
    }
}

words! {
    /// The status of a background task.
    pub enum TaskStatus {
        /// It has not started.
        Pending = "pending",
        /// It is running.
        Running = "running",
        /// It succeeded.
        Completed = "completed",
        /// It failed.
        Failed = "failed",
        /// It was killed.
        Killed = "killed",
        /// It was stopped.
        Stopped = "stopped",
        /// It is paused.
        Paused = "paused",
    }
}
