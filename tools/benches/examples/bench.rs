//! The tools of the benchmark. The peers and the hand-written floor have the same.
//!
//! ```sh
//! cargo run --release --example bench -- call search query=tea filter='{"kind": "doc", "min_score": 0.5}'
//! cargo run --release --package benches -- run
//! ```
//!
//! `--tools N` adds N tools with different arguments, to measure many tools.

use std::process::ExitCode;
use std::sync::Arc;

use mcp_core::dynamic::Tool;
use mcp_core::{Builder, Context, Json, Server, ToolSpec, schemars, serde, tool, tool_fn, tools};
use serde_json::json;

/// Add two numbers.
#[tool]
async fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

/// Add two numbers, in a function that may block.
#[tool]
fn add_sync(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

/// Say the same.
#[tool]
async fn echo(text: String) -> String {
    text
}

#[derive(Clone, Copy, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(crate = "mcp_core::serde", rename_all = "lowercase")]
#[schemars(crate = "mcp_core::schemars")]
enum Kind {
    Doc,
    Code,
    Issue,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "mcp_core::serde")]
#[schemars(crate = "mcp_core::schemars")]
struct Filter {
    kind: Kind,
    #[schemars(range(min = 0.0))]
    min_score: Option<f64>,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
#[serde(crate = "mcp_core::serde")]
#[schemars(crate = "mcp_core::schemars")]
struct Hit {
    id: u32,
    title: String,
    kind: Kind,
    score: f64,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
#[serde(crate = "mcp_core::serde")]
#[schemars(crate = "mcp_core::schemars")]
struct Found {
    total: u32,
    hits: Vec<Hit>,
}

/// Search.
#[tool]
async fn search(query: String, #[default(10)] limit: u32, filter: Option<Filter>) -> Json<Found> {
    let kind = filter.as_ref().map_or(Kind::Doc, |filter| filter.kind);
    let least = filter.and_then(|filter| filter.min_score).unwrap_or(0.0);
    let hits: Vec<Hit> = (0..limit)
        .map(|id| Hit { id, title: format!("{query} #{id}"), kind, score: 1.0 / (1.0 + f64::from(id)) })
        .filter(|hit| hit.score >= least)
        .collect();
    Json(Found { total: hits.len() as u32, hits })
}

/// The arguments of the tools of `--tools`.
#[derive(serde::Deserialize)]
#[serde(crate = "mcp_core::serde")]
struct Operands {
    a: i64,
    b: i64,
    note: Option<String>,
}

fn extra(number: i64) -> Arc<dyn Tool> {
    let spec = ToolSpec::new(format!("extra_{number}"), format!("Extra tool number {number}.")).input_schema(json!({
        "type": "object",
        "properties": {
            "a": {"type": "integer", "description": format!("first operand of tool {number}")},
            "b": {"type": "integer", "description": format!("second operand of tool {number}")},
            "note": {"type": "string", "description": "free text"},
        },
        "required": ["a", "b"],
    }));
    tool_fn(spec, move |Operands { a, b, note }, _: Context| async move {
        format!("{} {}", a * number + b, note.unwrap_or_default())
    })
}

/// The server with additional tools.
pub fn server(more: i64) -> Builder {
    let extras: Vec<_> = (0..more).map(extra).collect();
    Server::builder("bench", "0").tools(tools![add, add_sync, echo, search]).tools(extras)
}

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let more = match words.iter().position(|word| word == "--tools") {
        Some(place) => words.drain(place..(place + 2).min(words.len())).nth(1).and_then(|more| more.parse().ok()),
        None => None,
    };
    mcp_stdio::Stdio::new().arguments(words).run(server(more.unwrap_or(0)))
}
