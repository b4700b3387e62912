use std::{collections::HashMap, fs, path::Path};

use mcp_schema_check::Checker;
use serde_json::Value;

const STATELESS: &str = "2026-07-28";
const NEWEST_HANDSHAKE: &str = "2025-11-25";

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
        self.of_client()
            .filter_map(|message| message["method"].as_str())
    }

    /// The requests of the client with their replies.
    ///
    /// # Panics
    ///
    /// If a request went unanswered.
    pub fn exchanges(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.of_client()
            .filter(|message| message.get("id").is_some() && message.get("method").is_some())
            .map(|request| {
                let reply = self
                    .of_server()
                    .find(|reply| reply["id"] == request["id"] && reply.get("method").is_none());
                (
                    request,
                    reply.unwrap_or_else(|| panic!("{request} was not answered")),
                )
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
            let checker = checkers
                .entry(revision.clone())
                .or_insert_with(|| Checker::new(&revision));
            let Some(checker) = checker else { return };
            let verdict = match (message.get("method"), message.get("id")) {
                (Some(_), Some(_)) => checker.check_request(message),
                (Some(_), None) => checker.check_notification(message),
                (None, _) => checker.check_reply(&method, message),
            };
            assert!(
                verdict.is_ok(),
                "not {revision}: {message}\n{:#?}",
                verdict.unwrap_err()
            );
        }
    }

    pub(crate) fn read(record: &Path) -> Self {
        let text = fs::read_to_string(record).expect("the record is readable");
        let mut conversation = Self {
            said: Vec::new(),
            exit: None,
        };
        for line in text.lines() {
            // The witness may have been ended in the middle of its last line; anywhere else this shows as a gap.
            let Ok(mut entry) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            if let Some(exit) = entry["exit"].as_i64() {
                conversation.exit = Some(exit);
            } else if entry["client"].is_string() {
                conversation
                    .said
                    .push(Said::Client(parsed(entry["client"].take())));
            } else {
                conversation
                    .said
                    .push(Said::Server(parsed(entry["server"].take())));
            }
        }
        conversation
    }

    fn of_client(&self) -> impl Iterator<Item = &Value> {
        self.said.iter().filter_map(|said| {
            if let Said::Client(message) = said {
                Some(message)
            } else {
                None
            }
        })
    }

    fn of_server(&self) -> impl Iterator<Item = &Value> {
        self.said.iter().filter_map(|said| {
            if let Said::Server(message) = said {
                Some(message)
            } else {
                None
            }
        })
    }
}

fn parsed(line: Value) -> Value {
    let line = line.as_str().expect("the record holds lines");
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line:?} is no JSON: {error}"))
}

/// Which revision is in force for which message: by handshake for the connection, or by the request itself.
#[derive(Default)]
struct Revisions {
    negotiated: Option<String>,
    open: HashMap<String, (String, Option<String>)>,
}

impl Revisions {
    fn asked(&mut self, message: &Value) {
        let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) else {
            return;
        };
        let own = message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str();
        self.open
            .insert(id.to_string(), (method.to_owned(), own.map(str::to_owned)));
    }

    /// The method that a message of the server answers (empty for none), and the revision in which.
    fn of(&mut self, message: &Value) -> (String, String) {
        if message.get("method").is_some() {
            return (
                String::new(),
                self.negotiated.clone().unwrap_or_else(|| STATELESS.into()),
            );
        }
        let id = message["id"].to_string();
        let (method, own) = self
            .open
            .remove(&id)
            .unwrap_or_else(|| panic!("{message} answers nothing"));
        if method == "initialize" && message.get("result").is_some() {
            self.negotiated = message["result"]["protocolVersion"]
                .as_str()
                .map(str::to_owned);
        }
        let revision = own
            .or_else(|| self.negotiated.clone())
            .unwrap_or_else(|| NEWEST_HANDSHAKE.into());
        (method, revision)
    }
}
