//! The tools of `examples/bench.rs` with rust-mcp-sdk 2, which speaks the stateless revision only.

use std::result::Result; // the names of the schema hide it, and `tool_box!` needs it
use std::sync::Arc;

use async_trait::async_trait;
use rust_mcp_sdk::error::SdkResult;
use rust_mcp_sdk::macros::{self, JsonSchema};
use rust_mcp_sdk::mcp_server::{McpServerOptions, ServerHandler, server_runtime};
use rust_mcp_sdk::schema::{schema_utils::CallToolError, *};
use rust_mcp_sdk::{McpServer, RequestContext, ServerDetails, StdioTransport, ToMcpServerHandler, TransportOptions, tool_box};
use serde::{Deserialize, Serialize};

#[macros::mcp_tool(name = "add", description = "Add two numbers.")]
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Add {
    /// left addend
    a: i64,
    /// right addend
    b: i64,
}

#[macros::mcp_tool(name = "echo", description = "Say the same.")]
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
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

#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Filter {
    kind: Kind,
    min_score: Option<f64>,
}

#[macros::mcp_tool(name = "search", description = "Search.")]
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Search {
    query: String,
    limit: Option<u32>,
    filter: Option<Filter>,
}

#[derive(Serialize)]
pub struct Hit {
    id: u32,
    title: String,
    kind: Kind,
    score: f64,
}

#[derive(Serialize)]
pub struct Found {
    total: u32,
    hits: Vec<Hit>,
}

include!("../../search.rs");

tool_box!(Tools, [Add, Echo, Search]);

struct Handler;

#[async_trait]
impl ServerHandler for Handler {
    async fn handle_list_tools_request(
        &self,
        _: Option<PaginatedRequestParams>,
        _: &RequestContext,
        _: Arc<dyn McpServer>,
    ) -> Result<ListToolsResult, RpcError> {
        Ok(ListToolsResult {
            tools: Tools::tools(),
            cache_scope: ListToolsResultCacheScope::Private,
            result_type: "complete".into(),
            ttl_ms: 0,
            meta: None,
            next_cursor: None,
        })
    }

    async fn handle_call_tool_request(
        &self,
        params: CallToolRequestParams,
        _: &RequestContext,
        _: Arc<dyn McpServer>,
    ) -> Result<ServerResult, CallToolError> {
        let tool: Tools = Tools::try_from(params).map_err(CallToolError::new)?;
        let text = |text: String| CallToolResult::text_content(vec![text.into()]);
        Ok(ServerResult::from(match tool {
            Tools::Add(p) => text((p.a + p.b).to_string()),
            Tools::Echo(p) => text(p.text),
            Tools::Search(p) => {
                let found = run_search(&p.query, p.limit.unwrap_or(10), p.filter.as_ref());
                let found = serde_json::to_value(found).map_err(CallToolError::new)?;
                let mut result = text(found.to_string());
                result.structured_content = Some(found);
                result
            }
        }))
    }
}

#[tokio::main]
async fn main() -> SdkResult<()> {
    let server_details = ServerDetails {
        server_info: Implementation {
            name: "bench".into(),
            version: "0".into(),
            title: None,
            description: None,
            icons: vec![],
            website_url: None,
        },
        capabilities: ServerCapabilities {
            tools: Some(ServerCapabilitiesTools { list_changed: None }),
            ..Default::default()
        },
        instructions: None,
        meta: None,
    };
    let server = server_runtime::create_server(McpServerOptions {
        server_details,
        transport: StdioTransport::new(TransportOptions::default())?,
        handler: Handler.to_mcp_server_handler(),
        message_observer: None,
    });
    server.start().await
}
