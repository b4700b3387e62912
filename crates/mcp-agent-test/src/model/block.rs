//! One content block of a turn.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One block of what the model says: text, thinking, or the use of a tool.
///
/// In a script that a prompt carries, a block is `{"text": ".."}`, `{"thinking": ".."}` or
/// `{"tool": "name", "input": {..}}`, the last with an optional `"id"` and `"force"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Wire", into = "Wire")]
#[non_exhaustive]
pub enum Block {
    /// Plain text.
    Text(String),
    /// A thinking block; it is signed with a made-up signature.
    Thinking(String),
    /// The use of a tool.
    Tool(ToolUse),
}

/// A tool that the model asks for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolUse {
    /// The name as the model sees it, for instance `mcp__calc__add`.
    pub name: String,
    /// The arguments.
    pub input: Value,
    /// The id of the tool use, or none to have one made.
    pub id: Option<String>,
    /// Ask for the tool even though the request does not offer it.
    pub force: bool,
}

impl Block {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A block of thinking.
    pub fn thinking(thinking: impl Into<String>) -> Self {
        Self::Thinking(thinking.into())
    }

    /// The use of the tool `name`, which must be among the tools that the request offers.
    ///
    /// Where it is not, the model says so in plain text instead, so that the test fails by what it reads and not by
    /// what the agent makes of an impossible reply.
    pub fn tool(name: impl Into<String>, input: impl Into<Value>) -> Self {
        Self::Tool(ToolUse::new(name, input))
    }
}

impl ToolUse {
    /// The use of the tool `name` with these arguments.
    pub fn new(name: impl Into<String>, input: impl Into<Value>) -> Self {
        Self { name: name.into(), input: input.into(), id: None, force: false }
    }

    /// Fixes the id of the tool use, to find its result by it.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Asks for the tool whether or not the request offers it, as a model does that makes names up.
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
            _ => Err("a block has exactly one of text, thinking and tool"),
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
