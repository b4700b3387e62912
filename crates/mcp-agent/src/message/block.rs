//! The blocks of content: text, thinking, tool uses and their results.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::content::Content;
use crate::wire::{Typed, view};

/// One block of content.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Block {
    /// Text.
    Text(Typed<TextBlock>),
    /// The model's thinking.
    Thinking(Typed<ThinkingBlock>),
    /// Thinking that is not for us to read.
    RedactedThinking(Typed<RedactedThinking>),
    /// The model calls a tool that the CLI or we run.
    ToolUse(Typed<ToolUse>),
    /// What a tool gave back.
    ToolResult(Typed<ToolResult>),
    /// The model calls a tool that the API runs.
    ServerToolUse(Typed<ToolUse>),
    /// An image.
    Image(Typed<Image>),
    /// A document; it has the same form as an image.
    Document(Typed<Image>),
    /// A block of a kind that this version does not know.
    Other(Box<RawValue>),
}

view! {
    /// Text.
    pub struct TextBlock {
        /// The text.
        text: String,
        /// What the text cites.
        citations: Option<Vec<Value>>,
    }

    /// The model's thinking.
    pub struct ThinkingBlock {
        /// The text, empty when it is not shown.
        thinking: String,
        /// What proves to the API that it is unchanged.
        signature: String,
    }

    /// Thinking that only the API can read.
    pub struct RedactedThinking {
        /// The sealed text.
        data: String,
    }

    /// The model calls a tool.
    pub struct ToolUse {
        /// The id that the result refers to.
        id: String,
        /// The tool; one of a mounted server is `mcp__server__tool`.
        name: String,
        /// The arguments as the model wrote them.
        input: Value,
    }

    /// What a tool gave back.
    pub struct ToolResult {
        /// The tool use that it answers.
        tool_use_id: String,
        /// What the tool said.
        content: Content,
        /// Whether the tool failed.
        is_error: bool,
    }

    /// An image or a document.
    pub struct Image {
        /// Where it comes from: base64 data, a URL or a file.
        source: Value,
        /// A document's title.
        title: Option<String>,
    }

    /// How a block says what it is.
    struct BlockKind {
        /// What kind of block it is.
        #[serde(rename = "type")]
        kind: String,
    }
}

impl Block {
    /// The text, if it is a block of text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(block) => Some(&block.text),
            _ => None,
        }
    }

    /// The whole block as it was on the wire.
    pub fn raw(&self) -> &RawValue {
        match self {
            Self::Text(block) => block.raw(),
            Self::Thinking(block) => block.raw(),
            Self::RedactedThinking(block) => block.raw(),
            Self::ToolUse(block) | Self::ServerToolUse(block) => block.raw(),
            Self::ToolResult(block) => block.raw(),
            Self::Image(block) | Self::Document(block) => block.raw(),
            Self::Other(raw) => raw,
        }
    }
}

impl PartialEq for Block {
    fn eq(&self, other: &Self) -> bool {
        self.raw().get() == other.raw().get()
    }
}

impl<'de> Deserialize<'de> for Block {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let kind: BlockKind = serde_json::from_str(raw.get()).unwrap_or_default();
        Ok(match kind.kind.as_str() {
            "text" => Self::Text(Typed::new(raw)),
            "thinking" => Self::Thinking(Typed::new(raw)),
            "redacted_thinking" => Self::RedactedThinking(Typed::new(raw)),
            "tool_use" => Self::ToolUse(Typed::new(raw)),
            "tool_result" => Self::ToolResult(Typed::new(raw)),
            "server_tool_use" => Self::ServerToolUse(Typed::new(raw)),
            "image" => Self::Image(Typed::new(raw)),
            "document" => Self::Document(Typed::new(raw)),
            _ => Self::Other(raw),
        })
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw().serialize(serializer)
    }
}
