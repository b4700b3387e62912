//! The tools of `examples/bench.rs` with turbomcp 4.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turbomcp::prelude::*;

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

#[derive(Debug, JsonSchema, Serialize)]
pub struct Hit {
    id: u32,
    title: String,
    kind: Kind,
    score: f64,
}

#[derive(Debug, JsonSchema, Serialize)]
pub struct Found {
    total: u32,
    hits: Vec<Hit>,
}

include!("../../search.rs");

#[derive(Clone)]
struct Bench;

#[server(name = "bench", version = "0.0.0")]
impl Bench {
    /// Add two numbers.
    #[tool]
    async fn add(&self, a: i64, b: i64) -> String {
        (a + b).to_string()
    }

    /// Say the same.
    #[tool]
    async fn echo(&self, text: String) -> String {
        text
    }

    /// Search.
    #[tool]
    async fn search(&self, query: String, limit: Option<u32>, filter: Option<Filter>) -> Json<Found> {
        Json(run_search(&query, limit.unwrap_or(10), filter.as_ref()))
    }
}

#[tokio::main]
async fn main() -> Result<(), turbomcp::ProtocolError> {
    Bench.run_stdio().await
}
