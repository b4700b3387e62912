//! crates.io `rmcp`, the official Rust SDK, over stdio, in its three modes and every revision that it supports.

use std::time::Duration;

use interop::Recording;
use rmcp::{
    RoleClient, ServiceError,
    model::{
        CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ClientRequest, Implementation, PingRequest,
        ProtocolVersion,
    },
    service::{ClientLifecycleMode, ClientServiceExt, RunningService},
    transport::{IntoTransport, TokioChildProcess},
};
use serde_json::{Value, json};
use tokio::{process::Command, runtime, time};

use crate::{HANDSHAKE, STATELESS, client_report::ClientReport, recorded, sandbox};

/// The version that the manifest of the workspace pins.
pub(crate) const VERSION: &str = "3.8.0";

type Client = RunningService<RoleClient, ClientConfig>;

#[test]
fn the_rust_sdk_requests_a_stateless_revision_in_a_handshake_and_gets_the_newest_handshake_revision() {
    let recording = run_client(ClientLifecycleMode::Initialize, STATELESS, HANDSHAKE);
    recorded::assert_handshake(&recording);
}

#[test]
fn the_rust_sdk_gets_each_handshake_revision_that_it_requests() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", HANDSHAKE] {
        let recording = run_client(ClientLifecycleMode::Initialize, revision, revision);
        recorded::assert_handshake(&recording);
    }
}

#[test]
fn the_rust_sdk_discovers_the_stateless_revision_and_uses_it() {
    let lifecycle = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    recorded::assert_stateless(&run_client(lifecycle, STATELESS, STATELESS));
}

#[test]
fn the_rust_sdk_in_auto_mode_finds_the_stateless_revision_and_uses_it() {
    let lifecycle =
        ClientLifecycleMode::Auto { preferred_versions: vec![ProtocolVersion::V_2026_07_28], legacy_version: None };
    recorded::assert_stateless(&run_client(lifecycle, STATELESS, STATELESS));
}

/// Runs a client that requests the revision `wanted` and must negotiate `agreed`.
fn run_client(lifecycle: ClientLifecycleMode, wanted: &str, agreed: &str) -> Recording {
    let mode = match lifecycle {
        ClientLifecycleMode::Initialize => "initialize",
        ClientLifecycleMode::Discover { .. } => "discover",
        _ => "auto",
    };
    let sandbox = sandbox(&format!("rust-rmcp-{mode}-{wanted}"));
    let seen = finished(async {
        let [recorder, arguments @ ..] = sandbox.server();
        let mut command = Command::from(sandbox.command(recorder.as_ref()));
        command.args(arguments);
        let transport = TokioChildProcess::new(command).expect("the server starts");
        report(transport, config(wanted), lifecycle).await
    });
    let report = ClientReport::from_json(seen);
    report.assert_complete(VERSION, agreed);
    report.assert_server_info();
    recorded::assert_recorded(&sandbox)
}

/// Runs a client to its end, with a time limit.
pub(crate) fn finished(client: impl Future<Output = Value>) -> Value {
    let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { time::timeout(Duration::from_secs(180), client).await.expect("the client finishes") })
}

/// The configuration of a client that requests the revision `wanted`.
pub(crate) fn config(wanted: &str) -> ClientConfig {
    let wanted: ProtocolVersion = serde_json::from_value(json!(wanted)).expect("a revision is a string");
    ClientConfig::new(ClientCapabilities::default(), Implementation::new("interop-rmcp", "1.0.0"))
        .with_protocol_version(wanted)
}

/// What a client gets from the calculator.
pub(crate) async fn report<T, E, A>(transport: T, config: ClientConfig, lifecycle: ClientLifecycleMode) -> Value
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let client = config.serve_with_lifecycle(transport, lifecycle).await.expect("the server accepts the connection");

    let peer = client.peer_info().expect("the server sends its name");
    let tools = client.list_all_tools().await.expect("the server lists its tools");
    let ping = client.send_request(ClientRequest::PingRequest(PingRequest::default())).await;
    let report = json!({
        "client": VERSION,
        "revision": peer.protocol_version,
        "server": peer.server_info,
        "capabilities": peer.capabilities,
        "tools": tools,
        "add": result_of(&client, "add", json!({"a": 2, "b": 3})).await,
        "divide": result_of(&client, "divide", json!({"a": 1, "b": 0})).await,
        "statistics": result_of(&client, "statistics", json!({"numbers": [1, 2, 6]})).await,
        "wrong_arguments": result_of(&client, "add", json!({"a": "two", "b": 3})).await,
        "unknown_tool": error_of(call(&client, "no_such_tool", json!({})).await.map(|result| json!(result))),
        "ping": error_of(ping.map(|result| json!(result))),
    });
    client.cancel().await.expect("the client closes");
    report
}

async fn call(client: &Client, name: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
    let arguments = arguments.as_object().expect("arguments are an object").clone();
    client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments)).await
}

async fn result_of(client: &Client, name: &'static str, arguments: Value) -> Value {
    let result = json!(call(client, name, arguments).await.expect("the server responds"));
    let texts: Vec<_> =
        result["content"].as_array().into_iter().flatten().filter_map(|block| block["text"].as_str()).collect();
    json!({
        "is_error": result["isError"].as_bool().unwrap_or(false),
        "text": texts.join("\n"),
        "structured": result["structuredContent"],
    })
}

fn error_of(response: Result<Value, ServiceError>) -> Value {
    match response {
        Ok(result) => json!({"result": result}),
        Err(ServiceError::McpError(error)) => json!({"code": error.code, "message": error.message}),
        Err(error) => panic!("the connection failed: {error}"),
    }
}
