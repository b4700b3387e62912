//! What messages are made of: text, thinking, tool uses and their results.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::wire::{Typed, view};

/// The content of a message: plain text or a list of blocks. The CLI sends both forms.
#[derive(Debug, Clone)]
pub enum Content {
    /// Text without any structure.
    Text(String),
    /// Blocks in order.
    Blocks(Vec<Block>),
}

impl Content {
    /// The blocks, of which plain text has none.
    pub fn blocks(&self) -> &[Block] {
        match self {
            Self::Text(_) => &[],
            Self::Blocks(blocks) => blocks,
        }
    }

    /// The first text in it.
    ///
    /// An answer of the model comes one block to a message, so for those it is the text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Blocks(blocks) => blocks.iter().find_map(Block::text),
        }
    }

    /// The tool uses in it.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.blocks().iter().filter_map(|block| match block {
            Block::ToolUse(tool_use) => Some(&**tool_use),
            _ => None,
        })
    }

    /// The tool results in it.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.blocks().iter().filter_map(|block| match block {
            Block::ToolResult(result) => Some(&**result),
            _ => None,
        })
    }
}

impl Default for Content {
    fn default() -> Self {
        Self::Blocks(Vec::new())
    }
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Blocks(a), Self::Blocks(b)) => a == b,
            _ => false,
        }
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrBlocks;

        impl<'de> Visitor<'de> for TextOrBlocks {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text or a list of content blocks")
            }

            fn visit_str<E>(self, text: &str) -> Result<Content, E> {
                Ok(Content::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Content, A::Error> {
                let mut blocks = Vec::new();
                while let Some(block) = seq.next_element()? {
                    blocks.push(block);
                }
                Ok(Content::Blocks(blocks))
            }
        }

        deserializer.deserialize_any(TextOrBlocks)
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Blocks(blocks) => blocks.serialize(serializer),
        }
    }
}

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
