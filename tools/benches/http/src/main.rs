//! HTTP servers with the same tool: `http-bench ours|rmcp|floor|ours-sessions|rmcp-sessions` prints its address.
//!
//! `floor` is an axum handler that returns the request body: the cost of HTTP alone. The servers with sessions accept as many as
//! the client opens, and keep them.

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::routing::post;
use bytes::Bytes;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{tool, tool_router};
use tokio::net::TcpListener;

/// Return the text.
#[mcp_core::tool]
async fn echo(text: String) -> String {
    text
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Text {
    text: String,
}

#[derive(Clone)]
struct Peer;

#[tool_router(server_handler)]
impl Peer {
    /// Return the text.
    #[tool]
    async fn echo(&self, Parameters(given): Parameters<Text>) -> String {
        given.text
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("ours") => {
            ours(mcp_http::Http::new()).await?;
        }
        Some("ours-sessions") => {
            ours(mcp_http::Http::new().max_sessions(MANY).max_sessions_per_client(MANY)).await?;
        }
        Some("rmcp") => {
            let mut config = StreamableHttpServerConfig::default();
            // Its fastest options: no sessions, and a JSON response instead of an event stream.
            (config.legacy_session_mode, config.json_response) = (false, true);
            let service = StreamableHttpService::new(|| Ok(Peer), Arc::new(NeverSessionManager::default()), config);
            serve(Router::new().route_service("/mcp", service)).await?;
        }
        Some("rmcp-sessions") => {
            let sessions = Arc::new(LocalSessionManager::default());
            let service = StreamableHttpService::new(|| Ok(Peer), sessions, StreamableHttpServerConfig::default());
            serve(Router::new().route_service("/mcp", service)).await?;
        }
        Some("floor") => serve(Router::new().route("/mcp", post(|body: Bytes| async { body }))).await?,
        _ => return Err("ours, rmcp, floor, ours-sessions or rmcp-sessions?".into()),
    }
    Ok(())
}

/// More sessions than any measurement opens.
const MANY: usize = 1_000_000;

async fn ours(http: mcp_http::Http) -> Result<(), Box<dyn Error>> {
    let server = mcp_core::server!().tools(mcp_core::tools![echo]);
    let listener = http.listen(server, "127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.address());
    Ok(listener.serve().await?)
}

async fn serve(app: Router) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}
