//! The results of the tools for plans, questions, to-do lists and findings.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::builtin::{Finding, Question, QuestionAnnotation, Todo, tool_types};

tool_types! {
    /// The result of entering plan mode.
    pub struct EnterPlanModeOutput {
        /// The text for the model.
        message: String,
    }

    /// The result of leaving plan mode.
    #[serde(rename_all = "camelCase")]
    pub struct ExitPlanModeOutput {
        /// Whether a sub-agent left plan mode.
        is_agent: bool,
        ;
        /// The text of the plan.
        plan: String,
        /// The file with the plan.
        file_path: String,
        /// Whether sub-agents can be started.
        has_task_tool: bool,
        /// Whether the user changed the plan.
        plan_was_edited: bool,
        /// Whether the leader of the team must approve the plan.
        awaiting_leader_approval: bool,
        /// The id of the request to the leader.
        request_id: String,
    }

    /// The answers of the user.
    #[serde(rename_all = "camelCase")]
    pub struct AskUserQuestionOutput {
        /// The questions.
        questions: Vec<Question>,
        /// The answers, by the text of the question.
        answers: BTreeMap<String, Value>,
        ;
        /// An answer to all questions together.
        response: String,
        /// Notes about the answers, by the text of the question.
        annotations: BTreeMap<String, QuestionAnnotation>,
        /// How long the CLI waited for a user who was away.
        afk_timeout_ms: f64,
    }

    /// The to-do list before and after it was written.
    #[serde(rename_all = "camelCase")]
    pub struct TodoWriteOutput {
        /// The to-do list before.
        old_todos: Vec<Todo>,
        /// The to-do list after.
        new_todos: Vec<Todo>,
    }

    /// The findings of a review that were reported.
    pub struct ReportFindingsOutput {
        /// The number of findings.
        count: u64,
        /// The findings.
        findings: Vec<Finding>,
        ;
        /// How thorough the review was.
        level: String,
    }
}
