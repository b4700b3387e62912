//! A client in the same process, connected to the server without a transport.

use std::io;
use std::sync::Arc;

use mcp_core::Server;
use mcp_core::protocol::Revision;
use mcp_core::transport::{Message, Outbox, Reply, Session};
use mcp_tokio::TokioHost;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

/// The worker threads of the runtime: two, so that a call that blocks one of them does not stop timers and tasks.
const WORKERS: usize = 2;

/// A session with the server, and the runtime that runs its calls.
pub(crate) struct LocalClient {
    runtime: Runtime,
    session: Session,
}

impl LocalClient {
    /// Opens a session. Notifications of the server go to `outbox`.
    pub(crate) fn new(server: &Server, outbox: Arc<dyn Outbox>) -> io::Result<LocalClient> {
        let runtime = Builder::new_multi_thread().worker_threads(WORKERS).enable_all().build()?;
        let host = Arc::new(TokioHost::on(runtime.handle().clone()));
        let session = server.session(host, outbox).negotiated(Revision::NEWEST_HANDSHAKE);
        Ok(LocalClient { runtime, session })
    }

    /// Sends a request and waits for its result. The error is the message of the JSON-RPC error.
    pub(crate) fn request(&self, method: &str, params: &Value) -> Result<Value, String> {
        let _context = self.runtime.enter();
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let response = match self.session.receive(Message::parse_text(&request)) {
            Reply::None => None,
            Reply::Now(response) => Some(response),
            Reply::Later(later) => self.runtime.block_on(later),
        };
        let mut reply: Value =
            response.and_then(|response| serde_json::from_str(&response.to_json()).ok()).unwrap_or_default();
        match reply["error"]["message"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(reply["result"].take()),
        }
    }

    /// Shuts the runtime down without waiting for work that is still running.
    pub(crate) fn shut_down(self) {
        self.runtime.shutdown_background();
    }
}

/// Returns the entries of all pages of a list request. Empty if the server does not support the method.
fn list_all(server: &Server, method: &str, key: &str) -> Vec<Value> {
    let Ok(client) = LocalClient::new(server, Arc::new(())) else {
        return Vec::new();
    };
    let (mut all, mut params) = (Vec::new(), json!({}));
    loop {
        let mut page = client.request(method, &params).unwrap_or_default();
        if let Value::Array(more) = page[key].take() {
            all.extend(more);
        }
        match page["nextCursor"].take() {
            Value::Null => break,
            cursor => params = json!({"cursor": cursor}),
        }
    }
    client.shut_down();
    all
}

/// Returns the prompts.
pub(crate) fn prompts(server: &Server) -> Vec<Value> {
    list_all(server, "prompts/list", "prompts")
}

/// Returns the resources with a fixed URI.
pub(crate) fn resources(server: &Server) -> Vec<Value> {
    list_all(server, "resources/list", "resources")
}

/// Returns the resource templates.
pub(crate) fn resource_templates(server: &Server) -> Vec<Value> {
    list_all(server, "resources/templates/list", "resourceTemplates")
}

/// Returns the tools as clients of the newest revision with a handshake see them.
pub(crate) fn tools(server: &Server) -> Vec<Value> {
    match server.tools_list_result(Revision::NEWEST_HANDSHAKE)["tools"].take() {
        Value::Array(tools) => tools,
        _ => Vec::new(),
    }
}
