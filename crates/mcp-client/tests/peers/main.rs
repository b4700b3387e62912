//! The client against the official servers, and in the official conformance suite.

mod conformance;
mod everything;
mod python;
mod rmcp_client;
mod rmcp_peer;
mod rust_rmcp;
mod server;
mod this_project;
mod typescript;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use interop::Sandbox;
use mcp_client::{Builder, Client, Revision};
use serde_json::json;

use crate::server::Server;

/// Far above the time that a loaded machine needs, so only a client that hangs reaches it.
const LIMIT: Duration = Duration::from_secs(120);

/// A fresh place for one test, in which no witness and no server of this workspace is used.
fn sandbox(name: &str) -> Sandbox {
    Sandbox::new(&format!("client-{name}"), "", Path::new(""))
}

/// Runs a test on a runtime of its own, after what blocks.
fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { tokio::time::timeout(LIMIT, test).await.expect("the client hangs") })
}

/// A client of a server process. The variables of the sandbox are set on the command, and nothing else is inherited.
fn process(command: Command) -> Builder {
    patient(Client::spawn(command))
}

/// Waits longer than by default for the response to `server/discover`, so that a slow start of the server does not change the
/// revision.
fn patient(client: Builder) -> Builder {
    client.probe_timeout(LIMIT).connect_timeout(LIMIT)
}

/// A client of a server over HTTP, once it listens.
async fn over_http(server: &Server, options: impl Fn(String) -> Builder) -> Client {
    loop {
        match patient(options(server.url.clone())).await {
            Ok(client) => return client,
            Err(mcp_client::ConnectError::Network(_)) => tokio::time::sleep(Duration::from_millis(50)).await,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Checks the results that every test server in another language must return.
async fn visit(client: &Client, name: &str, revision: Revision) {
    let server = client.server().await.unwrap();
    assert_eq!((server.implementation.unwrap().name.as_str(), server.revision), (name, revision));
    let tools = client.tools().all().await.unwrap();
    assert_eq!(tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["add", "fail"], "{name} {revision}");
    let result = client.call("add", json!({"a": 2, "b": 3})).await.unwrap();
    assert_eq!(result.to_text(), "5", "{name} {revision}");
    let failed = client.call("fail", ()).await.unwrap();
    // Some servers do not send the cause.
    assert!(failed.is_error && !failed.to_text().is_empty(), "{name} {revision}: {failed:?}");
    let unknown = client.call("no_such_tool", ()).await;
    assert!(unknown.is_err() || unknown.is_ok_and(|result| result.is_error));
    let wrong = client.call("add", json!({"a": "two"})).await;
    assert!(wrong.is_err() || wrong.is_ok_and(|result| result.is_error));
    let resources = client.resources().all().await.unwrap();
    let contents = client.read(&resources[0].uri).await.unwrap();
    assert_eq!(contents[0].text.as_deref(), Some("hello"), "{name} {revision}");
    assert!(client.read("board://missing").await.is_err());
    let prompt = client.prompt("review", [("code", "x = 1")]).await.unwrap();
    assert_eq!(prompt.messages[0].content.as_text(), Some("Review: x = 1"));
    client.ping().await.unwrap();
    for number in 0..20 {
        let result = client.call("add", json!({"a": number, "b": 1})).await.unwrap();
        assert_eq!(result.to_text(), (number + 1).to_string(), "{name} {revision}");
    }
}
