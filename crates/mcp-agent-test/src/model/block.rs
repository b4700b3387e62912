//! Content blocks of a turn.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A content block of a reply: text, thinking or a tool use.
///
/// In a script embedded in a prompt, a block is `{"text": ".."}`, `{"thinking": ".."}` or
/// `{"tool": "name", "input": {..}}`, the last with an optional `"id"` and `"force"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Wire", into = "Wire")]
#[non_exhaustive]
pub enum Block {
    /// Plain text.
    Text(String),
    /// A thinking block. It is sent with a fake signature.
    Thinking(String),
    /// A tool use.
    Tool(ToolUse),
}

/// A tool use by the model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolUse {
    /// The name of the tool as the model sees it, for example `mcp__calc__add`.
    pub name: String,
    /// The arguments of the tool use.
    pub input: Value,
    /// The id of the tool use. `None`: an id is generated.
    pub id: Option<String>,
    /// Uses the tool even if the request does not offer it.
    pub force: bool,
}

impl Block {
    /// Creates a text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Creates a thinking block.
    pub fn thinking(thinking: impl Into<String>) -> Self {
        Self::Thinking(thinking.into())
    }

    /// Creates a use of the tool `name`, which the request must offer.
    ///
    /// If the request does not offer it, the model replies with a text that says so. The test then fails with a clear
    /// message instead of an effect of an impossible reply. See [`ToolUse::force`] to send it anyway.
    pub fn tool(name: impl Into<String>, input: impl Into<Value>) -> Self {
        Self::Tool(ToolUse::new(name, input))
    }
}

impl ToolUse {
    /// Creates a use of the tool `name` with the arguments `input`.
    pub fn new(name: impl Into<String>, input: impl Into<Value>) -> Self {
        Self { name: name.into(), input: input.into(), id: None, force: false }
    }

    /// Sets the id of the tool use, so that a test can find its result.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Uses the tool even if the request does not offer it, as a model that hallucinates a tool name does.
    #[must_use]
    pub fn force(mut self) -> Self {
        self.force = true;
        self
    }
}

impl From<ToolUse> for Block {
    fn from(tool: ToolUse) -> Self {
        Self::Tool(tool)
    }
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thinking: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    input: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    force: bool,
}

impl TryFrom<Wire> for Block {
    type Error = &'static str;

    fn try_from(wire: Wire) -> Result<Self, Self::Error> {
        match (wire.text, wire.thinking, wire.tool) {
            (Some(text), None, None) => Ok(Self::Text(text)),
            (None, Some(thinking), None) => Ok(Self::Thinking(thinking)),
            (None, None, Some(name)) => Ok(Self::Tool(ToolUse {
                name,
                input: wire.input.unwrap_or_else(|| Value::Object(Default::default())),
                id: wire.id,
                force: wire.force,
            })),
            _ => Err("a block must have exactly one of the keys `text`, `thinking` and `tool`"),
        }
    }
}

impl From<Block> for Wire {
    fn from(block: Block) -> Self {
        match block {
            Block::Text(text) => Self { text: Some(text), ..Self::default() },
            Block::Thinking(thinking) => Self { thinking: Some(thinking), ..Self::default() },
            Block::Tool(tool) => {
                Self { tool: Some(tool.name), input: Some(tool.input), id: tool.id, force: tool.force, ..Self::default() }
            }
        }
    }
}
