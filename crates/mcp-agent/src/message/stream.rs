//! An answer while it is being made, when partial messages are asked for.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::block::Block;
use super::conversation::ModelMessage;
use super::usage::Usage;
use crate::wire::{Typed, view};

view! {
    /// A piece of an answer.
    pub struct Partial {
        /// What happened to the answer.
        event: StreamEvent,
        /// In a sub-agent: the tool use that started it.
        parent_tool_use_id: Option<String>,
        /// How long until the first token.
        ttft_ms: Option<u64>,
        /// The prompt that is being answered.
        user_message_uuid: Option<String>,
        /// The prompts that are being answered.
        user_message_uuids: Option<Vec<String>>,
        /// Why the turn was resumed.
        resume_reason: Option<String>,
        /// How thinking is shown.
        thinking_display: Option<String>,
        /// The id of the answer.
        api_message_id: Option<String>,
    }

    /// Why a stream broke off.
    pub struct StreamError {
        /// What kind of error.
        #[serde(rename = "type")]
        kind: String,
        /// What the API says.
        message: String,
    }

    /// The fields of all stream events together.
    struct EventFields {
        /// What kind of event.
        #[serde(rename = "type")]
        kind: String,
        /// The block that it concerns.
        index: usize,
        /// The answer that begins.
        message: ModelMessage,
        /// The block that begins.
        content_block: Option<Block>,
        /// What is added.
        delta: Option<Typed<DeltaFields>>,
        /// What has been used.
        usage: Usage,
        /// Why it broke off.
        error: StreamError,
    }

    /// The fields of all deltas together.
    struct DeltaFields {
        /// What kind of delta; that of a whole message has none.
        #[serde(rename = "type")]
        kind: String,
        /// More text.
        text: String,
        /// More of a tool's arguments.
        partial_json: String,
        /// More thinking.
        thinking: String,
        /// The signature of the thinking.
        signature: String,
        /// One more citation.
        citation: Value,
        /// Why the answer stopped.
        stop_reason: Option<String>,
    }
}

/// What happened to an answer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum StreamEvent {
    /// It begins.
    MessageStart(Box<ModelMessage>),
    /// A block begins.
    BlockStart {
        /// Which block.
        index: usize,
        /// As far as it is known.
        block: Block,
    },
    /// A block goes on.
    BlockDelta {
        /// Which block.
        index: usize,
        /// What is added.
        delta: Delta,
    },
    /// A block ends.
    BlockStop {
        /// Which block.
        index: usize,
    },
    /// The answer is complete but for its end.
    MessageDelta {
        /// Why it stopped.
        stop_reason: Option<String>,
        /// What it used.
        usage: Box<Usage>,
    },
    /// It ends.
    MessageStop,
    /// The connection lives.
    Ping,
    /// It broke off.
    Error(StreamError),
    /// An event that this version does not know.
    Other(Box<RawValue>),
}

/// What is added to a block.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Delta {
    /// More text.
    Text(String),
    /// More of a tool's arguments, as a piece of JSON text.
    InputJson(String),
    /// More thinking.
    Thinking(String),
    /// The signature of the thinking.
    Signature(String),
    /// One more citation.
    Citation(Value),
    /// A delta that this version does not know.
    Other(Box<RawValue>),
}

impl Partial {
    /// The next piece of text, if this is one.
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
