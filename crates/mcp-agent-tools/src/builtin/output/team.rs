//! The results of the tools for tasks, goals, skills and worktrees.

use crate::builtin::tool_types;

tool_types! {
    /// The result of creating a task.
    pub struct TaskCreateOutput {
        /// The task that was created.
        task: CreatedTask,
    }

    /// A task that was created.
    pub struct CreatedTask {
        /// The id of the task.
        id: String,
        /// The title of the task.
        subject: String,
        ;
        /// The description of the task.
        description: String,
    }

    /// The result of reading a task.
    pub struct TaskGetOutput {
        ;
        /// The task; `None` if it does not exist.
        task: TaskDetails,
    }

    /// A task.
    #[serde(rename_all = "camelCase")]
    pub struct TaskDetails {
        /// The id of the task.
        id: String,
        /// The title of the task.
        subject: String,
        /// The description of the task.
        description: String,
        /// The status: `pending`, `in_progress` or `completed`.
        status: String,
        /// Ids of tasks that wait for this task.
        blocks: Vec<String>,
        /// Ids of tasks that this task waits for.
        blocked_by: Vec<String>,
    }

    /// The result of changing a task.
    #[serde(rename_all = "camelCase")]
    pub struct TaskUpdateOutput {
        /// Whether the task was changed.
        success: bool,
        /// The id of the task.
        task_id: String,
        /// The names of the fields that were changed.
        updated_fields: Vec<String>,
        ;
        /// Why the task could not be changed.
        error: String,
        /// The change of the status of the task.
        status_change: StatusChange,
    }

    /// The change of the status of a task.
    pub struct StatusChange {
        /// The status before the change.
        from: String,
        /// The status after the change.
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
        /// The id of the task.
        id: String,
        /// The title of the task.
        subject: String,
        /// The status: `pending`, `in_progress` or `completed`.
        status: String,
        /// Ids of tasks that this task waits for.
        blocked_by: Vec<String>,
        ;
        /// The agent that works on the task.
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
        /// The branch of the worktree.
        worktree_branch: String,
    }

    /// The result of moving the session out of its worktree.
    #[serde(rename_all = "camelCase")]
    pub struct ExitWorktreeOutput {
        /// What was done with the worktree: `keep` or `remove`.
        action: String,
        /// The working directory of the session after it has left the worktree.
        original_cwd: String,
        /// The path of the worktree.
        worktree_path: String,
        /// The text for the model.
        message: String,
        ;
        /// The branch of the worktree.
        worktree_branch: String,
        /// The name of the tmux session of the worktree.
        tmux_session_name: String,
        /// The number of changed files that were dropped.
        discarded_files: u64,
        /// The number of commits that were dropped.
        discarded_commits: u64,
    }

    /// The goal that was set.
    #[serde(rename_all = "camelCase")]
    pub struct SetGoalOutput {
        /// The condition that ends the work on the goal.
        condition: String,
        /// Whether the user must confirm the goal.
        ask_user: bool,
    }

    /// Skills that were proposed.
    #[serde(rename_all = "camelCase")]
    pub struct ProposeSkillsOutput {
        /// The number of proposed skills.
        proposal_count: u64,
    }
}
