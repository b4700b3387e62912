//! A web page that shows an agent session while it runs: text, thinking, tool calls with their results, and the cost. The
//! server sends the messages of the session to the page as server-sent events.
//!
//! ```sh
//! cargo run --example browser    # open the printed address in a browser
//! ```
//!
//! Listens on the loopback interface only. Requires the Claude Code CLI; if it is missing, the error explains how to
//! install it.

use axum::Router;
use axum::body::Body;
use axum::extract::Query;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use mcp_agent::Agent;
use mcp_agent::event::Narrator;
use mcp_agent_sse::Events;
use mcp_core::{server, tool, tools};
use serde::Deserialize;

/// Add two numbers.
#[tool(read_only, always_load)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[derive(Deserialize)]
struct Run {
    chat: String,
    prompt: String,
}

/// Runs the agent for one HTTP request. The run ends when the agent is done or when the browser disconnects.
async fn run(headers: HeaderMap, Query(run): Query<Run>) -> Response {
    // Refuses cross-site requests: pages of other origins must not be able to start a run.
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    if !matches!(site, None | Some("same-origin")) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let agent =
        Agent::new().mount("calc", server!().tools(tools![add])).allow_tools(["mcp__calc__add"]).partial_messages(true);
    let narrator = Narrator::new(run.chat).metadata("page", "live").without_original();
    Events::new(agent.query(run.prompt), narrator).into_response().map(Body::new)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let page = || async {
        ([(header::CONTENT_SECURITY_POLICY, "default-src 'self' 'unsafe-inline'")], Html(include_str!("page.html")))
    };
    let app = Router::new().route("/", get(page)).route("/run", get(run));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("http://{}", listener.local_addr()?);
    // At Ctrl-C or SIGTERM, no new runs start and the current ones finish. A second signal ends the process.
    axum::serve(listener, app).with_graceful_shutdown(mcp_http::shutdown_signal()?).await?;
    Ok(())
}
