//! The tools of `examples/bench.rs` with tower-mcp: its macro, and its builder for the tool with structured output.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tower_mcp::{BoxError, CallToolResult, McpRouter, StdioTransport, ToolBuilder, tool_fn};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Add {
    /// left addend
    a: i64,
    /// right addend
    b: i64,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Echo {
    text: String,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Doc,
    Code,
    Issue,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Filter {
    kind: Kind,
    #[schemars(range(min = 0.0))]
    min_score: Option<f64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Search {
    query: String,
    #[serde(default = "ten")]
    limit: u32,
    filter: Option<Filter>,
}

fn ten() -> u32 {
    10
}

#[derive(JsonSchema, Serialize)]
pub struct Hit {
    id: u32,
    title: String,
    kind: Kind,
    score: f64,
}

#[derive(JsonSchema, Serialize)]
pub struct Found {
    total: u32,
    hits: Vec<Hit>,
}

include!("../../search.rs");

#[tool_fn(description = "Add two numbers.")]
async fn add(p: Add) -> Result<CallToolResult, tower_mcp::Error> {
    Ok(CallToolResult::text((p.a + p.b).to_string()))
}

#[tool_fn(description = "Say the same.")]
async fn echo(p: Echo) -> Result<CallToolResult, tower_mcp::Error> {
    Ok(CallToolResult::text(p.text))
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let search = ToolBuilder::new("search")
        .description("Search.")
        .output_schema_for::<Found>()
        .handler(|p: Search| async move {
            CallToolResult::from_serialize(&run_search(&p.query, p.limit, p.filter.as_ref()))
        })
        .build();
    let router = McpRouter::new().server_info("bench", "0").tool(add_tool()).tool(echo_tool()).tool(search);
    StdioTransport::new(router).run().await?;
    Ok(())
}
