//! Tools that the API runs: their calls and results are blocks of the answer.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::ToolOutcome;
use crate::message::{Content, ToolUse};
use crate::wire::Typed;

/// A block of a tool that the API runs, such as web search.
pub(super) enum ServerBlock {
    /// The call of a tool of an MCP server that the API is connected to.
    Call(Typed<ToolUse>),
    /// The result of a tool.
    Result { tool_use_id: String, outcome: ToolOutcome },
}

#[derive(Deserialize)]
struct Fields {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    tool_use_id: String,
    #[serde(default)]
    content: Value,
    #[serde(default)]
    is_error: bool,
}

impl ServerBlock {
    /// Parses a block. Every tool of the API has its own type of result: `web_search_tool_result`, `mcp_tool_result` and so on.
    pub(super) fn parse(raw: &RawValue) -> Option<Self> {
        let fields: Fields = serde_json::from_str(raw.get()).ok()?;
        if fields.kind.ends_with("_tool_use") {
            return Some(Self::Call(Typed::new(raw.to_owned())));
        }
        if !fields.kind.ends_with("_tool_result") {
            return None;
        }
        let kind = fields.content.get("type").and_then(Value::as_str).unwrap_or_default();
        let outcome = ToolOutcome {
            is_error: fields.is_error || kind.ends_with("_error"),
            content: serde_json::from_value::<Content>(fields.content.clone()).unwrap_or_default(),
            structured: Some(fields.content),
        };
        Some(Self::Result { tool_use_id: fields.tool_use_id, outcome })
    }
}
