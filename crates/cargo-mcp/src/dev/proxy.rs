//! Rewrites messages so that the client sees one server while processes are replaced.

use std::collections::{HashMap, HashSet};

use mcp_core::protocol::Implementation;
use mcp_core::transport::{Code, PROTOCOL_VERSION, RpcError, SUBSCRIPTION_ID};
use serde_json::{Map, Value, json};

use super::early;
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
    /// Pending requests by id: the line, and the process that it was sent to.
    open: HashMap<String, (String, Option<u64>)>,
    /// Subscriptions that the server does not support, by id. This proxy serves them.
    kept: HashSet<String>,
    /// The process that receives the messages of the client.
    current: u64,
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
                    self.open.insert(id.to_string(), (line.to_owned(), process));
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
                let answer = early::handshake(&message, server);
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
        for (_, asked) in self.open.values_mut() {
            *asked = asked.or(Some(process));
        }
        lines.extend(self.open_streams(process));
        lines
    }

    /// Returns the open subscriptions of the client, which the new process must know.
    fn open_streams(&mut self, process: u64) -> Vec<String> {
        let mut lines = Vec::new();
        for (line, asked) in self.open.values_mut() {
            if is_stream(line) && *asked != Some(process) {
                *asked = Some(process);
                lines.push(line.clone());
            }
        }
        lines
    }

    /// Returns notifications for a new process to clients without a handshake: on each subscription, its list changes.
    pub(super) fn change_notifications(&self) -> Vec<String> {
        let streams = self.open.values().filter(|(line, _)| is_stream(line));
        let asked = streams.filter_map(|(line, _)| serde_json::from_str::<Value>(line).ok());
        let told = asked.flat_map(|asked| {
            let wanted = LISTS.into_iter().filter(|(_, key)| asked["params"]["notifications"][key] == true);
            let told = wanted.map(|(list, _)| {
                let params = json!({"_meta": {SUBSCRIPTION_ID: asked["id"]}});
                json!({"jsonrpc": "2.0", "method": format!("notifications/{list}/list_changed"), "params": params})
                    .to_string()
            });
            told.collect::<Vec<_>>()
        });
        told.collect()
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
        if let Some(told) = self.keep(process, &message) {
            return told;
        }
        if let Some(nothing) = self.promised_nothing(process, &message) {
            return vec![nothing];
        }
        let answers = message.as_array().map_or(std::slice::from_ref(&message), Vec::as_slice);
        let ids: Vec<String> = answers.iter().map(|answer| answer["id"].to_string()).collect();
        // A subscription that was moved to the next process does not end with this one.
        if ids.iter().any(|id| self.open.get(id).is_some_and(|(_, asked)| asked.is_some_and(|asked| asked != process))) {
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
        let id = answer["id"].to_string();
        let (line, asked) = self.open.get(&id)?;
        if answer["error"]["code"] != json!(Code::METHOD_NOT_FOUND) || *asked != Some(process) {
            return None;
        }
        let nothing = early::nothing(&serde_json::from_str(line).ok()?)?;
        self.open.remove(&id);
        Some(nothing.to_string())
    }

    /// Acknowledges a subscription that the server does not support, once. A static server has no list changes, but this
    /// proxy replaces it, so the lists do change.
    fn keep(&mut self, process: u64, answer: &Value) -> Option<Vec<String>> {
        let id = answer["id"].to_string();
        let (line, asked) = self.open.get(&id)?;
        if answer["error"]["code"] != json!(Code::METHOD_NOT_FOUND) || *asked != Some(process) || !is_stream(line) {
            return None;
        }
        let request: Value = serde_json::from_str(line).ok()?;
        let (params, wanted) = (&request["params"], &request["params"]["notifications"]);
        params["_meta"][PROTOCOL_VERSION].as_str()?;
        if !self.kept.insert(id) {
            return Some(Vec::new());
        }
        let promised = LISTS.into_iter().filter(|(_, key)| wanted[key] == true);
        let promised: Map<String, Value> = promised.map(|(_, key)| (key.to_owned(), json!(true))).collect();
        let params = json!({"_meta": {SUBSCRIPTION_ID: request["id"]}, "notifications": promised});
        let receipt = json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params});
        Some(vec![receipt.to_string()])
    }

    /// Returns a notification or request of the server. In an acknowledgement it adds the list changes that this proxy
    /// sends.
    fn notification_from_server(&self, message: &Value, line: &str) -> String {
        let stream = &message["params"]["_meta"][SUBSCRIPTION_ID];
        let asked = self.open.get(&stream.to_string()).and_then(|(line, _)| serde_json::from_str::<Value>(line).ok());
        let is_receipt = message["params"]["notifications"].is_object();
        let Some(asked) = asked.filter(|_| is_receipt) else {
            return line.to_owned();
        };
        let mut message = message.clone();
        for (_, key) in LISTS {
            if asked["params"]["notifications"][key] == true {
                message["params"]["notifications"][key] = json!(true);
            }
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
        let lost: Vec<String> =
            self.open.iter().filter(|(_, (_, asked))| *asked == Some(process)).map(|(id, _)| id.clone()).collect();
        let answer = |id: String| {
            self.open.remove(&id);
            let id: Value = serde_json::from_str(&id).unwrap_or_default();
            let error = RpcError::new(Code::INTERNAL_ERROR, "the server was rebuilt or has ended before it responded");
            json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
        };
        lost.into_iter().map(answer).collect()
    }
}

fn is_stream(line: &str) -> bool {
    serde_json::from_str::<Value>(line).is_ok_and(|message| message["method"] == "subscriptions/listen")
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
mod tests {
    use super::*;

    const STREAM: &str = SUBSCRIPTION_ID;
    const REVISION: &str = PROTOCOL_VERSION;
    const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
    const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

    fn json(line: &str) -> Value {
        serde_json::from_str(line).unwrap()
    }

    /// A proxy whose client has completed the handshake with process 1.
    fn after_handshake() -> Proxy {
        let mut proxy = Proxy::default();
        assert_eq!(proxy.messages_for_new_process(1), [""; 0]);
        proxy.client_message(INITIALIZE, Some(1));
        let answer = r#"{"jsonrpc":"2.0","id":0,"result":{"capabilities":{"logging":{},"tools":{}}}}"#;
        let told = proxy.server_message(1, answer);
        assert_eq!(json(&told[0])["result"]["capabilities"], json!({"logging": {}, "tools": {"listChanged": true}}));
        proxy.client_message(INITIALIZED, Some(1));
        proxy
    }

    #[test]
    fn a_new_process_gets_the_handshake_and_the_client_is_notified_of_new_lists() {
        let mut proxy = after_handshake();
        let said = proxy.messages_for_new_process(2);
        assert_eq!(json(&said[0])["params"], json(INITIALIZE)["params"]);
        assert_eq!(said[1], INITIALIZED);
        let told = proxy.server_message(2, &json!({"jsonrpc": "2.0", "id": json(&said[0])["id"], "result": {}}).to_string());
        assert!(told[0].contains("notifications/tools/list_changed") && told.len() == 3, "{told:?}");
    }

    #[test]
    fn each_request_in_flight_gets_one_response_from_the_old_process_or_the_proxy() {
        let mut proxy = after_handshake();
        for id in [1, 2, 3] {
            proxy.client_message(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call"}).to_string(), Some(1));
        }
        proxy.client_message(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#, Some(1));
        proxy.messages_for_new_process(2);
        assert_eq!(proxy.server_message(1, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).len(), 1);
        let told = proxy.process_ended(1);
        assert_eq!((told.len(), &json(&told[0])["id"]), (1, &json!(2)));
        assert_eq!(json(&told[0])["error"]["code"], json!(Code::INTERNAL_ERROR));
        assert_eq!(proxy.process_ended(1), [""; 0]);
    }

    #[test]
    fn messages_without_a_process_are_kept_for_the_next_one() {
        let mut proxy = Proxy::default();
        proxy.client_message(INITIALIZE, None);
        proxy.queue(INITIALIZE);
        assert_eq!(proxy.messages_for_new_process(1), [INITIALIZE], "the handshake is not repeated");
        assert_eq!(proxy.process_ended(1).len(), 1);
    }

    #[test]
    fn a_subscription_continues_with_the_next_process() {
        let mut proxy = after_handshake();
        let wanted = json!({"notifications": {"toolsListChanged": true}});
        let listen = json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": wanted}).to_string();
        proxy.client_message(&listen, Some(1));
        let receipt =
            json!({"jsonrpc": "2.0", "method": "x", "params": {"_meta": {STREAM: "l"}, "notifications": {}}}).to_string();
        assert_eq!(json(&proxy.server_message(1, &receipt)[0])["params"]["notifications"], wanted["notifications"]);
        assert!(proxy.messages_for_new_process(2).contains(&listen));
        let told = proxy.change_notifications();
        assert_eq!((told.len(), &json(&told[0])["params"]["_meta"][STREAM]), (1, &json!("l")));
        assert_eq!(
            proxy.server_message(1, r#"{"jsonrpc":"2.0","id":"l","result":{}}"#),
            [""; 0],
            "the old process does not end the subscription"
        );
        assert_eq!(proxy.process_ended(1), [""; 0], "the subscription does not end with the old process");
    }

    #[test]
    fn the_proxy_serves_subscriptions_that_the_server_does_not_support() {
        let mut proxy = Proxy::default();
        proxy.messages_for_new_process(1);
        let params = json!({"_meta": {REVISION: "2026-07-28"}, "notifications": {"toolsListChanged": true, "x": true}});
        let listen = json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params}).to_string();
        proxy.client_message(&listen, Some(1));
        let unknown = r#"{"jsonrpc":"2.0","id":"l","error":{"code":-32601,"message":"method not found"}}"#;
        let told = proxy.server_message(1, unknown);
        assert_eq!(json(&told[0])["params"], json!({"_meta": {STREAM: "l"}, "notifications": {"toolsListChanged": true}}));
        assert_eq!((proxy.messages_for_new_process(2), proxy.change_notifications().len()), (vec![listen.clone()], 1));
        assert_eq!(proxy.server_message(2, unknown), [""; 0], "it is acknowledged once");
        proxy.client_message(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}"#, Some(2));
        assert_eq!(proxy.change_notifications(), [""; 0]);

        // Clients with a handshake have no subscriptions.
        let params = json!({"notifications": {"toolsListChanged": true}});
        proxy.client_message(
            &json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params}).to_string(),
            Some(2),
        );
        assert_eq!(proxy.server_message(2, unknown), [unknown]);
    }

    #[test]
    fn list_changes_are_announced_in_capabilities_and_caching_is_disabled() {
        let mut proxy = after_handshake();
        let told =
            proxy.server_message(1, r#"{"jsonrpc":"2.0","id":"d","result":{"capabilities":{"tools":{}},"ttlMs":3600000}}"#);
        assert_eq!(json(&told[0])["result"], json!({"capabilities": {"tools": {"listChanged": true}}, "ttlMs": 0}));
    }

    #[test]
    fn the_handshake_is_answered_before_there_is_a_server_and_repeated_with_it() {
        let mut proxy = Proxy::default();
        let server = Implementation::default();
        proxy.client_message(INITIALIZE, None);
        let answer = json(&proxy.early_message(INITIALIZE, &server).unwrap());
        assert_eq!((&answer["id"], &answer["result"]["protocolVersion"]), (&json!(0), &json!("2025-11-25")));
        proxy.client_message(INITIALIZED, None);
        assert_eq!(proxy.early_message(INITIALIZED, &server), None);
        for (id, method) in [(1, "tools/list"), (2, "prompts/list"), (3, "server/discover"), (4, "tools/call")] {
            let line = json!({"jsonrpc": "2.0", "id": id, "method": method}).to_string();
            proxy.client_message(&line, None);
            assert_eq!(proxy.early_message(&line, &server), None);
        }
        let refused = proxy.answer_kept(early::no_discovery);
        assert_eq!((refused.len(), &json(&refused[0])["error"]["code"]), (1, &json!(-32601)));
        proxy.client_message(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#, None);
        let empty = proxy.answer_kept(early::nothing);
        assert_eq!((empty.len(), &json(&empty[0])["result"]), (1, &json!({"prompts": []})), "1 was cancelled");
        let said = proxy.messages_for_new_process(1);
        let methods: Vec<_> = said.iter().map(|line| json(line)["method"].as_str().unwrap().to_owned()).collect();
        assert_eq!(methods, ["initialize", "notifications/initialized", "tools/list", "tools/call"]);
        assert_eq!(json(&said[0])["id"], HANDSHAKE_ID);

        // The proxy declared prompts, so a server without prompts has an empty list of them.
        let line = json!({"jsonrpc": "2.0", "id": 5, "method": "prompts/list"}).to_string();
        proxy.client_message(&line, Some(1));
        let told = proxy.server_message(1, r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"x"}}"#);
        assert_eq!(json(&told[0]), json!({"jsonrpc": "2.0", "id": 5, "result": {"prompts": []}}));
        assert_eq!(proxy.process_ended(1).len(), 1, "only the call is still open");
    }

    #[test]
    fn requests_of_a_replaced_process_are_dropped() {
        let mut proxy = after_handshake();
        proxy.messages_for_new_process(2);
        assert_eq!(proxy.server_message(1, r#"{"jsonrpc":"2.0","id":"x","method":"roots/list"}"#), [""; 0]);
        assert_eq!(proxy.server_message(2, r#"{"jsonrpc":"2.0","id":"x","method":"roots/list"}"#).len(), 1);
        assert_eq!(proxy.server_message(2, "no json"), [""; 0]);
    }
}
