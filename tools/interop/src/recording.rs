use std::{collections::HashMap, fs, path::Path};

use mcp_schema_check::Checker;
use serde_json::Value;

use crate::revisions::Revisions;

/// All messages between one client and one server process, as the program `recorder` wrote them down.
#[derive(Debug)]
#[non_exhaustive]
pub struct Recording {
    /// The messages of both sides, in order.
    pub messages: Vec<Message>,
    /// The exit code of the server. `None` if the client killed the recorder first.
    pub exit: Option<i64>,
}

/// One message and its sender.
#[derive(Debug)]
#[non_exhaustive]
pub enum Message {
    /// From the client.
    FromClient(Value),
    /// From the server.
    FromServer(Value),
}

impl Recording {
    /// The methods of the requests and notifications of the client, in order.
    pub fn client_methods(&self) -> impl Iterator<Item = &str> {
        self.client_messages().filter_map(|message| message["method"].as_str())
    }

    /// The requests of the server to the client.
    pub fn server_requests(&self) -> impl Iterator<Item = &Value> {
        self.server_messages().filter(|message| message.get("id").is_some() && message.get("method").is_some())
    }

    /// The requests of the client with their responses.
    ///
    /// # Panics
    ///
    /// If a request has no response.
    pub fn exchanges(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.client_messages().filter(|message| message.get("id").is_some() && message.get("method").is_some()).map(
            |request| {
                let response = self
                    .server_messages()
                    .find(|response| response["id"] == request["id"] && response.get("method").is_none());
                (request, response.unwrap_or_else(|| panic!("request without a response: {request}")))
            },
        )
    }

    /// Checks each message of the server against the official schema of its revision.
    ///
    /// # Panics
    ///
    /// If a message violates its schema, or is a response without a request.
    pub fn check(&self) {
        let mut revisions = Revisions::default();
        let mut checkers = HashMap::new();
        for message in &self.messages {
            let message = match message {
                Message::FromClient(message) => {
                    revisions.client_sent(message);
                    continue;
                }
                Message::FromServer(message) => message,
            };
            let (method, revision) = revisions.server_sent(message);
            let checker = checkers.entry(revision.clone()).or_insert_with(|| Checker::new(&revision));
            let Some(checker) = checker else { return };
            let result = match (message.get("method"), message.get("id")) {
                (Some(_), Some(_)) => checker.check_request(message),
                (Some(_), None) => checker.check_notification(message),
                (None, _) => checker.check_reply(&method, message),
            };
            assert!(result.is_ok(), "invalid in {revision}: {message}\n{:#?}", result.unwrap_err());
        }
    }

    pub(crate) fn read(file: &Path) -> Self {
        Self::parse(&fs::read_to_string(file).expect("the recording is readable"))
    }

    fn parse(text: &str) -> Self {
        let mut recording = Self { messages: Vec::new(), exit: None };
        // The client may have killed the recorder in the middle of the last line.
        let complete = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        for line in complete.lines() {
            let mut entry: Value = serde_json::from_str(line).expect("the recording is JSON");
            if let Some(exit) = entry["exit"].as_i64() {
                recording.exit = Some(exit);
            } else if entry["client"].is_string() {
                recording.messages.push(Message::FromClient(parse(&entry["client"].take())));
            } else {
                recording.messages.push(Message::FromServer(parse(&entry["server"].take())));
            }
        }
        recording
    }

    fn client_messages(&self) -> impl Iterator<Item = &Value> {
        self.messages.iter().filter_map(|message| if let Message::FromClient(value) = message { Some(value) } else { None })
    }

    fn server_messages(&self) -> impl Iterator<Item = &Value> {
        self.messages.iter().filter_map(|message| if let Message::FromServer(value) = message { Some(value) } else { None })
    }
}

fn parse(line: &Value) -> Value {
    let line = line.as_str().expect("the recording has lines of text");
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line:?} is not JSON: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Recording;

    fn recording(messages: &[(&str, Value)]) -> Recording {
        let lines: Vec<_> =
            messages.iter().map(|(sender, message)| json!({*sender: message.to_string()}).to_string()).collect();
        Recording::parse(&format!("{}\n", lines.join("\n")))
    }

    #[test]
    fn an_incomplete_last_line_is_ignored() {
        let complete = Recording::parse("{\"client\":\"{\\\"method\\\":\\\"x\\\"}\"}\n{\"exit\":0}\n");
        assert_eq!((complete.client_methods().collect::<Vec<_>>(), complete.exit), (vec!["x"], Some(0)));
        let cut = Recording::parse("{\"client\":\"{\\\"method\\\":\\\"x\\\"}\"}\n{\"ex");
        assert_eq!((cut.client_methods().collect::<Vec<_>>(), cut.exit), (vec!["x"], None));
    }

    #[test]
    #[should_panic(expected = "request without a response")]
    fn a_request_without_a_response_is_an_error() {
        let unanswered = recording(&[("client", json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}))]);
        assert_eq!(unanswered.exchanges().count(), 1);
    }

    #[test]
    #[should_panic(expected = "response without a request")]
    fn a_response_without_a_request_is_an_error() {
        recording(&[("server", json!({"jsonrpc": "2.0", "id": 1, "result": {}}))]).check();
    }

    #[test]
    fn a_response_is_checked_in_the_revision_of_its_request() {
        if mcp_schema_check::Checker::new("2026-07-28").is_none() {
            return;
        }
        let stateless = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
        let handshake =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "n", "version": "1"}});
        let with_result = |result: Value| {
            recording(&[
                ("client", json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}})),
                ("server", json!({"jsonrpc": "2.0", "id": 0, "result": handshake})),
                ("client", json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})),
                ("server", json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}})),
                ("client", json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": stateless})),
                ("server", json!({"jsonrpc": "2.0", "id": 2, "result": result})),
            ])
        };
        with_result(json!({"tools": [], "resultType": "complete", "ttlMs": 0, "cacheScope": "public"})).check();
        let of_older_revision = with_result(json!({"tools": []}));
        assert!(std::panic::catch_unwind(|| of_older_revision.check()).is_err());
    }
}
