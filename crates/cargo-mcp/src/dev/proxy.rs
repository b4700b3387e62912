//! Rewrites messages so that the client sees one server while processes are replaced.

use std::collections::{HashMap, HashSet};

use mcp_core::protocol::Implementation;
use mcp_core::transport::{Code, PROTOCOL_VERSION, RpcError, SUBSCRIPTION_ID};
use serde_json::{Map, Value, json};

use super::before_first_build;
use crate::tell;

/// The id of the `initialize` request that is repeated with a new process. Its response is not forwarded to the client.
const HANDSHAKE_ID: &str = "cargo-mcp-handshake";

/// The lists that may differ in a new process: the name in the capabilities, and the key in `subscriptions/listen`.
const LISTS: [(&str, &str); 3] =
    [("tools", "toolsListChanged"), ("prompts", "promptsListChanged"), ("resources", "resourcesListChanged")];

/// The state of the conversation that a new process needs.
#[derive(Debug, Default)]
pub(super) struct Proxy {
    /// The client's `initialize` and its `notifications/initialized`.
    initialize: Option<Value>,
    initialized: Option<String>,
    /// The client has received the response to `initialize`.
    handshake_done: bool,
    /// The revision that this proxy agreed on with the client, because there was no server yet.
    promised: Option<String>,
    /// Messages that arrived while there was no process.
    held: Vec<String>,
    /// Pending requests by id.
    open: HashMap<String, Open>,
    /// Subscriptions that the server does not support, by id. This proxy serves them.
    kept: HashSet<String>,
    /// The process that receives the messages of the client.
    current: u64,
}

/// A request without a response.
#[derive(Debug)]
struct Open {
    request: Value,
    /// The process that it was sent to.
    process: Option<u64>,
}

impl Open {
    fn is_subscription(&self) -> bool {
        self.request["method"] == "subscriptions/listen"
    }

    /// Returns whether a subscription includes the changes of this list.
    fn wants(&self, key: &str) -> bool {
        self.request["params"]["notifications"][key] == true
    }
}

impl Proxy {
    /// Records a message of the client that was sent to `process`.
    pub(super) fn client_message(&mut self, line: &str, process: Option<u64>) {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            return;
        };
        let messages = message.as_array().map_or(std::slice::from_ref(&message), Vec::as_slice);
        for message in messages {
            match (message["method"].as_str(), message.get("id")) {
                (Some(method), Some(id)) => {
                    if method == "initialize" {
                        (self.initialize, self.handshake_done) = (Some(message.clone()), false);
                    }
                    self.open.insert(id.to_string(), Open { request: message.clone(), process });
                }
                (Some("notifications/initialized"), None) => self.initialized = Some(line.to_owned()),
                // A cancelled request gets no response.
                (Some("notifications/cancelled"), None) => {
                    let id = message["params"]["requestId"].to_string();
                    self.open.remove(&id);
                    self.kept.remove(&id);
                }
                _ => {}
            }
        }
    }

    /// Answers a message that arrives before the first process, or keeps it for that process.
    pub(super) fn early_message(&mut self, line: &str, server: &Implementation) -> Option<String> {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        match message["method"].as_str() {
            Some("initialize") if message.get("id").is_some() => {
                let answer = before_first_build::handshake(&message, server);
                self.promised = answer["result"]["protocolVersion"].as_str().map(str::to_owned);
                self.handshake_done = true;
                self.open.remove(&message["id"].to_string());
                return Some(answer.to_string());
            }
            // It is sent after the handshake with the first process.
            Some("notifications/initialized") if self.handshake_done => {}
            _ => self.queue(line),
        }
        None
    }

    /// Answers the kept requests for which `answer` has an answer without a server.
    pub(super) fn answer_kept(&mut self, answer: impl Fn(&Value) -> Option<Value>) -> Vec<String> {
        let mut answers = Vec::new();
        self.held.retain(|line| {
            let request: Value = serde_json::from_str(line).unwrap_or_default();
            let id = request["id"].to_string();
            // A cancelled request gets no answer.
            let found = answer(&request).filter(|_| self.open.remove(&id).is_some());
            answers.extend(found.as_ref().map(Value::to_string));
            found.is_none()
        });
        answers
    }

    /// Keeps a message for the next process.
    pub(super) fn queue(&mut self, line: &str) {
        self.held.push(line.to_owned());
    }

    /// Returns the first messages for a new process: the handshake if the client has completed it, kept messages, and open
    /// subscriptions.
    pub(super) fn messages_for_new_process(&mut self, process: u64) -> Vec<String> {
        self.current = process;
        let mut lines = Vec::new();
        if let (Some(initialize), true) = (&self.initialize, self.handshake_done) {
            let mut again = initialize.clone();
            again["id"] = json!(HANDSHAKE_ID);
            lines.push(again.to_string());
            lines.extend(self.initialized.clone());
        }
        lines.append(&mut self.held);
        for open in self.open.values_mut() {
            // The new process must know the subscriptions of the client.
            if open.is_subscription() && open.process.is_some_and(|before| before != process) {
                open.process = Some(process);
                lines.push(open.request.to_string());
            }
            open.process.get_or_insert(process);
        }
        lines
    }

    /// Returns notifications for a new process to clients without a handshake: on each subscription, its list changes.
    pub(super) fn change_notifications(&self) -> Vec<String> {
        let subscriptions = self.open.values().filter(|open| open.is_subscription());
        let changes = subscriptions.flat_map(|open| {
            LISTS.into_iter().filter(|(_, key)| open.wants(key)).map(|(list, _)| {
                let params = json!({"_meta": {SUBSCRIPTION_ID: open.request["id"]}});
                json!({"jsonrpc": "2.0", "method": format!("notifications/{list}/list_changed"), "params": params})
                    .to_string()
            })
        });
        changes.collect()
    }

    /// Handles a message of a process. Returns the messages for the client.
    pub(super) fn server_message(&mut self, process: u64, line: &str) -> Vec<String> {
        let Ok(mut message) = serde_json::from_str::<Value>(line) else {
            return Vec::new();
        };
        if message["id"] == HANDSHAKE_ID && message.get("method").is_none() {
            if let (Some(promised), agreed) = (&self.promised, &message["result"]["protocolVersion"])
                && agreed != promised
            {
                tell(&format!("the client uses revision {promised}, but the server answered the handshake with {message}"));
            }
            // The handshake with the new process is complete, so the client can now request the new lists.
            return self.list_changed_notifications();
        }
        if message.get("method").is_some() {
            // Requests and notifications of a process that was replaced are dropped.
            return if process == self.current { vec![self.notification_from_server(&message, line)] } else { Vec::new() };
        }
        if let Some(messages) = self.keep(process, &message) {
            return messages;
        }
        if let Some(nothing) = self.promised_nothing(process, &message) {
            return vec![nothing];
        }
        let answers = message.as_array().map_or(std::slice::from_ref(&message), Vec::as_slice);
        let ids: Vec<String> = answers.iter().map(|answer| answer["id"].to_string()).collect();
        // A subscription that was moved to the next process does not end with this one.
        if ids.iter().any(|id| self.open.get(id).is_some_and(|open| open.process.is_some_and(|asked| asked != process))) {
            return Vec::new();
        }
        if self.initialize.as_ref().is_some_and(|asked| asked["id"] == message["id"]) {
            self.handshake_done = true;
        }
        for id in ids {
            self.open.remove(&id);
        }
        vec![if promise_changes(&mut message) { message.to_string() } else { line.to_owned() }]
    }

    /// Replaces the error of a server that does not have what this proxy has declared in its place.
    fn promised_nothing(&mut self, process: u64, answer: &Value) -> Option<String> {
        self.promised.as_ref()?;
        let (id, open) = self.refused(process, answer)?;
        let nothing = before_first_build::nothing(&open.request)?;
        self.open.remove(&id);
        Some(nothing.to_string())
    }

    /// Returns the request that this process does not know, and its id as JSON.
    fn refused(&self, process: u64, answer: &Value) -> Option<(String, &Open)> {
        let id = answer["id"].to_string();
        let open = self.open.get(&id)?;
        let is_unknown = answer["error"]["code"] == json!(Code::METHOD_NOT_FOUND);
        (is_unknown && open.process == Some(process)).then_some((id, open))
    }

    /// Acknowledges a subscription that the server does not support, once. A static server has no list changes, but this
    /// proxy replaces it, so the lists do change.
    fn keep(&mut self, process: u64, answer: &Value) -> Option<Vec<String>> {
        let (id, open) = self.refused(process, answer)?;
        // Clients with a handshake have no subscriptions.
        if !open.is_subscription() || !open.request["params"]["_meta"][PROTOCOL_VERSION].is_string() {
            return None;
        }
        let promised = LISTS.into_iter().filter(|(_, key)| open.wants(key));
        let promised: Map<String, Value> = promised.map(|(_, key)| (key.to_owned(), json!(true))).collect();
        let params = json!({"_meta": {SUBSCRIPTION_ID: open.request["id"]}, "notifications": promised});
        if !self.kept.insert(id) {
            return Some(Vec::new());
        }
        let receipt = json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params});
        Some(vec![receipt.to_string()])
    }

    /// Returns a notification or request of the server. In an acknowledgement it adds the list changes that this proxy
    /// sends.
    fn notification_from_server(&self, message: &Value, line: &str) -> String {
        let stream = &message["params"]["_meta"][SUBSCRIPTION_ID];
        let is_receipt = message["params"]["notifications"].is_object();
        let Some(open) = self.open.get(&stream.to_string()).filter(|_| is_receipt) else {
            return line.to_owned();
        };
        let mut message = message.clone();
        for (_, key) in LISTS.into_iter().filter(|(_, key)| open.wants(key)) {
            message["params"]["notifications"][key] = json!(true);
        }
        message.to_string()
    }

    /// Returns notifications that all lists have changed: those of a new process may differ.
    fn list_changed_notifications(&self) -> Vec<String> {
        let methods = LISTS.map(|(list, _)| format!("notifications/{list}/list_changed"));
        methods.iter().map(|method| json!({"jsonrpc": "2.0", "method": method}).to_string()).collect()
    }

    /// Returns error responses for the pending requests of a process that has ended.
    pub(super) fn process_ended(&mut self, process: u64) -> Vec<String> {
        let lost = self.open.iter().filter(|(_, open)| open.process == Some(process));
        let lost: Vec<String> = lost.map(|(id, _)| id.clone()).collect();
        let answer = |id: String| {
            self.open.remove(&id);
            let id: Value = serde_json::from_str(&id).unwrap_or_default();
            let error = RpcError::new(Code::INTERNAL_ERROR, "the server was rebuilt or has ended before it responded");
            json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
        };
        lost.into_iter().map(answer).collect()
    }
}

/// Adds `listChanged` to the capabilities and sets `ttlMs` to 0: behind this proxy, lists change and must not be cached.
/// Returns whether the response was changed.
fn promise_changes(answer: &mut Value) -> bool {
    let mut promised = false;
    if let Some(capabilities) = answer["result"]["capabilities"].as_object_mut() {
        for (_, capability) in capabilities.iter_mut().filter(|(name, _)| LISTS.iter().any(|(list, _)| list == name)) {
            capability["listChanged"] = json!(true);
            promised = true;
        }
    }
    if let Some(time) = answer["result"].get_mut("ttlMs") {
        (*time, promised) = (json!(0), true);
    }
    promised
}

#[cfg(test)]
mod tests;
