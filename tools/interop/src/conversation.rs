use std::{collections::HashMap, fs, path::Path};

use mcp_schema_check::Checker;
use serde_json::Value;

use crate::revisions::Revisions;

/// All that one client and one server process said to each other, as the witness wrote it down.
#[derive(Debug)]
#[non_exhaustive]
pub struct Conversation {
    /// The messages of both sides, in the order in which they were seen.
    pub said: Vec<Said>,
    /// The exit code of the server, if it ended before the witness was ended by the client.
    pub exit: Option<i64>,
}

/// One message and who said it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Said {
    /// By the client.
    Client(Value),
    /// By the server.
    Server(Value),
}

impl Conversation {
    /// The methods that the client used, in order, notifications included.
    pub fn methods(&self) -> impl Iterator<Item = &str> {
        self.of_client().filter_map(|message| message["method"].as_str())
    }

    /// The requests of the server to the client.
    pub fn asked(&self) -> impl Iterator<Item = &Value> {
        self.of_server().filter(|message| message.get("id").is_some() && message.get("method").is_some())
    }

    /// The requests of the client with their replies.
    ///
    /// # Panics
    ///
    /// If a request went unanswered.
    pub fn exchanges(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.of_client().filter(|message| message.get("id").is_some() && message.get("method").is_some()).map(|request| {
            let reply = self.of_server().find(|reply| reply["id"] == request["id"] && reply.get("method").is_none());
            (request, reply.unwrap_or_else(|| panic!("{request} was not answered")))
        })
    }

    /// Holds each message of the server against the official schema of the revision in which it was said.
    ///
    /// Where the schemas are not at hand nothing is checked, and said to be skipped.
    ///
    /// # Panics
    ///
    /// If a message violates its schema, or answers nothing.
    pub fn check(&self) {
        let mut revisions = Revisions::default();
        let mut checkers = HashMap::new();
        for said in &self.said {
            let message = match said {
                Said::Client(message) => {
                    revisions.asked(message);
                    continue;
                }
                Said::Server(message) => message,
            };
            let (method, revision) = revisions.of(message);
            let checker = checkers.entry(revision.clone()).or_insert_with(|| Checker::new(&revision));
            let Some(checker) = checker else { return };
            let verdict = match (message.get("method"), message.get("id")) {
                (Some(_), Some(_)) => checker.check_request(message),
                (Some(_), None) => checker.check_notification(message),
                (None, _) => checker.check_reply(&method, message),
            };
            assert!(verdict.is_ok(), "not {revision}: {message}\n{:#?}", verdict.unwrap_err());
        }
    }

    pub(crate) fn read(record: &Path) -> Self {
        let text = fs::read_to_string(record).expect("the record is readable");
        Self::parse(&text)
    }

    fn parse(record: &str) -> Self {
        let mut conversation = Self { said: Vec::new(), exit: None };
        // Only what ends with its line is whole: a client may end the witness while it writes.
        let whole = &record[..record.rfind('\n').map_or(0, |end| end + 1)];
        for line in whole.lines() {
            let mut entry: Value = serde_json::from_str(line).expect("the record holds JSON");
            if let Some(exit) = entry["exit"].as_i64() {
                conversation.exit = Some(exit);
            } else if entry["client"].is_string() {
                conversation.said.push(Said::Client(parsed(&entry["client"].take())));
            } else {
                conversation.said.push(Said::Server(parsed(&entry["server"].take())));
            }
        }
        conversation
    }

    fn of_client(&self) -> impl Iterator<Item = &Value> {
        self.said.iter().filter_map(|said| if let Said::Client(message) = said { Some(message) } else { None })
    }

    fn of_server(&self) -> impl Iterator<Item = &Value> {
        self.said.iter().filter_map(|said| if let Said::Server(message) = said { Some(message) } else { None })
    }
}

fn parsed(line: &Value) -> Value {
    let line = line.as_str().expect("the record holds lines");
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line:?} is no JSON: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Conversation;

    fn record(said: &[(&str, Value)]) -> Conversation {
        let lines: Vec<_> = said.iter().map(|(who, message)| json!({*who: message.to_string()}).to_string()).collect();
        Conversation::parse(&format!("{}\n", lines.join("\n")))
    }

    #[test]
    fn a_record_that_ends_in_the_middle_keeps_what_is_whole() {
        let whole = Conversation::parse("{\"client\":\"{\\\"method\\\":\\\"x\\\"}\"}\n{\"exit\":0}\n");
        assert_eq!((whole.methods().collect::<Vec<_>>(), whole.exit), (vec!["x"], Some(0)));
        let cut = Conversation::parse("{\"client\":\"{\\\"method\\\":\\\"x\\\"}\"}\n{\"ex");
        assert_eq!((cut.methods().collect::<Vec<_>>(), cut.exit), (vec!["x"], None));
    }

    #[test]
    #[should_panic(expected = "was not answered")]
    fn a_request_without_a_reply_is_noticed() {
        let silence = record(&[("client", json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}))]);
        assert_eq!(silence.exchanges().count(), 1);
    }

    #[test]
    #[should_panic(expected = "answers nothing")]
    fn a_reply_to_nothing_is_noticed() {
        record(&[("server", json!({"jsonrpc": "2.0", "id": 1, "result": {}}))]).check();
    }

    #[test]
    fn a_reply_is_judged_in_the_era_of_its_request() {
        if mcp_schema_check::Checker::new("2026-07-28").is_none() {
            return;
        }
        let stateless = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
        let handshake =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "n", "version": "1"}});
        let said = |result: Value| {
            record(&[
                ("client", json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}})),
                ("server", json!({"jsonrpc": "2.0", "id": 0, "result": handshake})),
                ("client", json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})),
                ("server", json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}})),
                ("client", json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": stateless})),
                ("server", json!({"jsonrpc": "2.0", "id": 2, "result": result})),
            ])
        };
        said(json!({"tools": [], "resultType": "complete", "ttlMs": 0, "cacheScope": "public"})).check();
        let handshake_era = said(json!({"tools": []}));
        assert!(std::panic::catch_unwind(|| handshake_era.check()).is_err());
    }
}
