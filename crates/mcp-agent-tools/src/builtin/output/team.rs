//! The results of the tools for tasks, goals, skills and worktrees.

use crate::builtin::tool_types;

tool_types! {
    /// The result of creating a task.
    pub struct TaskCreateOutput {
        /// The task.
        task: CreatedTask,
    }

    /// A task that was created.
    pub struct CreatedTask {
        /// Its id.
        id: String,
        /// Its title.
        subject: String,
        ;
        /// Its description.
        description: String,
    }

    /// The result of reading a task.
    pub struct TaskGetOutput {
        ;
        /// The task; `None` if there is no such task.
        task: TaskDetails,
    }

    /// A task.
    #[serde(rename_all = "camelCase")]
    pub struct TaskDetails {
        /// Its id.
        id: String,
        /// Its title.
        subject: String,
        /// Its description.
        description: String,
        /// `pending`, `in_progress` or `completed`.
        status: String,
        /// Ids of tasks that wait for it.
        blocks: Vec<String>,
        /// Ids of tasks that it waits for.
        blocked_by: Vec<String>,
    }

    /// The result of changing a task.
    #[serde(rename_all = "camelCase")]
    pub struct TaskUpdateOutput {
        /// Whether it was changed.
        success: bool,
        /// Its id.
        task_id: String,
        /// The names of the fields that were changed.
        updated_fields: Vec<String>,
        ;
        /// Why it failed.
        error: String,
        /// The change of its status.
        status_change: StatusChange,
    }

    /// The change of the status of a task.
    pub struct StatusChange {
        /// The status before.
        from: String,
        /// The status after.
        to: String,
    }

    /// The list of tasks.
    pub struct TaskListOutput {
        /// The tasks.
        tasks: Vec<ListedTask>,
    }

    /// A task in the list.
    #[serde(rename_all = "camelCase")]
    pub struct ListedTask {
        /// Its id.
        id: String,
        /// Its title.
        subject: String,
        /// `pending`, `in_progress` or `completed`.
        status: String,
        /// Ids of tasks that it waits for.
        blocked_by: Vec<String>,
        ;
        /// The agent that does it.
        owner: String,
    }

    /// The result of moving the session to a worktree.
    #[serde(rename_all = "camelCase")]
    pub struct EnterWorktreeOutput {
        /// The path of the worktree.
        worktree_path: String,
        /// The text for the model.
        message: String,
        ;
        /// Its branch.
        worktree_branch: String,
    }

    /// The result of moving the session out of its worktree.
    #[serde(rename_all = "camelCase")]
    pub struct ExitWorktreeOutput {
        /// `keep` or `remove`.
        action: String,
        /// The working directory of the session after it has left the worktree.
        original_cwd: String,
        /// The path of the worktree.
        worktree_path: String,
        /// The text for the model.
        message: String,
        ;
        /// Its branch.
        worktree_branch: String,
        /// The name of its terminal session.
        tmux_session_name: String,
        /// The number of changed files that were dropped.
        discarded_files: u64,
        /// The number of commits that were dropped.
        discarded_commits: u64,
    }

    /// The goal that was set.
    #[serde(rename_all = "camelCase")]
    pub struct SetGoalOutput {
        /// When the goal is reached.
        condition: String,
        /// Whether the user must confirm it.
        ask_user: bool,
    }

    /// Skills that were proposed.
    #[serde(rename_all = "camelCase")]
    pub struct ProposeSkillsOutput {
        /// Their number.
        proposal_count: u64,
    }
}
