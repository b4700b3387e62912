use std::collections::HashMap;

use serde_json::Value;

const STATELESS: &str = "2026-07-28";
const NEWEST_HANDSHAKE: &str = "2025-11-25";

/// Finds the revision of each message: a request can name it, otherwise the handshake of the connection decides.
#[derive(Default)]
pub(crate) struct Revisions {
    negotiated: Option<String>,
    pending: HashMap<String, (String, Option<String>)>,
}

impl Revisions {
    /// Takes a message of the client.
    pub(crate) fn client_sent(&mut self, message: &Value) {
        let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) else {
            return;
        };
        let own = message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str();
        self.pending.insert(id.to_string(), (method.to_owned(), own.map(str::to_owned)));
    }

    /// Takes a message of the server. Returns the method of the request that it answers (empty if it is not a response), and
    /// its revision.
    pub(crate) fn server_sent(&mut self, message: &Value) -> (String, String) {
        if message.get("method").is_some() {
            return (String::new(), self.negotiated.clone().unwrap_or_else(|| STATELESS.into()));
        }
        let id = message["id"].to_string();
        let (method, own) = self.pending.remove(&id).unwrap_or_else(|| panic!("response without a request: {message}"));
        if method == "initialize" && message.get("result").is_some() {
            self.negotiated = message["result"]["protocolVersion"].as_str().map(str::to_owned);
        }
        let revision = own.or_else(|| self.negotiated.clone()).unwrap_or_else(|| NEWEST_HANDSHAKE.into());
        (method, revision)
    }
}
