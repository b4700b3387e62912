//! The entries of a fold.

use serde_json::Value;

use crate::builtin::Builtin;
use crate::builtin::output::BuiltinOutput;
use crate::message::{Block, Content, ToolUse};

/// An entry: a prompt, or text, thinking or a tool call of the model.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "most entries are tool calls, and a match on a box is harder to write")]
#[non_exhaustive]
pub enum Entry {
    /// A prompt of the user, or the task of a sub-agent.
    Prompt(PromptEntry),
    /// Text of the model.
    Text(TextEntry),
    /// Thinking of the model.
    Thinking(TextEntry),
    /// A tool call.
    Tool(ToolCall),
}

/// A prompt of the user, or the task of a sub-agent.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct PromptEntry {
    /// The text and images of the prompt.
    pub content: Content,
    /// The id of the tool use that started the sub-agent. `None` in the main agent.
    pub parent: Option<String>,
    /// The id of the prompt.
    pub uuid: Option<String>,
}

/// Text or thinking of the model.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct TextEntry {
    /// The text so far.
    pub text: String,
    /// The id of the tool use that started the sub-agent. `None` in the main agent.
    pub parent: Option<String>,
    /// The id of the message.
    pub uuid: Option<String>,
}

/// A tool call and its result.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolCall {
    /// The id of the tool use.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments of the tool use.
    pub input: Value,
    /// The id of the tool use that started the sub-agent. `None` in the main agent.
    pub parent: Option<String>,
    /// The id of the message.
    pub uuid: Option<String>,
    /// The result; `None` while the tool is running.
    pub outcome: Option<ToolOutcome>,
    /// Whether the tool call was denied.
    pub denied: bool,
}

/// The result of a tool.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolOutcome {
    /// The content that the model is given.
    pub content: Content,
    /// Whether the tool failed.
    pub is_error: bool,
    /// The structured result, if the CLI reports it.
    pub structured: Option<Value>,
}

impl Entry {
    /// Returns the prompt, if the entry is one.
    pub fn prompt(&self) -> Option<&PromptEntry> {
        match self {
            Self::Prompt(prompt) => Some(prompt),
            _ => None,
        }
    }

    /// Returns the text, if the entry is text of the model.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(said) => Some(&said.text),
            _ => None,
        }
    }

    /// Returns the thinking, if the entry is thinking.
    pub fn thinking(&self) -> Option<&str> {
        match self {
            Self::Thinking(said) => Some(&said.text),
            _ => None,
        }
    }

    /// Returns the tool call, if the entry is one.
    pub fn call(&self) -> Option<&ToolCall> {
        match self {
            Self::Tool(call) => Some(call),
            _ => None,
        }
    }

    /// In a sub-agent: returns the id of the tool use that started it.
    pub fn parent(&self) -> Option<&str> {
        match self {
            Self::Text(said) | Self::Thinking(said) => said.parent.as_deref(),
            Self::Prompt(prompt) => prompt.parent.as_deref(),
            Self::Tool(call) => call.parent.as_deref(),
        }
    }

    pub(super) fn uuid(&self) -> Option<&str> {
        match self {
            Self::Text(said) | Self::Thinking(said) => said.uuid.as_deref(),
            Self::Prompt(prompt) => prompt.uuid.as_deref(),
            Self::Tool(call) => call.uuid.as_deref(),
        }
    }
}

impl PromptEntry {
    /// Returns the texts of the prompt, joined by line breaks.
    pub fn text(&self) -> String {
        text_of(&self.content)
    }
}

/// Returns all texts of a content, joined by line breaks.
fn text_of(content: &Content) -> String {
    match content {
        Content::Text(text) => text.clone(),
        Content::Blocks(blocks) => blocks.iter().filter_map(Block::text).collect::<Vec<_>>().join("\n"),
    }
}

impl ToolCall {
    pub(super) fn new(call: &ToolUse, parent: Option<String>, uuid: Option<String>) -> Self {
        let ToolUse { id, name, input } = call.clone();
        Self { id, name, input, parent, uuid, outcome: None, denied: false }
    }

    /// Returns the tool with its typed input.
    pub fn builtin(&self) -> Builtin {
        Builtin::parse(&self.name, &self.input)
    }

    /// Returns the typed result. It is `None` while the tool is running, and if the CLI reports no structured result.
    pub fn output(&self) -> Option<BuiltinOutput> {
        Some(BuiltinOutput::parse(&self.name, self.outcome.as_ref()?.structured.as_ref()?))
    }

    /// Returns the text of the result.
    pub fn result_text(&self) -> Option<String> {
        Some(text_of(&self.outcome.as_ref()?.content))
    }
}
