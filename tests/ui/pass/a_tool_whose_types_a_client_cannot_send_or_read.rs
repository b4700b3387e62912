use mcp_core::dynamic::Tool as _;
use mcp_core::{IntoToolResult, Json, ToolResult, tool, tools};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct OnlyRead {
    x: f64,
}

#[derive(Serialize, JsonSchema)]
struct OnlyWritten {
    x: f64,
}

struct Own;

impl IntoToolResult for Own {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::text("own")
    }
}

struct Labels(Vec<String>);

struct Borrowed<'a>(&'a str);

impl IntoToolResult for Borrowed<'_> {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::text(self.0)
    }
}

/// Read.
#[tool]
fn read(value: OnlyRead) -> f64 {
    value.x
}

/// Write.
#[tool]
fn write(x: f64) -> Json<OnlyWritten> {
    Json(OnlyWritten { x })
}

/// Return a type of its own.
#[tool]
async fn own() -> Result<Own, String> {
    Ok(Own)
}

/// Borrow from the state, with a lifetime that is not written.
#[tool]
fn borrowed(labels: &Labels) -> Borrowed {
    Borrowed(&labels.0[0])
}

fn main() {
    assert_eq!(tools![read, write, own, borrowed].map(|tool| tool.spec()).len(), 4);
}
