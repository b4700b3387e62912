//! Questions to the user.

use std::collections::BTreeMap;

use serde_json::Value;

use super::inputs;

inputs! {
    /// Asks the user. The permission callback answers it, by leave with [`answers`](Self::answers) in the input.
    pub struct AskUserQuestionInput {
        /// What is asked.
        questions: Vec<Question>,
        ;
        /// What was answered, by question.
        answers: BTreeMap<String, Value>,
    }

    /// One question.
    pub struct Question {
        /// The question.
        question: String,
        /// What the user can choose from.
        options: Vec<Choice>,
        ;
        /// A word for it.
        header: String,
        /// Whether several may be chosen.
        #[serde(rename = "multiSelect")]
        multi_select: bool,
    }

    /// One thing to choose.
    pub struct Choice {
        /// What it is called.
        label: String,
        ;
        /// What it means.
        description: String,
        /// How it would look.
        preview: String,
    }
}

impl AskUserQuestionInput {
    /// Answers a question, by its text.
    #[must_use]
    pub fn answer(mut self, question: impl Into<String>, answer: impl Into<Value>) -> Self {
        self.answers.get_or_insert_default().insert(question.into(), answer.into());
        self
    }
}
