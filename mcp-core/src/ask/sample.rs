//! Asking the client's model.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{AskError, read};
use crate::call::context::Context;
use crate::jsonrpc::methods;
use crate::protocol::{Content, PromptMessage, Role};

/// What to ask the client's model.
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
    /// The longest answer that is wanted.
    pub max_tokens: u64,
    /// Who the model is to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// How much chance there is in the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Texts that end the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop_sequences: Vec<String>,
    /// Everything else that the revision knows, such as `modelPreferences`, `tools` or `toolChoice`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Sampling {
    /// These messages, and an answer of at most that many tokens.
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

    /// Says who the model is to be.
    #[must_use]
    pub fn system_prompt(mut self, text: impl Into<String>) -> Sampling {
        self.system_prompt = Some(text.into());
        self
    }

    /// Says how much chance there is in the answer.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Sampling {
        self.temperature = Some(temperature);
        self
    }

    /// Adds anything else that the revision knows.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Sampling {
        self.more.insert(key.into(), value.into());
        self
    }
}

/// What the client's model said.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sampled {
    /// Who says it.
    pub role: Role,
    /// What was said: one piece of content, or with tools a list of them.
    pub content: Value,
    /// Which model it was.
    pub model: String,
    /// Why it stopped.
    #[serde(default)]
    pub stop_reason: Option<String>,
}

impl Sampled {
    /// All text of the answer.
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
    /// Asks the client's model, with the user's consent.
    ///
    /// # Errors
    /// When the client cannot do that, or answers something else.
    pub async fn sample(&self, question: Sampling) -> Result<Sampled, AskError> {
        if !self.client_capabilities().can_sample() {
            return Err(self.cannot("sampling"));
        }
        read(&self.ask(methods::SAMPLE, json!(question)).await?)
    }
}
