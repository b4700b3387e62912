//! Inputs of the tools for sub-agents, tasks and to-do lists.

use super::tool_types;
use crate::PermissionMode;
use crate::words;

tool_types! {
    /// Starts a sub-agent.
    pub struct TaskInput {
        /// A short description of the task.
        description: String,
        /// The prompt of the sub-agent.
        prompt: String,
        ;
        /// The type of the sub-agent.
        subagent_type: String,
        /// The model of the sub-agent, by alias.
        model: String,
        /// The effort level of the sub-agent.
        effort: String,
        /// Whether the sub-agent runs in the background.
        run_in_background: bool,
        /// The name of the sub-agent, by which other agents address it.
        name: String,
        /// The name of the sub-agent's team. Ignored by the CLI.
        team_name: String,
        /// The permission mode of the sub-agent. Ignored by newer CLI versions.
        mode: PermissionMode,
        /// Where the sub-agent runs: `worktree` or `remote`.
        isolation: String,
    }

    /// Stops a background task.
    pub struct TaskStopInput {
        ;
        /// The id of the task.
        task_id: String,
        /// The id of the shell command, in older CLI versions.
        shell_id: String,
    }

    /// Writes the to-do list.
    pub struct TodoWriteInput {
        /// The complete to-do list.
        todos: Vec<Todo>,
    }

    /// An item of the to-do list.
    pub struct Todo {
        /// The text of the to-do item.
        content: String,
        /// The status of the to-do item.
        status: TodoStatus,
        ;
        /// The text to show while the to-do item is in progress.
        #[serde(rename = "activeForm")]
        active_form: String,
    }
}

words! {
    /// The status of a to-do item.
    pub enum TodoStatus {
        /// The item is not started.
        Pending = "pending",
        /// The item is in progress.
        InProgress = "in_progress",
        /// The item is completed.
        Completed = "completed",
    }
}
