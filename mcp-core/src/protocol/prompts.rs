//! Prompts on the wire.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Content, Revision, Role};

/// One message of a prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PromptMessage {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: Content,
}

impl PromptMessage {
    /// The user says this.
    pub fn user(content: impl Into<Content>) -> PromptMessage {
        PromptMessage { role: Role::User, content: content.into() }
    }

    /// The assistant says this.
    pub fn assistant(content: impl Into<Content>) -> PromptMessage {
        PromptMessage { role: Role::Assistant, content: content.into() }
    }
}

/// A prompt with its arguments filled in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PromptResult {
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// What is said.
    pub messages: Vec<PromptMessage>,
    /// Anything else.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

impl PromptResult {
    /// These messages.
    pub fn new(messages: impl IntoIterator<Item = PromptMessage>) -> PromptResult {
        PromptResult { messages: messages.into_iter().collect(), ..PromptResult::default() }
    }

    /// Says what it is about.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> PromptResult {
        self.description = Some(description.into());
        self
    }

    /// The same in the words of that revision.
    pub(crate) fn for_revision(mut self, revision: Revision) -> PromptResult {
        for message in &mut self.messages {
            message.content = message.content.for_revision(revision).into_owned();
        }
        self
    }
}
