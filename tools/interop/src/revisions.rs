use std::collections::HashMap;

use serde_json::Value;

const STATELESS: &str = "2026-07-28";
const NEWEST_HANDSHAKE: &str = "2025-11-25";

/// Which revision is in force for which message: by handshake for the connection, or by the request itself.
#[derive(Default)]
pub(crate) struct Revisions {
    negotiated: Option<String>,
    open: HashMap<String, (String, Option<String>)>,
}

impl Revisions {
    /// Notes a message of the client.
    pub(crate) fn asked(&mut self, message: &Value) {
        let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) else {
            return;
        };
        let own = message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str();
        self.open.insert(id.to_string(), (method.to_owned(), own.map(str::to_owned)));
    }

    /// The method that a message of the server answers (empty for none), and the revision in which.
    pub(crate) fn of(&mut self, message: &Value) -> (String, String) {
        if message.get("method").is_some() {
            return (String::new(), self.negotiated.clone().unwrap_or_else(|| STATELESS.into()));
        }
        let id = message["id"].to_string();
        let (method, own) = self.open.remove(&id).unwrap_or_else(|| panic!("{message} answers nothing"));
        if method == "initialize" && message.get("result").is_some() {
            self.negotiated = message["result"]["protocolVersion"].as_str().map(str::to_owned);
        }
        let revision = own.or_else(|| self.negotiated.clone()).unwrap_or_else(|| NEWEST_HANDSHAKE.into());
        (method, revision)
    }
}
