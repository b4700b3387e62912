//! Inputs of the tools for tasks, other agents and worktrees.

use serde_json::{Map, Value};

use super::tool_types;

tool_types! {
    /// Sends a message to another agent or session.
    pub struct SendMessageInput {
        /// The name or id of the receiver.
        to: String,
        /// The message: text, or a structured message.
        message: Value,
        ;
        /// A summary, for display.
        summary: String,
        /// Whether to tell this agent when the receiver is idle.
        notify_when_idle: bool,
    }

    /// Lists the agents and sessions that messages can be sent to.
    pub struct ListAgentsInput {
        ;
        /// The channel whose agents and sessions are listed.
        channel: String,
        /// A text to search for.
        q: String,
        /// The position in the list where the page begins.
        cursor: String,
    }

    /// Creates a task.
    pub struct TaskCreateInput {
        /// The title of the task.
        subject: String,
        /// The description of the task.
        description: String,
        ;
        /// The text to show while the task is in progress.
        #[serde(rename = "activeForm")]
        active_form: String,
        /// Other data of the task.
        metadata: Map<String, Value>,
    }

    /// Reads a task.
    pub struct TaskGetInput {
        /// The id of the task.
        #[serde(rename = "taskId")]
        task_id: String,
    }

    /// Changes a task.
    pub struct TaskUpdateInput {
        /// The id of the task.
        #[serde(rename = "taskId")]
        task_id: String,
        ;
        /// The new title of the task.
        subject: String,
        /// The new description of the task.
        description: String,
        /// The text to show while the task is in progress.
        #[serde(rename = "activeForm")]
        active_form: String,
        /// The new status of the task; `deleted` removes the task.
        status: String,
        /// Ids of tasks that must wait for this task.
        #[serde(rename = "addBlocks")]
        add_blocks: Vec<String>,
        /// Ids of tasks that this task must wait for.
        #[serde(rename = "addBlockedBy")]
        add_blocked_by: Vec<String>,
        /// The agent that works on the task.
        owner: String,
        /// Other data of the task.
        metadata: Map<String, Value>,
    }

    /// Lists the tasks.
    pub struct TaskListInput {}

    /// Moves the session to a worktree.
    pub struct EnterWorktreeInput {
        ;
        /// The name of a new worktree.
        name: String,
        /// The path of an existing worktree.
        path: String,
    }

    /// Moves the session out of its worktree.
    pub struct ExitWorktreeInput {
        /// What to do with the worktree: `keep` or `remove`.
        action: String,
        ;
        /// Whether changes that were not committed may be lost.
        discard_changes: bool,
    }

    /// Reports the findings of a review.
    pub struct ReportFindingsInput {
        /// The findings, the most severe first.
        findings: Vec<Finding>,
        ;
        /// The effort level of the review.
        level: String,
    }

    /// A finding of a review.
    pub struct Finding {
        /// The path of the file with the fault.
        file: String,
        /// What the fault is.
        summary: String,
        /// In which case the code fails, and how.
        failure_scenario: String,
        ;
        /// The number of the line with the fault.
        line: u64,
        /// What is wrong, in a few words.
        short_summary: String,
        /// The kind of fault.
        category: String,
        /// How certain the finding is: `CONFIRMED` or `PLAUSIBLE`.
        verdict: String,
        /// What was done about the finding: `fixed`, `skipped` or `no_change_needed`.
        outcome: String,
    }

    /// Sets the goal of the session.
    pub struct SetGoalInput {
        /// The condition that is to be reached.
        condition: String,
        ;
        /// Whether the user must approve the goal.
        ask_user: bool,
    }

    /// Proposes skills to the user.
    pub struct ProposeSkillsInput {
        /// The proposed skills.
        proposals: Vec<SkillProposal>,
    }

    /// A proposed skill.
    pub struct SkillProposal {
        /// The name of the skill.
        name: String,
        /// Whether the skill is new: `new` or `improvement`.
        kind: String,
        /// What the skill does.
        description: String,
        ;
        /// The name of the skill that is improved.
        target: String,
        /// Why the skill is proposed.
        evidence: Vec<String>,
        /// The changes of the improved skill.
        edits: Vec<SkillEdit>,
        /// The text of a new skill.
        #[serde(rename = "skillMd")]
        skill_md: String,
    }

    /// A change of a skill.
    pub struct SkillEdit {
        /// The text to replace.
        old_string: String,
        /// The new text.
        new_string: String,
    }
}
