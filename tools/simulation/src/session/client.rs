//! The client of a simulated session: writes requests, cancellations and answers, some of which break the protocol.

use serde_json::{Map, Value, json};

use crate::random::Random;

const TOOLS: [&str; 13] =
    ["echo", "echo", "wait", "wait", "timed", "work", "work", "nap", "ask", "fail", "panic", "block", "block"];

/// The client of a simulated session.
pub(super) struct Client {
    is_stateless: bool,
    has_tasks: bool,
    next_id: i64,
    /// The ids of the server's questions that have no answer yet.
    pub(super) questions: Vec<Value>,
}

impl Client {
    /// A client of a random revision, and its handshake.
    pub(super) fn new(random: &mut Random) -> (Client, Vec<u8>) {
        let revision = random.pick(&["2025-06-18", "2025-11-25", "2025-11-25", "2026-07-28", "2026-07-28"]);
        let is_stateless = revision == "2026-07-28";
        let has_tasks = revision >= "2025-11-25";
        let client = Client { is_stateless, has_tasks, next_id: 1, questions: Vec::new() };
        if is_stateless {
            return (client, Vec::new());
        }
        let info = json!({"name": "simulation", "version": "1.0.0"});
        let params = json!({"protocolVersion": revision, "capabilities": {"elicitation": {}}, "clientInfo": info});
        let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        (client, format!("{initialize}\n{initialized}\n").into_bytes())
    }

    /// Returns the next line of the client.
    pub(super) fn line(&mut self, open: &[i64], tasks: &[String], random: &mut Random) -> Vec<u8> {
        let message = match random.below(20) {
            0 => return b"not JSON\n".to_vec(),
            1 => self.request("tools/list", Map::new()),
            2 if self.is_stateless => self.request("server/discover", Map::new()),
            2 => self.request("ping", Map::new()),
            // An id that is in use, if there is one.
            3 if !open.is_empty() => {
                let mut call = self.call(random);
                call["id"] = random.pick(open).into();
                call["params"]["_meta"]["progressToken"] = call["id"].clone();
                call
            }
            4..8 if !open.is_empty() => self.cancellation(random.pick(open)),
            8..10 if !self.questions.is_empty() => self.answer(random),
            10..13 if !tasks.is_empty() => self.about_task(&random.pick(tasks), random),
            _ => self.call(random),
        };
        format!("{message}\n").into_bytes()
    }

    /// Returns an answer to a question of the server, which may have been withdrawn.
    pub(super) fn answer(&mut self, random: &mut Random) -> Value {
        let index = random.below(self.questions.len());
        // Some questions are answered twice.
        let id = if random.chance(8) { self.questions[index].clone() } else { self.questions.swap_remove(index) };
        match random.below(4) {
            0 => json!({"jsonrpc": "2.0", "id": id, "result": {"action": "decline"}}),
            1 => json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "no"}}),
            _ => json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept", "content": {"ok": true}}}),
        }
    }

    /// Receives a message of the server.
    pub(super) fn receive(&mut self, message: &Value) {
        if message["method"] == "elicitation/create" {
            self.questions.push(message["id"].clone());
        }
        if message["method"] == "notifications/cancelled" {
            self.questions.retain(|id| *id != message["params"]["requestId"]);
        }
    }

    fn call(&mut self, random: &mut Random) -> Value {
        let tool = random.pick(&TOOLS);
        let text = format!("text of {}", self.next_id);
        let mut params = Map::new();
        params.insert("name".to_owned(), tool.into());
        params.insert("arguments".to_owned(), json!({"text": text}));
        if tool == "work" && self.has_tasks && !self.is_stateless {
            params.insert("task".to_owned(), json!({"ttl": super::TASK_LIFETIME.as_millis() as u64}));
        }
        self.request("tools/call", params)
    }

    fn about_task(&mut self, id: &str, random: &mut Random) -> Value {
        let methods: &[&str] =
            if self.is_stateless { &["tasks/get", "tasks/cancel"] } else { &["tasks/get", "tasks/result", "tasks/cancel"] };
        let mut params = Map::new();
        params.insert("taskId".to_owned(), id.into());
        self.request(random.pick(methods), params)
    }

    fn cancellation(&self, id: i64) -> Value {
        let mut params = json!({"requestId": id, "reason": "the user changed their mind"});
        if self.is_stateless {
            params["_meta"] = meta(None);
        }
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    }

    fn request(&mut self, method: &str, mut params: Map<String, Value>) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        let meta = if self.is_stateless { meta(Some(id)) } else { json!({"progressToken": id}) };
        params.insert("_meta".to_owned(), meta);
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    }
}

fn meta(progress_token: Option<i64>) -> Value {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "simulation", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": {
            "elicitation": {"form": {}},
            "extensions": {"io.modelcontextprotocol/tasks": {}},
        },
    });
    if let Some(token) = progress_token {
        meta["progressToken"] = token.into();
    }
    meta
}
