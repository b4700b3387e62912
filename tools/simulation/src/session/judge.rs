//! Checks every message between a client and a session, where the session receives and sends it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::trace::Trace;

/// The error codes that the checks distinguish.
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;
const BUSY: i64 = -32000;

/// The messages so far, and the first rule that they violate.
pub(super) struct Judge {
    trace: Trace,
    open: BTreeMap<i64, Vec<Asked>>,
    /// Lines without a readable id, which need an error response.
    unreadable: usize,
    /// The last progress of each open call.
    progress: BTreeMap<i64, f64>,
    tasks: BTreeMap<String, Seen>,
    calls: usize,
    /// Whether the host has dropped jobs without running them.
    pub(super) jobs_were_dropped: bool,
    /// Whether tasks may have expired.
    pub(super) tasks_may_expire: bool,
    violation: Option<String>,
}

/// A request that needs a response.
#[derive(Clone, Debug, PartialEq)]
enum Asked {
    /// A call of a tool, with its argument `text`.
    Call { tool: String, text: String },
    /// A request about a task.
    Task { method: String, id: String },
    /// A request whose id is that of an open request.
    SameId,
    /// A request that is answered at once.
    Plain,
}

/// A task, as its client sees it.
#[derive(Debug, Default)]
struct Seen {
    number: usize,
    text: String,
    final_status: Option<String>,
}

impl Judge {
    pub(super) fn new(trace: Trace) -> Judge {
        Judge {
            trace,
            open: BTreeMap::new(),
            unreadable: 0,
            progress: BTreeMap::new(),
            tasks: BTreeMap::new(),
            calls: 0,
            jobs_were_dropped: false,
            tasks_may_expire: false,
            violation: None,
        }
    }

    /// Returns the number of open requests.
    pub(super) fn open(&self) -> usize {
        self.open.values().map(Vec::len).sum::<usize>() + self.unreadable
    }

    /// Returns the ids of the open requests.
    pub(super) fn open_ids(&self) -> Vec<i64> {
        self.open.keys().copied().collect()
    }

    /// Returns the ids of all tasks, in the order of their creation.
    pub(super) fn tasks(&self) -> Vec<String> {
        let mut tasks: Vec<_> = self.tasks.iter().collect();
        tasks.sort_by_key(|(_, seen)| seen.number);
        tasks.into_iter().map(|(id, _)| id.clone()).collect()
    }

    /// Returns the first violation of a rule.
    pub(super) fn verdict(&self) -> Result<(), String> {
        self.violation.clone().map_or(Ok(()), Err)
    }

    /// The client has disconnected: nobody waits for responses any more.
    pub(super) fn disconnect(&mut self) {
        self.open.clear();
        self.unreadable = 0;
    }

    /// A line reaches the session.
    pub(super) fn delivered(&mut self, line: &[u8]) {
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            self.trace.note("> not JSON");
            self.unreadable += 1;
            return;
        };
        let params = &message["params"];
        match (message["method"].as_str(), message["id"].as_i64()) {
            (Some(method), Some(id)) => {
                self.trace.note(format_args!("> {id} {method} {}", params["name"].as_str().unwrap_or_default()));
                let asked = if self.open.contains_key(&id) { Asked::SameId } else { self.asked(method, params) };
                self.open.entry(id).or_default().push(asked);
            }
            (Some("notifications/cancelled"), None) => {
                let id = params["requestId"].as_i64().unwrap_or_default();
                self.trace.note(format_args!("> cancel {id}"));
                // What is cancelled here and answered later is a response without a request.
                self.close(id, |asked| *asked != Asked::SameId);
            }
            (method, _) => self.trace.note(format_args!("> {}", method.unwrap_or("response"))),
        }
    }

    fn asked(&mut self, method: &str, params: &Value) -> Asked {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match method {
            "tools/call" => {
                self.calls += 1;
                Asked::Call { tool: text(&params["name"]), text: text(&params["arguments"]["text"]) }
            }
            "tasks/get" | "tasks/result" | "tasks/cancel" => {
                Asked::Task { method: method.to_owned(), id: text(&params["taskId"]) }
            }
            _ => Asked::Plain,
        }
    }

    /// The session sends a message.
    pub(super) fn sent(&mut self, line: &[u8]) {
        let outcome = match serde_json::from_slice::<Value>(line) {
            Err(error) => Err(format!("the server sent no JSON: {error}")),
            Ok(message) if message.get("method").is_some() => self.notification(&message),
            Ok(message) => self.response(&message),
        };
        if let Err(reason) = outcome {
            let line = String::from_utf8_lossy(line).into_owned();
            self.violation.get_or_insert(format!("{reason}: {line}"));
        }
    }

    fn notification(&mut self, message: &Value) -> Result<(), String> {
        let (method, params) = (message["method"].as_str().unwrap_or_default(), &message["params"]);
        self.trace.note(format_args!("< {method} {}", params["progressToken"]));
        match method {
            "notifications/progress" => {
                let (token, value) = (params["progressToken"].as_i64(), params["progress"].as_f64());
                let token =
                    token.filter(|token| self.open.contains_key(token)).ok_or("progress of a call that has ended")?;
                let value = value.ok_or("progress without a number")?;
                let before = self.progress.insert(token, value).unwrap_or(f64::MIN);
                if before < value { Ok(()) } else { Err(format!("progress {value} after {before}")) }
            }
            "notifications/tasks/status" => self.status(params),
            _ => Ok(()),
        }
    }

    fn response(&mut self, message: &Value) -> Result<(), String> {
        if message.get("result").is_some() == message.get("error").is_some() {
            return Err("a response needs either a result or an error".to_owned());
        }
        let Some(id) = message["id"].as_i64() else {
            self.trace.note("< error without id");
            self.unreadable = self.unreadable.checked_sub(1).ok_or("an error that answers nothing")?;
            return Ok(());
        };
        let code = message["error"]["code"].as_i64();
        self.trace.note(format_args!("< {id} {}", code.map_or("result".to_owned(), |code| code.to_string())));
        // It is answered at once, before any other request.
        let same_id = self.close(id, |asked| *asked == Asked::SameId);
        let asked = same_id.or_else(|| self.close(id, |_| true));
        match asked.ok_or("a response to a request that is not open")? {
            Asked::SameId if matches!(code, Some(INVALID_REQUEST | BUSY)) => Ok(()),
            Asked::SameId => Err("a second request with the same id was begun".to_owned()),
            Asked::Plain if code.is_some() => Err("an error for a valid request".to_owned()),
            Asked::Plain => Ok(()),
            Asked::Call { .. } | Asked::Task { .. } if code == Some(BUSY) && self.calls >= 24 => Ok(()),
            Asked::Call { tool, text } => self.called(&tool, text, &message["result"]),
            Asked::Task { method, id } => self.task_answered(&method, &id, code, &message["result"]),
        }
    }

    /// Removes the first request with this id for which the condition holds.
    fn close(&mut self, id: i64, which: impl Fn(&Asked) -> bool) -> Option<Asked> {
        let asked = self.open.get_mut(&id)?;
        let index = asked.iter().position(which)?;
        let closed = asked.remove(index);
        if asked.is_empty() {
            self.open.remove(&id);
            self.progress.remove(&id);
        }
        Some(closed)
    }

    fn called(&mut self, tool: &str, text: String, result: &Value) -> Result<(), String> {
        let task = if result["task"].is_object() { &result["task"] } else { result };
        if let Some(id) = task["taskId"].as_str() {
            let number = self.tasks.len();
            self.tasks.insert(id.to_owned(), Seen { number, text, final_status: None });
            return if tool == "work" { self.status(task) } else { Err(format!("`{tool}` runs as a task")) };
        }
        let (output, failed) = (result["content"][0]["text"].as_str().unwrap_or_default(), result["isError"] == true);
        let is_right = match tool {
            "fail" | "panic" => failed,
            "timed" => failed || output == text,
            "block" => output == text || failed && self.jobs_were_dropped,
            "ask" => failed || output == text || output == "declined" || result["resultType"] == "input_required",
            _ => output == text && !failed,
        };
        if is_right { Ok(()) } else { Err(format!("wrong result of `{tool}` for {text}")) }
    }

    fn task_answered(&mut self, method: &str, id: &str, code: Option<i64>, result: &Value) -> Result<(), String> {
        let Some(seen) = self.tasks.get(id) else { return Err("a response about an unknown task".to_owned()) };
        match (method, code) {
            ("tasks/cancel", Some(INVALID_PARAMS)) => Ok(()),
            (_, Some(INVALID_PARAMS)) if self.tasks_may_expire => Ok(()),
            ("tasks/result", Some(INVALID_PARAMS)) if seen.final_status.as_deref() == Some("cancelled") => Ok(()),
            (_, Some(code)) => Err(format!("error {code} for an existing task")),
            ("tasks/result", None) if result["content"][0]["text"] == *seen.text => Ok(()),
            ("tasks/result", None) => Err(format!("wrong result of the task of {}", seen.text)),
            _ if result["status"].is_string() => self.status(result),
            _ => Ok(()),
        }
    }

    /// A final status never changes.
    fn status(&mut self, task: &Value) -> Result<(), String> {
        let (id, status) = (task["taskId"].as_str().unwrap_or_default(), task["status"].as_str().unwrap_or_default());
        let Some(seen) = self.tasks.get_mut(id) else { return Ok(()) };
        match &seen.final_status {
            Some(before) if before != status => return Err(format!("status {status} after {before}")),
            None if !["working", "input_required"].contains(&status) => seen.final_status = Some(status.to_owned()),
            _ => {}
        }
        self.trace.note(format_args!("task {} is {status}", seen.number));
        Ok(())
    }
}
