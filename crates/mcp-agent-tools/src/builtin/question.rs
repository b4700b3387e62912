//! Input of the tool that asks the user questions.

use std::collections::BTreeMap;

use serde_json::Value;

use super::tool_types;

tool_types! {
    /// Asks the user. The permission callback answers by allowing the tool use with [`answers`](Self::answers) set in
    /// the input.
    pub struct AskUserQuestionInput {
        /// The questions.
        questions: Vec<Question>,
        ;
        /// The answers, by the text of the question.
        answers: BTreeMap<String, Value>,
        /// Notes about the answers, by the text of the question.
        annotations: BTreeMap<String, QuestionAnnotation>,
        /// The source of the questions.
        metadata: QuestionMetadata,
    }

    /// A note about the answer to a question.
    pub struct QuestionAnnotation {
        ;
        /// The preview of the choice that the user selected.
        preview: String,
        /// The note of the user.
        notes: String,
        /// Why there is no answer: `skipped`, `replied_in_chat` or `dismissed`. Only in results.
        unanswered: String,
    }

    /// Where questions come from.
    pub struct QuestionMetadata {
        ;
        /// The name of the program or tool that asks.
        source: String,
    }

    /// A question to the user.
    pub struct Question {
        /// The text of the question.
        question: String,
        /// The choices.
        options: Vec<Choice>,
        ;
        /// A short label of the question.
        header: String,
        /// Whether several choices may be selected.
        #[serde(rename = "multiSelect")]
        multi_select: bool,
    }

    /// A choice of a question.
    pub struct Choice {
        /// The label of the choice.
        label: String,
        ;
        /// The description of the choice.
        description: String,
        /// A preview of what the choice results in.
        preview: String,
    }
}

impl AskUserQuestionInput {
    /// Adds the answer to a question, given by its text.
    #[must_use]
    pub fn answer(mut self, question: impl Into<String>, answer: impl Into<Value>) -> Self {
        self.answers.get_or_insert_default().insert(question.into(), answer.into());
        self
    }
}
