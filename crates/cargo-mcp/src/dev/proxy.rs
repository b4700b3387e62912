//! What a client must be told so that it sees one server where there are many.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

/// The code of an answer that the server did not live to give.
const INTERNAL_ERROR: i64 = -32603;

/// The code of an answer to what a server does not know.
const METHOD_NOT_FOUND: i64 = -32601;

/// The id of the handshake that we have with a new process, in the client's words but without the client.
const OURS: &str = "cargo-mcp-handshake";

/// The lists that a new process may have others of: the name in capabilities, and the key in a request for changes.
const LISTS: [(&str, &str); 3] =
    [("tools", "toolsListChanged"), ("prompts", "promptsListChanged"), ("resources", "resourcesListChanged")];

/// The key of the stream that a change is told on, in the revision without a handshake.
const STREAM: &str = "io.modelcontextprotocol/subscriptionId";

/// The key of the revision, which only requests without a handshake have.
const REVISION: &str = "io.modelcontextprotocol/protocolVersion";

/// The conversation so far, as far as a new process must know it.
#[derive(Debug, Default)]
pub(super) struct Proxy {
    /// The client's `initialize` and its `notifications/initialized`.
    initialize: Option<Value>,
    initialized: Option<String>,
    /// The client has its answer to `initialize`.
    agreed: bool,
    /// What came while there was no process.
    held: Vec<String>,
    /// Requests without an answer, by their ids: what was asked, and which process was.
    open: HashMap<String, (String, Option<u64>)>,
    /// Streams of changes that no server knows of, by their ids: they are ours.
    kept: HashSet<String>,
    /// The process that the client speaks with.
    current: u64,
}

impl Proxy {
    /// The client said something, to that process if there is one.
    pub(super) fn heard(&mut self, line: &str, process: Option<u64>) {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            return;
        };
        let messages = message.as_array().map_or(std::slice::from_ref(&message), Vec::as_slice);
        for message in messages {
            match (message["method"].as_str(), message.get("id")) {
                (Some(method), Some(id)) => {
                    if method == "initialize" {
                        (self.initialize, self.agreed) = (Some(message.clone()), false);
                    }
                    self.open.insert(id.to_string(), (line.to_owned(), process));
                }
                (Some("notifications/initialized"), None) => self.initialized = Some(line.to_owned()),
                // Nobody waits any more, and no answer comes.
                (Some("notifications/cancelled"), None) => {
                    let id = message["params"]["requestId"].to_string();
                    self.open.remove(&id);
                    self.kept.remove(&id);
                }
                _ => {}
            }
        }
    }

    /// There is no process that could be told; the next one will be.
    pub(super) fn hold(&mut self, line: &str) {
        self.held.push(line.to_owned());
    }

    /// What a new process is told first: the handshake, if the client has had it, and what was held.
    pub(super) fn introduce(&mut self, process: u64) -> Vec<String> {
        self.current = process;
        let mut lines = Vec::new();
        if let (Some(initialize), true) = (&self.initialize, self.agreed) {
            let mut again = initialize.clone();
            again["id"] = json!(OURS);
            lines.push(again.to_string());
            lines.extend(self.initialized.clone());
        }
        lines.append(&mut self.held);
        for (_, asked) in self.open.values_mut() {
            *asked = asked.or(Some(process));
        }
        lines.extend(self.listening(process));
        lines
    }

    /// Streams of changes that the client has open: they end with the process, unless the next one knows of them.
    fn listening(&mut self, process: u64) -> Vec<String> {
        let mut lines = Vec::new();
        for (line, asked) in self.open.values_mut() {
            if is_stream(line) && *asked != Some(process) {
                *asked = Some(process);
                lines.push(line.clone());
            }
        }
        lines
    }

    /// What clients without a handshake are told when there is a new process: on each stream, the changes it is for.
    pub(super) fn announce(&self) -> Vec<String> {
        let streams = self.open.values().filter(|(line, _)| is_stream(line));
        let asked = streams.filter_map(|(line, _)| serde_json::from_str::<Value>(line).ok());
        let told = asked.flat_map(|asked| {
            let wanted = LISTS.into_iter().filter(|(_, key)| asked["params"]["notifications"][key] == true);
            let told = wanted.map(|(list, _)| {
                let params = json!({"_meta": {STREAM: asked["id"]}});
                json!({"jsonrpc": "2.0", "method": format!("notifications/{list}/list_changed"), "params": params})
                    .to_string()
            });
            told.collect::<Vec<_>>()
        });
        told.collect()
    }

    /// A process said something; what the client is told of it.
    pub(super) fn answered(&mut self, process: u64, line: &str) -> Vec<String> {
        let Ok(mut message) = serde_json::from_str::<Value>(line) else {
            return Vec::new();
        };
        if message["id"] == OURS && message.get("method").is_none() {
            // The new process is there and has agreed: now its lists count.
            return self.changes();
        }
        if message.get("method").is_some() {
            // One that is on its way out asks nobody anything any more.
            return if process == self.current { vec![self.heard_from(&message, line)] } else { Vec::new() };
        }
        if let Some(told) = self.keep(process, &message) {
            return told;
        }
        let answers = message.as_array().map_or(std::slice::from_ref(&message), Vec::as_slice);
        let ids: Vec<String> = answers.iter().map(|answer| answer["id"].to_string()).collect();
        // A stream that has moved on to the next process does not end with this one.
        if ids.iter().any(|id| self.open.get(id).is_some_and(|(_, asked)| asked.is_some_and(|asked| asked != process))) {
            return Vec::new();
        }
        if self.initialize.as_ref().is_some_and(|asked| asked["id"] == message["id"]) {
            self.agreed = true;
        }
        for id in ids {
            self.open.remove(&id);
        }
        vec![if promise_changes(&mut message) { message.to_string() } else { line.to_owned() }]
    }

    /// A server that never changes knows no streams of changes. Here it is swapped, so the stream is kept and acknowledged, once.
    fn keep(&mut self, process: u64, answer: &Value) -> Option<Vec<String>> {
        let id = answer["id"].to_string();
        let (line, asked) = self.open.get(&id)?;
        if answer["error"]["code"] != METHOD_NOT_FOUND || *asked != Some(process) || !is_stream(line) {
            return None;
        }
        let request: Value = serde_json::from_str(line).ok()?;
        let (params, wanted) = (&request["params"], &request["params"]["notifications"]);
        params["_meta"].get(REVISION)?;
        if !self.kept.insert(id) {
            return Some(Vec::new());
        }
        let promised = LISTS.into_iter().filter(|(_, key)| wanted[key] == true);
        let promised: Map<String, Value> = promised.map(|(_, key)| (key.to_owned(), json!(true))).collect();
        let params = json!({"_meta": {STREAM: request["id"]}, "notifications": promised});
        let receipt = json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params});
        Some(vec![receipt.to_string()])
    }

    /// What a process says of its own: that it tells of changes is our promise, so we make it where the client asked.
    fn heard_from(&self, message: &Value, line: &str) -> String {
        let stream = &message["params"]["_meta"][STREAM];
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

    /// The lists of a new process are others than those of the one before, as far as anybody knows.
    fn changes(&self) -> Vec<String> {
        let methods = LISTS.map(|(list, _)| format!("notifications/{list}/list_changed"));
        methods.iter().map(|method| json!({"jsonrpc": "2.0", "method": method}).to_string()).collect()
    }

    /// A process is gone: what it did not answer is answered by us.
    pub(super) fn lost(&mut self, process: u64) -> Vec<String> {
        let lost: Vec<String> =
            self.open.iter().filter(|(_, (_, asked))| *asked == Some(process)).map(|(id, _)| id.clone()).collect();
        let answer = |id: String| {
            self.open.remove(&id);
            let id: Value = serde_json::from_str(&id).unwrap_or_default();
            let error =
                json!({"code": INTERNAL_ERROR, "message": "the server was built anew, or ended, before it could answer"});
            json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
        };
        lost.into_iter().map(answer).collect()
    }
}

fn is_stream(line: &str) -> bool {
    serde_json::from_str::<Value>(line).is_ok_and(|message| message["method"] == "subscriptions/listen")
}

/// A server that never changes does not say that it will, and lets clients keep its lists; behind this proxy neither holds.
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

    const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
    const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

    fn json(line: &str) -> Value {
        serde_json::from_str(line).unwrap()
    }

    /// A client that has shaken hands with process 1.
    fn agreed() -> Proxy {
        let mut proxy = Proxy::default();
        assert_eq!(proxy.introduce(1), [""; 0]);
        proxy.heard(INITIALIZE, Some(1));
        let answer = r#"{"jsonrpc":"2.0","id":0,"result":{"capabilities":{"logging":{},"tools":{}}}}"#;
        let told = proxy.answered(1, answer);
        assert_eq!(json(&told[0])["result"]["capabilities"], json!({"logging": {}, "tools": {"listChanged": true}}));
        proxy.heard(INITIALIZED, Some(1));
        proxy
    }

    #[test]
    fn a_new_process_gets_the_handshake_and_the_client_hears_of_new_lists() {
        let mut proxy = agreed();
        let said = proxy.introduce(2);
        assert_eq!(json(&said[0])["params"], json(INITIALIZE)["params"]);
        assert_eq!(said[1], INITIALIZED);
        let told = proxy.answered(2, &json!({"jsonrpc": "2.0", "id": json(&said[0])["id"], "result": {}}).to_string());
        assert!(told[0].contains("notifications/tools/list_changed") && told.len() == 3, "{told:?}");
    }

    #[test]
    fn what_is_in_flight_is_answered_once_by_the_old_process_or_by_us() {
        let mut proxy = agreed();
        for id in [1, 2, 3] {
            proxy.heard(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call"}).to_string(), Some(1));
        }
        proxy.heard(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#, Some(1));
        proxy.introduce(2);
        assert_eq!(proxy.answered(1, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).len(), 1);
        let told = proxy.lost(1);
        assert_eq!((told.len(), &json(&told[0])["id"]), (1, &json!(2)));
        assert_eq!(json(&told[0])["error"]["code"], INTERNAL_ERROR);
        assert_eq!(proxy.lost(1), [""; 0]);
    }

    #[test]
    fn what_comes_while_there_is_no_process_is_for_the_next_one() {
        let mut proxy = Proxy::default();
        proxy.heard(INITIALIZE, None);
        proxy.hold(INITIALIZE);
        assert_eq!(proxy.introduce(1), [INITIALIZE], "and no handshake of ours beside it");
        assert_eq!(proxy.lost(1).len(), 1);
    }

    #[test]
    fn a_stream_of_changes_goes_on_with_the_next_process() {
        let mut proxy = agreed();
        let wanted = json!({"notifications": {"toolsListChanged": true}});
        let listen = json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": wanted}).to_string();
        proxy.heard(&listen, Some(1));
        let receipt =
            json!({"jsonrpc": "2.0", "method": "x", "params": {"_meta": {STREAM: "l"}, "notifications": {}}}).to_string();
        assert_eq!(json(&proxy.answered(1, &receipt)[0])["params"]["notifications"], wanted["notifications"]);
        assert!(proxy.introduce(2).contains(&listen));
        let told = proxy.announce();
        assert_eq!((told.len(), &json(&told[0])["params"]["_meta"][STREAM]), (1, &json!("l")));
        assert_eq!(proxy.answered(1, r#"{"jsonrpc":"2.0","id":"l","result":{}}"#), [""; 0], "the old one has no say in it");
        assert_eq!(proxy.lost(1), [""; 0], "it is not lost with the old one");
    }

    #[test]
    fn a_stream_that_the_server_does_not_know_is_ours() {
        let mut proxy = Proxy::default();
        proxy.introduce(1);
        let params = json!({"_meta": {REVISION: "2026-07-28"}, "notifications": {"toolsListChanged": true, "x": true}});
        let listen = json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params}).to_string();
        proxy.heard(&listen, Some(1));
        let unknown = r#"{"jsonrpc":"2.0","id":"l","error":{"code":-32601,"message":"method not found"}}"#;
        let told = proxy.answered(1, unknown);
        assert_eq!(json(&told[0])["params"], json!({"_meta": {STREAM: "l"}, "notifications": {"toolsListChanged": true}}));
        assert_eq!((proxy.introduce(2), proxy.announce().len()), (vec![listen.clone()], 1));
        assert_eq!(proxy.answered(2, unknown), [""; 0], "it is acknowledged once");
        proxy.heard(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}"#, Some(2));
        assert_eq!(proxy.announce(), [""; 0]);

        // Who has shaken hands has no streams.
        let params = json!({"notifications": {"toolsListChanged": true}});
        proxy.heard(
            &json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params}).to_string(),
            Some(2),
        );
        assert_eq!(proxy.answered(2, unknown), [unknown]);
    }

    #[test]
    fn without_a_handshake_changes_are_promised_too_and_nothing_is_kept() {
        let mut proxy = agreed();
        let told = proxy.answered(1, r#"{"jsonrpc":"2.0","id":"d","result":{"capabilities":{"tools":{}},"ttlMs":3600000}}"#);
        assert_eq!(json(&told[0])["result"], json!({"capabilities": {"tools": {"listChanged": true}}, "ttlMs": 0}));
    }

    #[test]
    fn a_process_on_its_way_out_asks_the_client_nothing_more() {
        let mut proxy = agreed();
        proxy.introduce(2);
        assert_eq!(proxy.answered(1, r#"{"jsonrpc":"2.0","id":"x","method":"roots/list"}"#), [""; 0]);
        assert_eq!(proxy.answered(2, r#"{"jsonrpc":"2.0","id":"x","method":"roots/list"}"#).len(), 1);
        assert_eq!(proxy.answered(2, "no json"), [""; 0]);
    }
}
