//! What a fold is made of.

use serde_json::Value;

use crate::builtin::Builtin;
use crate::message::{Block, Content, ToolUse};

/// Something that was said, thought or called.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Entry {
    /// Said.
    Text(Said),
    /// Thought.
    Thinking(Said),
    /// Called.
    Tool(ToolCall),
}

/// A text of the model.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Said {
    /// The text.
    pub text: String,
    /// In a sub-agent: the tool use that started it.
    pub parent: Option<String>,
    /// The message that said it.
    pub uuid: Option<String>,
}

/// A call of a tool, and what came of it.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolCall {
    /// The tool use.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub input: Value,
    /// In a sub-agent: the tool use that started it.
    pub parent: Option<String>,
    /// The message that called it.
    pub uuid: Option<String>,
    /// What it gave back, when it has.
    pub outcome: Option<ToolOutcome>,
    /// Whether it was denied.
    pub denied: bool,
}

/// What a tool gave back.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolOutcome {
    /// What the model reads.
    pub content: Content,
    /// Whether the tool failed.
    pub is_error: bool,
    /// The same as the tool has it, where the CLI tells.
    pub structured: Option<Value>,
}

impl Entry {
    /// The text, if it was said.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(said) => Some(&said.text),
            _ => None,
        }
    }

    /// The text, if it was thought.
    pub fn thinking(&self) -> Option<&str> {
        match self {
            Self::Thinking(said) => Some(&said.text),
            _ => None,
        }
    }

    /// The call, if it is one.
    pub fn call(&self) -> Option<&ToolCall> {
        match self {
            Self::Tool(call) => Some(call),
            _ => None,
        }
    }

    /// In a sub-agent: the tool use that started it.
    pub fn parent(&self) -> Option<&str> {
        match self {
            Self::Text(said) | Self::Thinking(said) => said.parent.as_deref(),
            Self::Tool(call) => call.parent.as_deref(),
        }
    }

    pub(super) fn uuid(&self) -> Option<&str> {
        match self {
            Self::Text(said) | Self::Thinking(said) => said.uuid.as_deref(),
            Self::Tool(call) => call.uuid.as_deref(),
        }
    }
}

impl ToolCall {
    pub(super) fn new(call: &ToolUse, parent: Option<String>, uuid: Option<String>) -> Self {
        let ToolUse { id, name, input } = call.clone();
        Self { id, name, input, parent, uuid, outcome: None, denied: false }
    }

    /// The tool and its arguments, typed.
    pub fn builtin(&self) -> Builtin {
        Builtin::parse(&self.name, &self.input)
    }

    /// What the tool gave back, as text.
    pub fn result_text(&self) -> Option<String> {
        Some(match &self.outcome.as_ref()?.content {
            Content::Text(text) => text.clone(),
            Content::Blocks(blocks) => blocks.iter().filter_map(Block::text).collect::<Vec<_>>().join("\n"),
        })
    }
}
