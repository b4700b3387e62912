//! Mounts a [`Server`] of mcp-core.

use std::sync::Arc;

use mcp_core::Server;
use mcp_core::protocol::Revision;
use mcp_core::transport::{Message, Outbox, Outgoing, Reply, Session};
use mcp_tokio::TokioHost;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use tokio::runtime::Handle;

use super::{Manifest, Mount, Mounted, Received, ToCli};

/// The protocol revision that the CLI uses for mounted servers: that of the manifest and of the session.
const REVISION: Revision = Revision::NEWEST_HANDSHAKE;

impl Mount for Server {
    fn manifest(&self) -> Result<Manifest, serde_json::Error> {
        Ok(Manifest {
            initialize_result: to_raw_value(&self.initialize_result(REVISION))?,
            tools_list_result: to_raw_value(&self.tools_list_result(REVISION))?,
        })
    }

    fn open(&self, to_cli: ToCli) -> Arc<dyn Mounted> {
        let host = Arc::new(TokioHost::on(Handle::current()));
        // With a manifest the CLI skips the handshake. If it sends one anyway, the session negotiates again.
        Arc::new(self.session(host, Arc::new(CliOutbox(to_cli))).negotiated(REVISION))
    }
}

impl Mounted for Session {
    fn receive(&self, message: &RawValue) -> Received {
        let completed = with_protocol_version(message);
        let message = completed.as_deref().unwrap_or(message);
        match Session::receive(self, Message::parse_text(message.get())) {
            Reply::None => Received::Nothing,
            Reply::Now(response) => Received::Now(response),
            Reply::Later(later) => Received::Later(Box::pin(later)),
        }
    }
}

/// Completes an `initialize` without a protocol version, which some versions of the CLI send to mounted servers. Returns
/// `None` for every other message.
fn with_protocol_version(message: &RawValue) -> Option<Box<RawValue>> {
    // Decoding every message a second time would be wasteful: only a handshake has this text.
    if !message.get().contains("\"initialize\"") || message.get().contains("\"protocolVersion\"") {
        return None;
    }
    let mut completed: Map<String, Value> = serde_json::from_str(message.get()).ok()?;
    if completed.get("method")? != "initialize" {
        return None;
    }
    let params = completed.entry("params").or_insert_with(|| Value::Object(Map::new()));
    params.as_object_mut()?.insert("protocolVersion".to_owned(), REVISION.as_str().into());
    to_raw_value(&completed).ok()
}

/// Sends notifications and requests of the server to the CLI.
struct CliOutbox(ToCli);

impl Outbox for CliOutbox {
    fn send(&self, message: Outgoing) {
        let text = String::from_utf8(message.into_bytes()).unwrap_or_default();
        match RawValue::from_string(text) {
            Ok(message) => (self.0)(message),
            Err(error) => tracing::error!(%error, "a message of a mounted server is not valid JSON"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_core::{Context, tool, tools};
    use serde_json::json;
    use std::sync::Mutex;

    /// Add two numbers.
    #[tool]
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    /// Wait until cancelled.
    #[tool]
    async fn wait(context: &Context) -> &'static str {
        context.progress(1, 2, "waiting");
        context.cancelled().await;
        "cancelled"
    }

    type Said = Arc<Mutex<Vec<Value>>>;

    fn mounted() -> (Arc<dyn Mounted>, Said) {
        let server = Server::builder("calc", "1.0.0").tools(tools![add, wait]).build().unwrap();
        let said = Said::default();
        let log = Arc::clone(&said);
        let mounted = Mount::open(
            &server,
            Arc::new(move |message| {
                log.lock().unwrap().push(serde_json::from_str(message.get()).unwrap());
            }),
        );
        (mounted, said)
    }

    async fn receive(mounted: &Arc<dyn Mounted>, message: Value) -> Option<Value> {
        let response = match mounted.receive(&to_raw_value(&message).unwrap()) {
            Received::Nothing => None,
            Received::Now(response) => Some(response),
            Received::Later(later) => later.await,
        };
        response.map(|response| serde_json::from_str(&response.to_json()).unwrap())
    }

    #[tokio::test]
    async fn a_tool_can_be_called_without_a_handshake() {
        let (mounted, _) = mounted();
        let call = json!({"jsonrpc": "2.0", "id": 0, "method": "tools/call",
            "params": {"name": "add", "arguments": {"a": 2, "b": 3}, "_meta": {"claudecode/toolUseId": "t", "progressToken": 2}}});
        let response = receive(&mounted, call).await.expect("a response");
        assert_eq!(response["id"], 0);
        assert_eq!(response["result"]["content"][0]["text"], "5");
    }

    #[tokio::test]
    async fn a_handshake_is_answered_too() {
        let (mounted, _) = mounted();
        let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "claude-code", "version": "2"}}});
        let response = receive(&mounted, initialize).await.expect("a response");
        assert_eq!(response["result"]["protocolVersion"], "2025-11-25");
        assert_eq!(receive(&mounted, json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await, None);
        let list = receive(&mounted, json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await.expect("a response");
        assert_eq!(list["result"]["tools"][0]["name"], "add");
    }

    #[tokio::test]
    async fn a_handshake_without_a_protocol_version_is_answered() {
        let (mounted, _) = mounted();
        for params in [json!({}), json!({"capabilities": {}, "clientInfo": {"name": "claude-code", "version": "2"}})] {
            let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
            let response = receive(&mounted, initialize).await.expect("a response");
            assert_eq!(response["result"]["protocolVersion"], "2025-11-25", "{response}");
        }
        // Arguments that only look like it are not changed.
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "add", "arguments": {"a": 2, "b": 3}, "_meta": {"x": "initialize"}}});
        assert_eq!(receive(&mounted, call).await.expect("a response")["result"]["content"][0]["text"], "5");
    }

    #[tokio::test]
    async fn a_cancelled_call_has_no_response() {
        let (mounted, _) = mounted();
        let call = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call",
            "params": {"name": "wait", "arguments": {}, "_meta": {"progressToken": 1}}});
        let Received::Later(later) = mounted.receive(&to_raw_value(&call).unwrap()) else { panic!("not later") };
        let later = tokio::spawn(later);
        tokio::task::yield_now().await;
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}});
        assert_eq!(receive(&mounted, cancel).await, None);
        assert!(later.await.unwrap().is_none());
    }

    #[test]
    fn a_manifest_equals_the_results_of_the_handshake() {
        let server = Server::builder("calc", "1.0.0").tools(tools![add]).build().unwrap();
        let manifest = serde_json::to_value(Mount::manifest(&server).unwrap()).unwrap();
        assert_eq!(manifest["initializeResult"]["protocolVersion"], "2025-11-25");
        assert_eq!(manifest["initializeResult"]["serverInfo"]["name"], "calc");
        assert_eq!(manifest["toolsListResult"]["tools"][0]["name"], "add");
        assert_eq!(manifest["toolsListResult"]["tools"][0]["inputSchema"]["type"], "object");
    }
}
