//! Content blocks: text, thinking, tool uses and their results.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::content::Content;
use crate::wire::{Members, Typed, view};

/// A content block.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Block {
    /// Text.
    Text(Typed<TextBlock>),
    /// Thinking of the model.
    Thinking(Typed<ThinkingBlock>),
    /// Encrypted thinking that only the API can read.
    RedactedThinking(Typed<RedactedThinking>),
    /// The model calls a tool that the CLI or this program runs.
    ToolUse(Typed<ToolUse>),
    /// The result of a tool.
    ToolResult(Typed<ToolResult>),
    /// The model calls a tool that the API runs.
    ServerToolUse(Typed<ToolUse>),
    /// An image.
    Image(Typed<Image>),
    /// A document; it has the same fields as an image.
    Document(Typed<Image>),
    /// A block of an unknown type.
    Other(Box<RawValue>),
}

view! {
    /// Text.
    pub struct TextBlock {
        /// The text of the block.
        text: String,
        /// The citations of the text.
        citations: Option<Vec<Value>>,
    }

    /// Thinking of the model.
    pub struct ThinkingBlock {
        /// The text; empty if thinking is not displayed.
        thinking: String,
        /// The signature with which the API verifies that the text is unchanged.
        signature: String,
    }

    /// Encrypted thinking that only the API can read.
    pub struct RedactedThinking {
        /// The encrypted text of the thinking.
        data: String,
    }

    /// A call of a tool by the model.
    pub struct ToolUse {
        /// The id that the result refers to.
        id: String,
        /// The name of the tool; that of an MCP server is `mcp__server__tool`.
        name: String,
        /// The arguments as the model wrote them.
        input: Value,
    }

    /// The result of a tool.
    pub struct ToolResult checked by ToolResult::check {
        /// The id of the tool use.
        tool_use_id: String,
        /// The content of the result.
        content: Content,
        /// Whether the tool failed. Also true if the CLI reports neither true nor false.
        is_error: bool,
    }

    /// An image or a document.
    pub struct Image {
        /// The source: base64 data, a URL or a file.
        source: Value,
        /// The title of a document.
        title: Option<String>,
    }

    /// The field with the type of a block.
    struct BlockKind {
        /// The type of the block.
        #[serde(rename = "type")]
        kind: String,
    }
}

impl Block {
    /// Returns the text of a text block.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(block) => Some(&block.text),
            _ => None,
        }
    }

    /// Returns the JSON text of the whole block, as received.
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
impl ToolResult {
    fn check(&mut self, members: &Members<'_>) {
        // The API leaves the field out, or sends null, if the tool succeeded.
        self.is_error |= members.is_mistyped::<Option<bool>>("is_error");
    }
}
