//! Sampling: requests to the client's model.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{AskError, read};
use crate::call::context::Context;
use crate::jsonrpc::methods;
use crate::protocol::{Content, PromptMessage, Role};

/// A request to the client's model.
///
/// ```
/// use mcp_core::ask::Sampling;
/// use mcp_core::protocol::PromptMessage;
///
/// let question = Sampling::new([PromptMessage::user("Summarise this in one line: ...")], 200).system_prompt("Be terse.");
/// # let _ = question;
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sampling {
    /// The conversation so far.
    pub messages: Vec<PromptMessage>,
    /// The maximum length of the answer in tokens.
    pub max_tokens: u64,
    /// The system prompt for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// The sampling temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Texts at which the model stops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop_sequences: Vec<String>,
    /// Other parameters of the protocol, such as `modelPreferences`, `tools` or `toolChoice`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Sampling {
    /// Creates a request with these messages and this maximum length of the answer.
    pub fn new(messages: impl IntoIterator<Item = PromptMessage>, max_tokens: u64) -> Sampling {
        Sampling {
            messages: messages.into_iter().collect(),
            max_tokens,
            system_prompt: None,
            temperature: None,
            stop_sequences: Vec::new(),
            more: Map::new(),
        }
    }

    /// Sets the system prompt.
    #[must_use]
    pub fn system_prompt(mut self, text: impl Into<String>) -> Sampling {
        self.system_prompt = Some(text.into());
        self
    }

    /// Sets the sampling temperature.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Sampling {
        self.temperature = Some(temperature);
        self
    }

    /// Adds any other parameter of the protocol.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Sampling {
        self.more.insert(key.into(), value.into());
        self
    }
}

/// The answer of the client's model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sampled {
    /// The role of the message, usually the assistant.
    pub role: Role,
    /// The content: one block, or a list of blocks if tools are used.
    pub content: Value,
    /// The name of the model.
    pub model: String,
    /// The reason why the model stopped.
    #[serde(default)]
    pub stop_reason: Option<String>,
}

impl Sampled {
    /// Returns the text blocks of the answer, joined.
    pub fn to_text(&self) -> String {
        let pieces = match &self.content {
            Value::Array(pieces) => pieces.as_slice(),
            one => std::slice::from_ref(one),
        };
        let pieces = pieces.iter().filter_map(|piece| serde_json::from_value::<Content>(piece.clone()).ok());
        pieces.filter_map(|piece| piece.as_text().map(str::to_owned)).collect()
    }
}

impl Context {
    /// Sends a request to the client's model. The client may ask the user for permission first.
    ///
    /// # Errors
    /// If the client does not support sampling, or its answer is invalid.
    pub async fn sample(&self, question: Sampling) -> Result<Sampled, AskError> {
        if !self.client_capabilities().can_sample() {
            return Err(self.cannot("sampling"));
        }
        read(&self.ask(methods::SAMPLE, json!(question)).await?)
    }
}
