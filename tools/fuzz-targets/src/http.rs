//! Raw bytes at the listener of an HTTP server: it answers with HTTP or not at all, and continues to serve others.

use std::net::SocketAddr;
use std::sync::LazyLock;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use mcp_core::{Server, ToolSpec, tool_fn};
use mcp_http::Http;
use serde_json::{Value, json};

use crate::sockets::{exchange, request, statuses};

/// A server in a thread of its own, for all inputs.
static ADDRESS: LazyLock<SocketAddr> = LazyLock::new(|| {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let echo = tool_fn(
                ToolSpec::new("echo", "Return the arguments.")
                    .input_schema(json!({"type": "object", "properties": {"a": {}}})),
                |arguments: Value, _| async move { arguments.to_string() },
            );
            let http = Http::new().with_sse().header_timeout(Duration::from_secs(5)).body_timeout(Duration::from_secs(5));
            let listener = http.listen(Server::builder("fuzzed", "1.0.0").tools(echo), "127.0.0.1:0").await.expect("a port");
            sender.send(listener.address()).expect("the caller waits");
            listener.serve_until(std::future::pending::<()>()).await;
        });
    });
    receiver.recv().expect("the address of the server")
});

/// A request that every server of this project answers.
static VALID: LazyLock<String> = LazyLock::new(|| {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}).to_string();
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
        accept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: tools/list\r\n";
    format!("{head}content-length: {}\r\n\r\n{body}", body.len())
});

/// The input is what a client sends over one connection.
///
/// # Panics
/// If the output is not HTTP, has an impossible status, or if the next client is not served.
pub fn http(data: &[u8]) {
    let output = exchange(*ADDRESS, data);
    for status in statuses(&output) {
        assert!((100..=503).contains(&status), "status {status}: {}", String::from_utf8_lossy(&output));
        assert!(status != 500, "an internal error: {}", String::from_utf8_lossy(&output));
    }
    let response = request(*ADDRESS, VALID.as_bytes());
    assert!(
        response.starts_with("HTTP/1.1 200") && response.contains("\"echo\""),
        "the next client is not served: {response}"
    );
}
