//! The requests of a server to its client, and the response of a model.

use mcp_core::protocol::{Content, Role};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A question to the user.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Elicitation {
    /// The text of the question.
    pub message: String,
    /// How the user answers: `form` or `url`.
    pub mode: ElicitationMode,
}

/// The way to answer an [`Elicitation`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElicitationMode {
    /// With a form. The schema is an object whose properties are text, numbers, booleans and choices.
    Form {
        /// The JSON Schema of the form.
        schema: Value,
    },
    /// By opening a page. Show the whole URL to the user before it is opened.
    Url {
        /// The address of the page.
        url: String,
        /// The id that `notifications/elicitation/complete` repeats, if the server gave one.
        id: Option<String>,
    },
}

/// A request to the client's model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SampleRequest {
    /// The conversation so far: objects with `role` and `content`.
    pub messages: Vec<Value>,
    /// The maximum length of the answer in tokens.
    pub max_tokens: u64,
    /// The system prompt that the server suggests.
    #[serde(default)]
    pub system_prompt: Option<String>,
    /// The sampling temperature that the server suggests.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// Texts at which the model stops.
    #[serde(default)]
    pub stop_sequences: Vec<String>,
    /// Other parameters of the protocol, such as `modelPreferences`, `tools` or `toolChoice`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The answer of the client's model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sample {
    /// The role of the message.
    pub role: Role,
    /// The content: one block, or a list of blocks if tools are used.
    pub content: Value,
    /// The name of the model.
    pub model: String,
    /// The reason why the model stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
}

impl Sample {
    /// Creates an answer with this content.
    pub fn new(model: impl Into<String>, content: impl Into<Content>) -> Sample {
        let content = serde_json::to_value(content.into()).expect("content is JSON");
        Sample { role: Role::Assistant, content, model: model.into(), stop_reason: Some("endTurn".to_owned()) }
    }

    /// Replaces the content by a list of blocks, for models that use tools.
    #[must_use]
    pub fn blocks(mut self, blocks: Vec<Value>) -> Sample {
        self.content = Value::Array(blocks);
        self
    }

    /// Sets the reason why the model stopped.
    #[must_use]
    pub fn stop_reason(mut self, reason: impl Into<String>) -> Sample {
        self.stop_reason = Some(reason.into());
        self
    }
}
