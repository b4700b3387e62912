//! Partial messages: an answer while the model writes it.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::block::Block;
use super::conversation::ModelMessage;
use super::usage::Usage;
use crate::wire::{Typed, view};

view! {
    /// A part of an answer.
    pub struct Partial {
        /// The stream event.
        event: StreamEvent,
        /// The id of the tool use that started the sub-agent. `None` in the main agent.
        parent_tool_use_id: Option<String>,
        /// The time to the first token.
        ttft_ms: Option<u64>,
        /// The id of the prompt that is being answered.
        user_message_uuid: Option<String>,
        /// The ids of the prompts that are being answered.
        user_message_uuids: Option<Vec<String>>,
        /// Why the turn was resumed.
        resume_reason: Option<String>,
        /// How thinking is returned.
        thinking_display: Option<String>,
        /// The id of the answer.
        api_message_id: Option<String>,
    }

    /// The error of a stream.
    pub struct StreamError {
        /// The type of the error.
        #[serde(rename = "type")]
        kind: String,
        /// The error message of the API.
        message: String,
    }

    /// The union of the fields of all stream events.
    struct EventFields {
        /// The type of the event.
        #[serde(rename = "type")]
        kind: String,
        /// The index of the block.
        index: usize,
        /// The message that starts.
        message: ModelMessage,
        /// The block that starts.
        content_block: Option<Block>,
        /// The change.
        delta: Option<Typed<DeltaFields>>,
        /// The token usage.
        usage: Usage,
        /// The error.
        error: StreamError,
    }

    /// The union of the fields of all deltas.
    struct DeltaFields {
        /// The type of the delta; empty for the delta of a message.
        #[serde(rename = "type")]
        kind: String,
        /// The text to append.
        text: String,
        /// Additional JSON text of the arguments of a tool.
        partial_json: String,
        /// The thinking to append.
        thinking: String,
        /// The signature of the thinking.
        signature: String,
        /// The citation to append.
        citation: Value,
        /// The stop reason of the answer.
        stop_reason: Option<String>,
    }
}

/// A stream event of an answer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum StreamEvent {
    /// The answer starts.
    MessageStart(Box<ModelMessage>),
    /// A block starts.
    BlockStart {
        /// The index of the block.
        index: usize,
        /// The block as known so far.
        block: Block,
    },
    /// Content is added to a block.
    BlockDelta {
        /// The index of the block.
        index: usize,
        /// The added content.
        delta: Delta,
    },
    /// A block ends.
    BlockStop {
        /// The index of the block.
        index: usize,
    },
    /// All blocks are complete.
    MessageDelta {
        /// The stop reason.
        stop_reason: Option<String>,
        /// The token usage of the answer.
        usage: Box<Usage>,
    },
    /// The answer ends.
    MessageStop,
    /// A message that only keeps the connection open.
    Ping,
    /// The stream failed.
    Error(StreamError),
    /// An event of an unknown type.
    Other(Box<RawValue>),
}

/// Content that is added to a block.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Delta {
    /// Text to append.
    Text(String),
    /// Additional JSON text of the arguments of a tool.
    InputJson(String),
    /// Thinking to append.
    Thinking(String),
    /// The signature of the thinking.
    Signature(String),
    /// A citation to append.
    Citation(Value),
    /// A delta of an unknown type.
    Other(Box<RawValue>),
}

impl Partial {
    /// Returns the added text, if this event adds text.
    pub fn text_delta(&self) -> Option<&str> {
        match &self.event {
            StreamEvent::BlockDelta { delta: Delta::Text(text), .. } => Some(text),
            _ => None,
        }
    }
}

impl Default for StreamEvent {
    fn default() -> Self {
        Self::Other(RawValue::NULL.to_owned())
    }
}

impl PartialEq for StreamEvent {
    fn eq(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

impl<'de> Deserialize<'de> for StreamEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let fields: EventFields = serde_json::from_str(raw.get()).unwrap_or_default();
        let index = fields.index;
        Ok(match (fields.kind.as_str(), fields.content_block, fields.delta) {
            ("message_start", _, _) => Self::MessageStart(Box::new(fields.message)),
            ("content_block_start", Some(block), _) => Self::BlockStart { index, block },
            ("content_block_delta", _, Some(delta)) => Self::BlockDelta { index, delta: Delta::new(delta) },
            ("content_block_stop", _, _) => Self::BlockStop { index },
            ("message_delta", _, delta) => Self::MessageDelta {
                stop_reason: delta.and_then(|delta| delta.into_view().stop_reason),
                usage: Box::new(fields.usage),
            },
            ("message_stop", _, _) => Self::MessageStop,
            ("ping", _, _) => Self::Ping,
            ("error", _, _) => Self::Error(fields.error),
            _ => Self::Other(raw),
        })
    }
}

impl Delta {
    fn new(fields: Typed<DeltaFields>) -> Self {
        match fields.kind.as_str() {
            "text_delta" => Self::Text(fields.into_view().text),
            "input_json_delta" => Self::InputJson(fields.into_view().partial_json),
            "thinking_delta" => Self::Thinking(fields.into_view().thinking),
            "signature_delta" => Self::Signature(fields.into_view().signature),
            "citations_delta" => Self::Citation(fields.into_view().citation),
            _ => Self::Other(fields.raw().to_owned()),
        }
    }
}
