//! A server that sends exactly the bytes that a test chooses.

use std::time::Duration;

use mcp_client::{Builder, Client, Recovery, Revision};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf};

/// The server's end of a connection.
pub(crate) struct Wire {
    read: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
}

impl Wire {
    /// Returns the id and the whole message of the next request. Notifications are skipped.
    pub(crate) async fn request(&mut self) -> (u64, Value) {
        loop {
            let message = self.message().await;
            if let (Some(id), true) = (message["id"].as_u64(), message.get("method").is_some()) {
                return (id, message);
            }
        }
    }

    /// Returns the next message of the client.
    pub(crate) async fn message(&mut self) -> Value {
        let mut line = String::new();
        assert_ne!(self.read.read_line(&mut line).await.expect("the client writes text"), 0, "the client is gone");
        serde_json::from_str(&line).expect("the client writes JSON")
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        // An error means that the client was dropped. The test checks that itself.
        let _ = self.write.write_all(bytes.as_ref()).await;
    }

    /// Sends one message.
    pub(crate) async fn line(&mut self, message: impl ToString) {
        self.send(format!("{}\n", message.to_string())).await;
    }

    pub(crate) async fn answer(&mut self, id: u64, result: Value) {
        self.line(json!({"jsonrpc": "2.0", "id": id, "result": result})).await;
    }

    /// Answers the next request with the text `good`, which proves that the connection still works.
    pub(crate) async fn answer_well(&mut self) {
        let (id, _) = self.request().await;
        self.answer(id, good()).await;
    }
}

/// Returns a valid result.
pub(crate) fn good() -> Value {
    json!({"content": [{"type": "text", "text": "good"}], "resultType": "complete"})
}

/// Returns a client that is not connected, and the server's end.
pub(crate) fn unconnected() -> (Builder, Wire) {
    let (ours, theirs) = tokio::io::duplex(64 << 10);
    let (read, write) = tokio::io::split(theirs);
    let (client_read, client_write) = tokio::io::split(ours);
    let builder = Client::connect(client_read, client_write).recovery(Recovery::off()).timeout(Duration::from_secs(30));
    (builder, Wire { read: BufReader::new(read), write })
}

/// Returns a client after a handshake.
pub(crate) async fn connected(options: impl FnOnce(Builder) -> Builder) -> (Client, Wire) {
    with_capabilities(json!({"tools": {}, "resources": {"subscribe": true}, "logging": {}}), options).await
}

pub(crate) async fn with_capabilities(capabilities: Value, options: impl FnOnce(Builder) -> Builder) -> (Client, Wire) {
    let (builder, mut wire) = unconnected();
    let connecting = tokio::spawn(options(builder.revision(Revision::V2025_11_25)).into_future());
    let (id, _) = wire.request().await;
    wire.answer(id, json!({"protocolVersion": "2025-11-25", "capabilities": capabilities})).await;
    assert_eq!(wire.message().await["method"], "notifications/initialized");
    (connecting.await.unwrap().unwrap(), wire)
}

/// Returns a stateless client.
pub(crate) async fn stateless(options: impl FnOnce(Builder) -> Builder) -> (Client, Wire) {
    let (builder, mut wire) = unconnected();
    let connecting = tokio::spawn(options(builder.revision(Revision::NEWEST)).into_future());
    let (id, _) = wire.request().await;
    let discovered = json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "resultType": "complete"});
    wire.answer(id, discovered).await;
    (connecting.await.unwrap().unwrap(), wire)
}

/// Calls the tool `t`.
pub(crate) fn call(client: &Client) -> tokio::task::JoinHandle<Result<mcp_client::ToolResult, mcp_client::CallError>> {
    tokio::spawn(client.call("t", ()).into_future())
}

/// Checks that the connection still works.
pub(crate) async fn still_works(client: &Client, wire: &mut Wire) {
    let call = call(client);
    wire.answer_well().await;
    assert_eq!(call.await.unwrap().unwrap().to_text(), "good");
}
