//! The items of a transcript.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The maximum length of a text, in bytes. The rest is left out.
const MAX_TEXT: usize = 64 << 10;

/// A prompt, a text, a tool call or a notice of a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Item {
    /// The kind of item.
    pub kind: ItemKind,
    /// The id of the prompt, of the tool use, or of the message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The text; of a tool call its result.
    #[serde(default)]
    pub text: String,
    /// The name of the tool, if the item is a tool call.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The arguments, if the item is a tool call. A text instead of an object if they are incomplete or too long.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub input: Value,
    /// The id of the tool use that started the sub-agent. `None` in the main agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Whether the model is still writing the item.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_draft: bool,
    /// Whether the result has arrived, if the item is a tool call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_done: bool,
    /// Whether the tool call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// Whether the tool call was denied.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_denied: bool,
}

/// The kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ItemKind {
    /// A prompt of a user.
    Prompt,
    /// Text of the model.
    Text,
    /// Thinking of the model.
    Thinking,
    /// A tool call.
    Tool,
    /// A notice of the session, for instance an error.
    Notice,
}

impl Item {
    pub(crate) fn new(kind: ItemKind) -> Self {
        Self {
            kind,
            id: String::new(),
            text: String::new(),
            name: String::new(),
            input: Value::Null,
            parent: None,
            is_draft: false,
            is_done: false,
            is_error: false,
            is_denied: false,
        }
    }

    /// Returns the size of its texts in bytes.
    pub(crate) fn size(&self) -> usize {
        let input = match &self.input {
            Value::Null => 0,
            Value::String(text) => text.len(),
            input => input.to_string().len(),
        };
        self.text.len() + input
    }
}

/// Returns the text, shortened if it is too long.
pub(crate) fn cut(text: &str) -> String {
    match text.len() {
        length if length > MAX_TEXT => {
            format!("{}\n[{} more bytes]", &text[..text.floor_char_boundary(MAX_TEXT)], length - MAX_TEXT)
        }
        _ => text.to_owned(),
    }
}

/// Returns the arguments of a tool, as a shortened text if they are too long.
pub(crate) fn cut_input(input: &Value) -> Value {
    let text = input.to_string();
    if text.len() > MAX_TEXT { Value::String(cut(&text)) } else { input.clone() }
}

/// Adds to a text up to the maximum length.
pub(crate) fn extend(text: &mut String, more: &str) {
    let room = MAX_TEXT.saturating_sub(text.len());
    text.push_str(&more[..more.floor_char_boundary(room)]);
}
