//! Messages about running tools and background tasks.

use super::detail::{ResourceLink, SubagentRetry};
use crate::wire::{view, words};

view! {
    /// A tool is still running.
    pub struct ToolProgress {
        /// The id of the tool use. In a heartbeat, it has a suffix.
        tool_use_id: String,
        /// The name of the tool.
        tool_name: String,
        /// The id of the tool use that started the sub-agent. `None` in the main agent.
        parent_tool_use_id: Option<String>,
        /// The time since the tool use started, in seconds.
        elapsed_time_seconds: f64,
        /// The id of the background task that the tool use became.
        task_id: Option<String>,
        /// Whether this is only a heartbeat.
        heartbeat: Option<bool>,
        /// The type of the sub-agent.
        subagent_type: Option<String>,
        /// The retry of a failed API request of a sub-agent, if there is one.
        subagent_retry: Option<SubagentRetry>,
    }

    /// A summary of some tool uses.
    pub struct ToolUseSummary {
        /// The text of the summary.
        summary: String,
        /// The ids of the tool uses.
        preceding_tool_use_ids: Vec<String>,
    }

    /// A background task started.
    pub struct TaskStarted {
        /// The id of the task.
        task_id: String,
        /// The id of this run of the task.
        run_id: Option<String>,
        /// The id of the tool use that started the task.
        tool_use_id: Option<String>,
        /// The description of the task.
        description: String,
        /// The type of the sub-agent.
        subagent_type: Option<String>,
        /// Whether the task runs in the background.
        is_backgrounded: Option<bool>,
        /// How deeply the sub-agent is nested in other sub-agents.
        spawn_depth: Option<u64>,
        /// The id of the task that started this task.
        parent_task_id: Option<String>,
        /// The type of the task.
        task_type: Option<String>,
        /// The workflow that the task belongs to.
        workflow_name: Option<String>,
        /// The prompt of the sub-agent.
        prompt: Option<String>,
        /// Whether the task is left out of the transcript.
        skip_transcript: Option<bool>,
        /// Whether the task is a housekeeping task that need not be shown.
        ambient: Option<bool>,
    }

    /// A background task made progress.
    pub struct TaskProgress {
        /// The id of the task.
        task_id: String,
        /// The id of this run of the task.
        run_id: Option<String>,
        /// The id of the tool use that started the task.
        tool_use_id: Option<String>,
        /// The description of the task.
        description: String,
        /// The type of the sub-agent.
        subagent_type: Option<String>,
        /// The usage of the task so far.
        usage: TaskUsage,
        /// The name of the last tool that the task used.
        last_tool_name: Option<String>,
        /// A summary of the progress.
        summary: Option<String>,
    }

    /// A background task changed.
    pub struct TaskUpdated {
        /// The id of the task.
        task_id: String,
        /// The id of this run of the task.
        run_id: Option<String>,
        /// The changed fields of the task.
        patch: TaskPatch,
    }

    /// The changes of a background task.
    pub struct TaskPatch {
        /// The new status.
        status: Option<TaskStatus>,
        /// The new description.
        description: Option<String>,
        /// When the task ended, in milliseconds since 1970.
        end_time: Option<f64>,
        /// How long the task was paused, in milliseconds.
        total_paused_ms: Option<u64>,
        /// Why the task failed.
        error: Option<String>,
        /// Whether the task runs in the background.
        is_backgrounded: Option<bool>,
    }

    /// A background task ended.
    pub struct TaskNotification {
        /// The id of the task.
        task_id: String,
        /// The id of this run of the task.
        run_id: Option<String>,
        /// The id of the tool use that started the task.
        tool_use_id: Option<String>,
        /// The final status of the task.
        status: TaskStatus,
        /// Why the task ended.
        reason: Option<String>,
        /// The path of the file with the output of the task.
        output_file: String,
        /// A summary of the outcome.
        summary: String,
        /// The total usage of the task.
        usage: Option<TaskUsage>,
        /// Links to resources that the task produced.
        resource_links: Option<Vec<ResourceLink>>,
        /// Whether the task is left out of the transcript.
        skip_transcript: Option<bool>,
        /// Whether the task is a housekeeping task that need not be shown.
        ambient: Option<bool>,
    }

    /// The usage of a task.
    pub struct TaskUsage {
        /// The number of tokens.
        total_tokens: u64,
        /// The number of tool uses.
        tool_uses: u64,
        /// The duration in milliseconds.
        duration_ms: u64,
    }

    /// The list of background tasks changed.
    pub struct BackgroundTasksChanged {
        /// The new list of background tasks.
        tasks: Vec<BackgroundTask>,
    }

    /// A background task.
    pub struct BackgroundTask {
        /// The id of the task.
        task_id: String,
        /// The id of this run of the task.
        run_id: Option<String>,
        /// The type of the task.
        task_type: String,
        /// The type of the sub-agent.
        subagent_type: Option<String>,
        /// The description of the task.
        description: String,
        /// The id of the task that started this task.
        parent_task_id: Option<String>,
        /// Whether the task is a housekeeping task that need not be shown.
        ambient: Option<bool>,
    }
}

words! {
    /// The status of a background task.
    pub enum TaskStatus {
        /// The task has not started.
        Pending = "pending",
        /// The task is running.
        Running = "running",
        /// The task succeeded.
        Completed = "completed",
        /// The task failed.
        Failed = "failed",
        /// The task was killed.
        Killed = "killed",
        /// The task was stopped.
        Stopped = "stopped",
        /// The task is paused.
        Paused = "paused",
    }
}
