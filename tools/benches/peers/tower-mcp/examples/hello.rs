//! `examples/hello.rs` with tower-mcp.

use schemars::JsonSchema;
use serde::Deserialize;
use tower_mcp::{BoxError, CallToolResult, McpRouter, StdioTransport, tool_fn};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Add {
    /// left addend
    a: i64,
    /// right addend
    b: i64,
}

#[tool_fn(description = "Add two numbers.")]
async fn add(p: Add) -> Result<CallToolResult, tower_mcp::Error> {
    Ok(CallToolResult::text((p.a + p.b).to_string()))
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    StdioTransport::new(McpRouter::new().server_info("hello", "0").tool(add_tool())).run().await?;
    Ok(())
}
