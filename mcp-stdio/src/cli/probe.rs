//! A client in this very process: what a server says about itself, in its own words.

use std::sync::Arc;

use mcp_core::Server;
use mcp_core::protocol::Revision;
use mcp_core::transport::{Host, Message, Outbox, Reply, Session};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::error::Error;
use crate::host::runtime;
use crate::serve::TaskHost;

/// A session with the server, and the runtime on which its calls run.
pub(super) struct Probe {
    runtime: Runtime,
    session: Session,
}

impl Probe {
    pub(super) fn new(server: &Server, outbox: Arc<dyn Outbox>) -> Result<Probe, Error> {
        let runtime = runtime().map_err(Error::Start)?;
        let host: Arc<dyn Host> = {
            let _context = runtime.enter();
            Arc::new(TaskHost::new())
        };
        let session = server.session(host, outbox).negotiated(Revision::NEWEST_HANDSHAKE);
        Ok(Probe { runtime, session })
    }

    /// Sends a request and waits for its result, or for what went wrong.
    pub(super) fn request(&self, method: &str, params: &Value) -> Result<Value, String> {
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

    /// Ends it without waiting for anything that is stuck.
    pub(super) fn end(self) {
        self.runtime.shutdown_background();
    }
}

/// All that a list request gives, over all pages; nothing where the server has none of it.
pub(super) fn listed(server: &Server, method: &str, key: &str) -> Vec<Value> {
    let Ok(probe) = Probe::new(server, Arc::new(())) else {
        return Vec::new();
    };
    let (mut all, mut params) = (Vec::new(), json!({}));
    loop {
        let mut page = probe.request(method, &params).unwrap_or_default();
        if let Value::Array(more) = page[key].take() {
            all.extend(more);
        }
        match page["nextCursor"].take() {
            Value::Null => break,
            cursor => params = json!({"cursor": cursor}),
        }
    }
    probe.end();
    all
}

/// The tools as clients of the newest revision with a handshake see them.
pub(super) fn tools(server: &Server) -> Vec<Value> {
    match server.tools_list_result(Revision::NEWEST_HANDSHAKE)["tools"].take() {
        Value::Array(tools) => tools,
        _ => Vec::new(),
    }
}
