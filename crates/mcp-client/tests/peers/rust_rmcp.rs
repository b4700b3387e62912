//! The official Rust SDK, over lines and over HTTP.

use mcp_client::{Client, Revision};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::json;

use crate::run;

#[derive(Clone)]
struct Peer;

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}});
        let schema = schema.as_object().cloned().unwrap_or_default();
        Ok(ListToolsResult::with_all_items(vec![Tool::new("add", "Add two numbers.", schema)]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let number = |name: &str| arguments.get(name).and_then(serde_json::Value::as_i64);
        Ok(match (number("a"), number("b")) {
            (Some(a), Some(b)) => CallToolResult::success(vec![ContentBlock::text((a + b).to_string())]).into(),
            _ => CallToolResult::error(vec![ContentBlock::text("two numbers are needed")]).into(),
        })
    }
}

async fn visit(client: &Client, revision: Revision) {
    assert_eq!(client.server().await.unwrap().revision, revision);
    assert_eq!(client.tools().all().await.unwrap()[0].name, "add");
    assert_eq!(client.call_as::<i64>("add", json!({"a": 2, "b": 3})).await.unwrap(), 5, "{revision}");
    assert!(client.call("add", ()).await.unwrap().is_error, "{revision}");
    assert!(client.prompt("review", [("", ""); 0]).await.is_err());
    client.ping().await.unwrap();
    let calls: Vec<_> =
        (0..20).map(|number| tokio::spawn(client.call("add", json!({"a": number, "b": 1})).into_future())).collect();
    for (number, call) in calls.into_iter().enumerate() {
        assert_eq!(call.await.unwrap().unwrap().to_text(), (number + 1).to_string());
    }
}

const REVISIONS: [Revision; 4] = [Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25, Revision::NEWEST];

#[test]
fn the_rust_sdk_serves_the_client_over_lines() {
    run(async {
        for revision in REVISIONS.into_iter().map(Some).chain([None]) {
            let (ours, theirs) = tokio::io::duplex(4096);
            let server = tokio::spawn(async move {
                let service = Peer.serve(tokio::io::split(theirs)).await.expect("the client begins as it should");
                service.waiting().await.expect("the service ends as it should")
            });
            let (read, write) = tokio::io::split(ours);
            let builder = Client::connect(read, write);
            let client = match revision {
                Some(revision) => builder.revision(revision).await.unwrap(),
                None => builder.await.unwrap(),
            };
            visit(&client, revision.unwrap_or(Revision::NEWEST)).await;
            client.close().await;
            server.await.unwrap();
        }
    });
}

#[test]
fn the_rust_sdk_serves_the_client_over_http() {
    run(async {
        let service: StreamableHttpService<Peer, LocalSessionManager> =
            StreamableHttpService::new(|| Ok(Peer), Default::default(), StreamableHttpServerConfig::default());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let serving = axum::serve(listener, axum::Router::new().nest_service("/mcp", service));
        let server = tokio::spawn(serving.into_future());
        visit(&Client::http(&url).await.unwrap(), Revision::NEWEST).await;
        for revision in REVISIONS {
            visit(&Client::http(&url).revision(revision).await.unwrap(), revision).await;
        }
        server.abort();
    });
}
