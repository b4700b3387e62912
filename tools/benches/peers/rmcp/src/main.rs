//! The tools of `examples/bench.rs` with rmcp.
//!
//! Without a flag as its documentation shows it. `--stored` keeps the router in a field, `--pipes` adds its transport for
//! pipes, `--tools N` (with `--stored`) adds tools at run time.

use std::env;
use std::error::Error;
use std::sync::Arc;

use rmcp::handler::server::router::tool::{ToolRoute, ToolRouter};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock, Tool};
use rmcp::schemars::JsonSchema;
use rmcp::transport::{stdio, stdio_pipes};
use rmcp::{Json, ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub struct Add {
    /// left addend
    a: i64,
    /// right addend
    b: i64,
}

#[derive(Deserialize, JsonSchema)]
pub struct Echo {
    text: String,
}

#[derive(Clone, Copy, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Doc,
    Code,
    Issue,
}

#[derive(Deserialize, JsonSchema)]
pub struct Filter {
    kind: Kind,
    #[schemars(range(min = 0.0))]
    min_score: Option<f64>,
}

#[derive(Deserialize, JsonSchema)]
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

/// As the documentation of rmcp shows it: the router is made for each call.
#[derive(Clone)]
struct Documented;

#[tool_router(server_handler)]
impl Documented {
    /// Add two numbers.
    #[tool]
    async fn add(&self, Parameters(p): Parameters<Add>) -> String {
        (p.a + p.b).to_string()
    }

    /// Say the same.
    #[tool]
    async fn echo(&self, Parameters(p): Parameters<Echo>) -> String {
        p.text
    }

    /// Search.
    #[tool]
    async fn search(&self, Parameters(p): Parameters<Search>) -> Json<Found> {
        Json(run_search(&p.query, p.limit, p.filter.as_ref()))
    }
}

/// The router is made once.
#[derive(Clone)]
struct Stored {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Stored {
    /// Add two numbers.
    #[tool]
    async fn add(&self, Parameters(p): Parameters<Add>) -> String {
        (p.a + p.b).to_string()
    }

    /// Say the same.
    #[tool]
    async fn echo(&self, Parameters(p): Parameters<Echo>) -> String {
        p.text
    }

    /// Search.
    #[tool]
    async fn search(&self, Parameters(p): Parameters<Search>) -> Json<Found> {
        Json(run_search(&p.query, p.limit, p.filter.as_ref()))
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Stored {}

impl Stored {
    fn new(more: u32) -> Self {
        let mut tool_router = Self::tool_router();
        for number in 0..more {
            tool_router.add_route(extra(number));
        }
        Self { tool_router }
    }
}

fn extra(number: u32) -> ToolRoute<Stored> {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "integer", "description": format!("first operand of tool {number}")},
            "b": {"type": "integer", "description": format!("second operand of tool {number}")},
            "note": {"type": "string", "description": "free text"},
        },
        "required": ["a", "b"],
    });
    let schema = schema.as_object().expect("it is an object").clone();
    let tool = Tool::new(format!("extra_{number}"), format!("Extra tool number {number}."), Arc::new(schema));
    ToolRoute::new_dyn(tool, |_| Box::pin(async { Ok(CallToolResult::success(vec![ContentBlock::text("extra")]).into()) }))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let more = arguments.iter().position(|argument| argument == "--tools").map_or(Ok(0), |at| arguments[at + 1].parse())?;
    match (has("--stored"), has("--pipes")) {
        (false, _) => Documented.serve(stdio()).await?.waiting().await?,
        (true, false) => Stored::new(more).serve(stdio()).await?.waiting().await?,
        (true, true) => Stored::new(more).serve(stdio_pipes()).await?.waiting().await?,
    };
    Ok(())
}
