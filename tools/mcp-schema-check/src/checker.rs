use std::fmt;

use serde_json::Value;

use crate::definitions::{Definitions, schema_folder};
use crate::extension;

/// What is wrong with a message: one sentence a violation.
pub type Violations = Vec<String>;

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;

/// Judges the messages that a server writes in one protocol revision.
///
/// Cheap to keep and to share between threads; each definition is compiled when it is first needed.
pub struct Checker {
    revision: String,
    definitions: Definitions,
}

impl Checker {
    /// The checker of a revision, or `None` where the official schemas are not at hand.
    ///
    /// In the latter case `SKIPPED` and the reason have been printed, so that a test can simply return.
    ///
    /// # Panics
    ///
    /// If the schemas are there but know no such revision, or cannot be read.
    #[must_use]
    pub fn new(revision: &str) -> Option<Self> {
        let folder = schema_folder();
        let definitions = Definitions::load(&folder, revision);
        if definitions.is_none() {
            skipped(&format!("no official schemas at {}", folder.display()));
        }
        Some(Self { revision: revision.to_owned(), definitions: definitions? })
    }

    /// The revision that was asked for.
    #[must_use]
    pub fn revision(&self) -> &str {
        &self.revision
    }

    /// Checks one reply to a request of `method`: its envelope, then its result or error.
    ///
    /// A method that this revision does not have must be answered with an error. Where no method could be read from
    /// what the server was sent, use [`Checker::check_error`].
    ///
    /// # Errors
    ///
    /// Every violation that was found.
    pub fn check_reply(&self, method: &str, reply: &Value) -> Result<(), Violations> {
        match (reply.get("result"), reply.get("error")) {
            (Some(result), None) => verdict(self.success(method, reply, result)),
            (None, Some(_)) => self.check_error(reply),
            (Some(_), Some(_)) => verdict(vec!["a reply has a result or an error, never both".into()]),
            (None, None) => verdict(vec!["a reply has a result or an error".into()]),
        }
    }

    /// Checks a reply that must be an error, whatever it answers.
    ///
    /// # Errors
    ///
    /// Every violation that was found.
    pub fn check_error(&self, reply: &Value) -> Result<(), Violations> {
        if reply.get("result").is_some() || reply.get("error").is_none() {
            return verdict(vec!["an error reply has an error and no result".into()]);
        }
        let code = reply["error"]["code"].as_i64();
        let mut reply = reply.clone();
        if self.null_id_is_legal(&reply, code) {
            // JSON-RPC demands this null, the schemas of that time forget it; a stand-in lets the rest be checked.
            reply["id"] = 0.into();
        }
        let mut violations = self.definitions.violations(self.definitions.envelope("error"), &reply);
        if let Some(typed) = code.and_then(|code| self.definitions.typed_error(code)) {
            violations.extend(self.definitions.violations(typed, &reply));
        }
        verdict(violations)
    }

    /// Checks a notification that the server sent.
    ///
    /// # Errors
    ///
    /// Every violation that was found; also if only a client may send it.
    pub fn check_notification(&self, notification: &Value) -> Result<(), Violations> {
        let mut violations = match notification["method"].as_str() {
            Some(extension::NOTIFICATION) if self.has_result_types() => extension::whole(&notification["params"]),
            _ => self.sent("ServerNotification", notification),
        };
        violations.extend(self.definitions.violations("JSONRPCNotification", notification));
        if notification.get("id").is_some() {
            violations.push("a notification has no id".into());
        }
        verdict(violations)
    }

    /// Checks a request that the server sent, which it may only before 2026-07-28.
    ///
    /// # Errors
    ///
    /// Every violation that was found; also if only a client may send it.
    pub fn check_request(&self, request: &Value) -> Result<(), Violations> {
        let mut violations = self.sent("ServerRequest", request);
        violations.extend(self.definitions.violations("JSONRPCRequest", request));
        verdict(violations)
    }

    fn success(&self, method: &str, reply: &Value, result: &Value) -> Violations {
        let mut violations = self.definitions.violations(self.definitions.envelope("success"), reply);
        if self.has_result_types() && extension::METHODS.contains(&method) {
            violations.extend(self.definitions.violations("Result", result));
            violations.extend(extension::result(method, result));
            return violations;
        }
        let (Some(request), Some(expected)) = (self.definitions.message(method), self.definitions.result(method)) else {
            violations.push(format!("{} has no method {method:?}, so it cannot succeed", self.revision));
            return violations;
        };
        if !self.definitions.refers("ClientRequest", request) {
            violations.push(format!("{method:?} is no request to a server in {}", self.revision));
        }
        match result.get("resultType").and_then(Value::as_str).filter(|_| self.has_result_types()) {
            Some("task") if method == "tools/call" => violations.extend(extension::handle(result)),
            Some("input_required") => violations.extend(self.input_required(method, expected, result)),
            Some(kind) if kind != "complete" => violations.push(format!("unknown resultType {kind:?}")),
            _ if method == "tools/call" && result.get("task").is_some() && self.definitions.has("CreateTaskResult") => {
                violations.extend(self.definitions.violations("CreateTaskResult", result));
            }
            _ => violations.extend(self.definitions.violations(expected, result)),
        }
        if method == "tasks/result" {
            // Whatever may be the result of a task is legal by the schema, but here tasks are calls of tools.
            violations.extend(self.definitions.violations("CallToolResult", result));
        }
        violations
    }

    /// The other shape of a result since 2026-07-28, for the methods whose definition of a whole reply names it.
    fn input_required(&self, method: &str, expected: &str, result: &Value) -> Violations {
        let mut violations = self.definitions.violations("InputRequiredResult", result);
        if !self.definitions.refers(&format!("{expected}Response"), "InputRequiredResult") {
            violations.push(format!("{method:?} cannot ask for input"));
        }
        if result.get("inputRequests").is_none() && result.get("requestState").is_none() {
            violations.push("input_required needs inputRequests or requestState".into());
        }
        violations
    }

    fn sent(&self, union: &str, message: &Value) -> Violations {
        let method = message["method"].as_str().unwrap_or_default();
        match self.definitions.message(method) {
            Some(name) if self.definitions.refers(union, name) => self.definitions.violations(name, message),
            _ => vec![format!("{method:?} is not in {union} of {}", self.revision)],
        }
    }

    fn has_result_types(&self) -> bool {
        self.definitions.has("InputRequiredResult")
    }

    /// A null id belongs to an error about a request whose id could not be read; later revisions leave the id out.
    fn null_id_is_legal(&self, reply: &Value, code: Option<i64>) -> bool {
        self.revision.as_str() < "2025-11-25"
            && reply.get("id").is_some_and(Value::is_null)
            && matches!(code, Some(PARSE_ERROR | INVALID_REQUEST))
    }
}

impl fmt::Debug for Checker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checker").field("revision", &self.revision).finish_non_exhaustive()
    }
}

fn verdict(violations: Violations) -> Result<(), Violations> {
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

#[expect(clippy::print_stderr, reason = "the reader of the test output must learn that nothing was checked")]
fn skipped(reason: &str) {
    eprintln!("SKIPPED: {reason}");
}
