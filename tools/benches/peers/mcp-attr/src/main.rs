//! The tools of `examples/bench.rs` with mcp-attr, which knows no structured output: `search` gives its JSON as text.

use mcp_attr::Result;
use mcp_attr::server::{McpServer, mcp_server, serve_stdio};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Doc,
    Code,
    Issue,
}

#[derive(Deserialize, JsonSchema)]
struct Filter {
    kind: Kind,
    min_score: Option<f64>,
}

#[derive(Serialize)]
struct Hit {
    id: u32,
    title: String,
    kind: Kind,
    score: f64,
}

#[derive(Serialize)]
struct Found {
    total: u32,
    hits: Vec<Hit>,
}

include!("../../search.rs");

struct Bench;

#[mcp_server]
impl McpServer for Bench {
    /// Add two numbers.
    #[tool]
    async fn add(
        &self,
        /// left addend
        a: i64,
        /// right addend
        b: i64,
    ) -> Result<String> {
        Ok((a + b).to_string())
    }

    /// Say the same.
    #[tool]
    async fn echo(&self, text: String) -> Result<String> {
        Ok(text)
    }

    /// Search.
    #[tool]
    async fn search(&self, query: String, limit: Option<u32>, filter: Option<Filter>) -> Result<String> {
        Ok(serde_json::to_string(&run_search(&query, limit.unwrap_or(10), filter.as_ref()))?)
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    serve_stdio(Bench).await?;
    Ok(())
}
