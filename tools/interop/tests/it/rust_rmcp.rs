//! crates.io `rmcp`, the official Rust SDK, as a client over a child process, in its three modes and every revision that it speaks.

use std::time::Duration;

use interop::Conversation;
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

use crate::{HANDSHAKE, STATELESS, sandbox, visit::Visit, wire};

/// The version that the manifest of the workspace pins.
pub(crate) const VERSION: &str = "3.8.0";

type Client = RunningService<RoleClient, ClientConfig>;

#[test]
fn the_rust_sdk_asks_for_more_than_a_handshake_gives_and_takes_the_newest_that_it_does() {
    let conversation = visited(ClientLifecycleMode::Initialize, STATELESS, HANDSHAKE);
    wire::assert_handshake(&conversation);
}

#[test]
fn the_rust_sdk_gets_each_handshake_revision_that_it_asks_for() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", HANDSHAKE] {
        let conversation = visited(ClientLifecycleMode::Initialize, revision, revision);
        wire::assert_handshake(&conversation);
    }
}

#[test]
fn the_rust_sdk_discovers_the_stateless_revision_and_uses_it() {
    let lifecycle = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    wire::assert_stateless(&visited(lifecycle, STATELESS, STATELESS));
}

#[test]
fn the_rust_sdk_in_auto_mode_finds_the_stateless_revision_and_uses_it() {
    let lifecycle =
        ClientLifecycleMode::Auto { preferred_versions: vec![ProtocolVersion::V_2026_07_28], legacy_version: None };
    wire::assert_stateless(&visited(lifecycle, STATELESS, STATELESS));
}

/// A visit by a client that asks for `wanted` and must end up with `agreed`.
fn visited(lifecycle: ClientLifecycleMode, wanted: &str, agreed: &str) -> Conversation {
    let mode = match lifecycle {
        ClientLifecycleMode::Initialize => "initialize",
        ClientLifecycleMode::Discover { .. } => "discover",
        _ => "auto",
    };
    let sandbox = sandbox(&format!("rust-rmcp-{mode}-{wanted}"));
    let seen = finished(async {
        let [witness, arguments @ ..] = sandbox.server();
        let mut command = Command::from(sandbox.command(witness.as_ref()));
        command.args(arguments);
        let transport = TokioChildProcess::new(command).expect("the server starts");
        report(transport, config(wanted), lifecycle).await
    });
    let visit = Visit::reported(seen);
    visit.assert_complete(VERSION, agreed);
    visit.assert_introduced();
    wire::assert_visited(&sandbox)
}

/// What comes of a visit, which must end some time.
pub(crate) fn finished(visit: impl Future<Output = Value>) -> Value {
    let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { time::timeout(Duration::from_secs(180), visit).await.expect("the client runs to its end") })
}

/// A client that asks for that revision.
pub(crate) fn config(wanted: &str) -> ClientConfig {
    let wanted: ProtocolVersion = serde_json::from_value(json!(wanted)).expect("a revision is text");
    ClientConfig::new(ClientCapabilities::default(), Implementation::new("interop-rmcp", "1.0.0"))
        .with_protocol_version(wanted)
}

/// What a client sees of the calculator.
pub(crate) async fn report<T, E, A>(transport: T, config: ClientConfig, lifecycle: ClientLifecycleMode) -> Value
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let client = config.serve_with_lifecycle(transport, lifecycle).await.expect("the server opens");

    let peer = client.peer_info().expect("the server introduces itself");
    let tools = client.list_all_tools().await.expect("the server lists its tools");
    let ping = client.send_request(ClientRequest::PingRequest(PingRequest::default())).await;
    let report = json!({
        "client": VERSION,
        "revision": peer.protocol_version,
        "server": peer.server_info,
        "capabilities": peer.capabilities,
        "tools": tools,
        "add": told(&client, "add", json!({"a": 2, "b": 3})).await,
        "divide": told(&client, "divide", json!({"a": 1, "b": 0})).await,
        "statistics": told(&client, "statistics", json!({"numbers": [1, 2, 6]})).await,
        "wrong_arguments": told(&client, "add", json!({"a": "two", "b": 3})).await,
        "unknown_tool": refusal(call(&client, "no_such_tool", json!({})).await.map(|answer| json!(answer))),
        "ping": refusal(ping.map(|answer| json!(answer))),
    });
    client.cancel().await.expect("the client closes");
    report
}

async fn call(client: &Client, name: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
    let arguments = arguments.as_object().expect("arguments are an object").clone();
    client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments)).await
}

async fn told(client: &Client, name: &'static str, arguments: Value) -> Value {
    let answer = json!(call(client, name, arguments).await.expect("the server answers"));
    let texts: Vec<_> =
        answer["content"].as_array().into_iter().flatten().filter_map(|block| block["text"].as_str()).collect();
    json!({
        "is_error": answer["isError"].as_bool().unwrap_or(false),
        "text": texts.join("\n"),
        "structured": answer["structuredContent"],
    })
}

fn refusal(answer: Result<Value, ServiceError>) -> Value {
    match answer {
        Ok(answer) => json!({"answered": answer}),
        Err(ServiceError::McpError(error)) => json!({"code": error.code, "message": error.message}),
        Err(error) => panic!("the connection failed: {error}"),
    }
}
