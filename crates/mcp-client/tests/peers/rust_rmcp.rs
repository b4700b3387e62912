//! The official Rust SDK, over stdio and over HTTP.

use std::process::Command;

use interop::example_of;
use mcp_client::{Client, Revision};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;

use crate::rmcp_peer::Peer;
use crate::{process, run};

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
fn the_rust_sdk_serves_the_client_over_stdio() {
    let program = example_of("mcp-client", "rmcp_server");
    run(async {
        for revision in REVISIONS.into_iter().map(Some).chain([None]) {
            let builder = process(Command::new(&program));
            let client = match revision {
                Some(revision) => builder.revision(revision).await.unwrap(),
                None => builder.await.unwrap(),
            };
            visit(&client, revision.unwrap_or(Revision::NEWEST)).await;
            client.close().await;
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
