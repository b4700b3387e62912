use std::{fmt, sync::Arc};

use serde_json::Value;

use crate::definitions::Definitions;
use crate::generated;
use crate::tasks_extension;

/// The faults of a message, one sentence for each.
pub type Violations = Vec<String>;

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;

/// Checks the messages that a server sends in one protocol revision.
///
/// Cheap to create and to share between threads: each definition is compiled once in a process, when it is first needed.
pub struct Checker {
    revision: String,
    definitions: Arc<Definitions>,
}

impl Checker {
    /// The checker of a revision. The first call on a machine generates the schemas, which needs Python and the network.
    ///
    /// If that is not possible, the check is reported as skipped, and the result is `None`.
    ///
    /// # Panics
    ///
    /// If there is no such revision, or if the schemas cannot be generated and `CI=true`.
    #[must_use]
    pub fn new(revision: &str) -> Option<Self> {
        Some(Self { revision: revision.to_owned(), definitions: generated::definitions(revision)? })
    }

    /// The revision of this checker.
    #[must_use]
    pub fn revision(&self) -> &str {
        &self.revision
    }

    /// Checks the response to a request of `method`: its envelope, then its result or error.
    ///
    /// The response to a method that this revision does not have must be an error. If the request had no readable method,
    /// use [`Checker::check_error`].
    ///
    /// # Errors
    ///
    /// Every violation.
    pub fn check_reply(&self, method: &str, reply: &Value) -> Result<(), Violations> {
        match (reply.get("result"), reply.get("error")) {
            (Some(result), None) => verdict(self.success(method, reply, result)),
            (None, Some(_)) => self.check_error(reply),
            (Some(_), Some(_)) => verdict(vec!["a response has a result or an error, not both".into()]),
            (None, None) => verdict(vec!["a response has a result or an error".into()]),
        }
    }

    /// Checks a response that must be an error, whatever the request was.
    ///
    /// # Errors
    ///
    /// Every violation.
    pub fn check_error(&self, reply: &Value) -> Result<(), Violations> {
        if reply.get("result").is_some() || reply.get("error").is_none() {
            return verdict(vec!["an error response has an error and no result".into()]);
        }
        let code = reply["error"]["code"].as_i64();
        let mut reply = reply.clone();
        if self.null_id_is_allowed(&reply, code) {
            // JSON-RPC requires this null, but these schemas do not allow it. With another id the rest can be checked.
            reply["id"] = 0.into();
        }
        let mut violations = self.definitions.violations(self.definitions.error_response(), &reply);
        if let Some(definition) = code.and_then(|code| self.definitions.error_with_data(code)) {
            violations.extend(self.definitions.violations(definition, &reply));
        }
        verdict(violations)
    }

    /// Checks a notification that the server sent.
    ///
    /// # Errors
    ///
    /// Returns every violation. A message that only a client may send is a violation.
    pub fn check_notification(&self, notification: &Value) -> Result<(), Violations> {
        let mut violations = match notification["method"].as_str() {
            Some(tasks_extension::NOTIFICATION) if self.has_result_types() => tasks_extension::task(&notification["params"]),
            _ => self.sent("ServerNotification", notification),
        };
        violations.extend(self.definitions.violations("JSONRPCNotification", notification));
        if notification.get("id").is_some() {
            violations.push("a notification must not have an id".into());
        }
        verdict(violations)
    }

    /// Checks a request that the server sent. Since 2026-07-28 servers send no requests.
    ///
    /// # Errors
    ///
    /// Returns every violation. A message that only a client may send is a violation.
    pub fn check_request(&self, request: &Value) -> Result<(), Violations> {
        let mut violations = self.sent("ServerRequest", request);
        violations.extend(self.definitions.violations("JSONRPCRequest", request));
        verdict(violations)
    }

    fn success(&self, method: &str, reply: &Value, result: &Value) -> Violations {
        let mut violations = self.definitions.violations(self.definitions.success_response(), reply);
        if self.has_result_types() && tasks_extension::METHODS.contains(&method) {
            violations.extend(self.definitions.violations("Result", result));
            violations.extend(tasks_extension::result(method, result));
            return violations;
        }
        let (Some(request), Some(expected)) = (self.definitions.message(method), self.definitions.result(method)) else {
            violations.push(format!("{} has no method {method:?}, so the response must be an error", self.revision));
            return violations;
        };
        if !self.definitions.refers("ClientRequest", request) {
            violations.push(format!("{method:?} is not a request to a server in {}", self.revision));
        }
        match result.get("resultType").and_then(Value::as_str).filter(|_| self.has_result_types()) {
            Some("task") if method == "tools/call" => violations.extend(tasks_extension::created(result)),
            Some("input_required") => violations.extend(self.input_required(method, expected, result)),
            Some(kind) if kind != "complete" => violations.push(format!("unknown resultType {kind:?}")),
            _ if method == "tools/call" && result.get("task").is_some() && self.definitions.has("CreateTaskResult") => {
                violations.extend(self.definitions.violations("CreateTaskResult", result));
            }
            _ => violations.extend(self.definitions.violations(expected, result)),
        }
        if method == "tasks/result" {
            // The schema allows any result here, because any request can become a task. In this project only tool calls do.
            violations.extend(self.definitions.violations("CallToolResult", result));
        }
        violations
    }

    /// Checks the result that asks the client for input, and that the method allows such a result (since 2026-07-28).
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

    /// An error for a request without a readable id has a null id. Later revisions omit the id.
    fn null_id_is_allowed(&self, reply: &Value, code: Option<i64>) -> bool {
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
