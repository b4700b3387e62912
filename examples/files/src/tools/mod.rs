//! The tools.

pub(crate) mod change;
mod diff;
mod edit;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod search;

use mcp_core::{IntoToolResult, ToolResult, json_type};
use serde_json::json;

/// A result that is sent as text and as `{"content": text}`.
#[derive(Debug)]
pub(crate) struct Text(pub(crate) String);

/// The structured form of [`Text`].
#[json_type]
struct Structured {
    #[allow(dead_code, reason = "only the schema is used")]
    content: String,
}

impl IntoToolResult for Text {
    fn into_tool_result(self) -> ToolResult {
        let structured = json!({"content": self.0});
        ToolResult::text(self.0).structured(&structured).unwrap_or_else(|error| ToolResult::error(error.to_string()))
    }

    fn output_schema() -> Option<mcp_core::schema::OutputSchema> {
        Some(mcp_core::schema::OutputSchema::of::<Structured>())
    }
}
