//! Sub-agents and lists of what is to be done.

use super::inputs;
use crate::permission::PermissionMode;
use crate::wire::words;

inputs! {
    /// Gives work to a sub-agent.
    pub struct TaskInput {
        /// What it is about, in a few words.
        description: String,
        /// What the sub-agent is told.
        prompt: String,
        ;
        /// What kind of sub-agent.
        subagent_type: String,
        /// Which model, by its short name.
        model: String,
        /// How hard it thinks.
        effort: String,
        /// Whether to go on meanwhile.
        run_in_background: bool,
        /// The sub-agent's name, by which others reach it.
        name: String,
        /// How permission is given to it.
        mode: PermissionMode,
        /// Where it works: `worktree` or `remote`.
        isolation: String,
    }

    /// Ends a task in the background.
    pub struct TaskStopInput {
        ;
        /// Which task.
        task_id: String,
        /// Which command, in the words of older CLIs.
        shell_id: String,
    }

    /// Writes the list of what is to be done.
    pub struct TodoWriteInput {
        /// The whole list.
        todos: Vec<Todo>,
    }

    /// One thing that is to be done.
    pub struct Todo {
        /// What to do.
        content: String,
        /// How far it is.
        status: TodoStatus,
        ;
        /// What is being done while it is done.
        #[serde(rename = "activeForm")]
        active_form: String,
    }
}

words! {
    /// How far a thing to do is.
    pub enum TodoStatus {
        /// Nobody has begun.
        Pending = "pending",
        /// Somebody is at it.
        InProgress = "in_progress",
        /// It is done.
        Completed = "completed",
    }
}
