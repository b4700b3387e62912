//! The extension `io.modelcontextprotocol/tasks` of 2026-07-28. The schemas of the revision do not contain it.

use serde_json::Value;

use crate::checker::Violations;

/// The methods of the extension.
pub(crate) const METHODS: [&str; 3] = ["tasks/get", "tasks/update", "tasks/cancel"];

/// The notification of the extension.
pub(crate) const NOTIFICATION: &str = "notifications/tasks";

/// Checks the result of a call that became a task: the task without its outcome.
pub(crate) fn created(result: &Value) -> Violations {
    let mut violations = common(result);
    let forbidden = ["result", "error", "inputRequests", "requestState", "task", "ttl", "pollInterval"];
    violations.extend(present(result, &forbidden));
    violations
}

/// Checks the result of one of the methods.
pub(crate) fn result(method: &str, result: &Value) -> Violations {
    if method == "tasks/get" {
        return task(result);
    }
    present(result, &["taskId", "status", "result", "error", "inputRequests"])
}

/// Checks a complete task: its state and what belongs to the state.
pub(crate) fn task(task: &Value) -> Violations {
    let mut violations = common(task);
    let (input, result, error) = (task.get("inputRequests"), task.get("result"), task.get("error"));
    let expected = match task["status"].as_str().unwrap_or_default() {
        "input_required" => (true, false, false),
        "completed" => (false, true, false),
        "failed" => (false, false, true),
        _ => (false, false, false),
    };
    if (input.is_some(), result.is_some(), error.is_some()) != expected {
        violations.push(format!("`inputRequests`, `result` and `error` do not match the status {}", task["status"]));
    }
    let is_request = |request: &Value| request["method"].is_string();
    if input.is_some_and(|input| !input.as_object().is_some_and(|requests| requests.values().all(is_request))) {
        violations.push("`inputRequests` must be an object of requests".into());
    }
    if error.is_some_and(|error| !error["code"].is_i64() || !error["message"].is_string()) {
        violations.push("`error` must have a code and a message".into());
    }
    violations.extend(present(task, &["requestState", "task", "ttl", "pollInterval"]));
    violations
}

/// Checks the fields that every task has.
fn common(task: &Value) -> Violations {
    let mut violations = Violations::new();
    let mut require = |holds: bool, what: &str| {
        if !holds {
            violations.push(format!("a task must have {what}"));
        }
    };
    require(task["taskId"].is_string(), "a `taskId`");
    let statuses = ["working", "input_required", "completed", "failed", "cancelled"];
    require(task["status"].as_str().is_some_and(|status| statuses.contains(&status)), "a known `status`");
    for date in ["createdAt", "lastUpdatedAt"] {
        let is_date = |text: &str| text.len() >= 20 && text.as_bytes()[10] == b'T';
        require(task[date].as_str().is_some_and(is_date), &format!("a date in `{date}`"));
    }
    require(task.get("ttlMs").is_some_and(|ttl| ttl.is_null() || ttl.is_u64()), "whole milliseconds or null in `ttlMs`");
    require(task.get("pollIntervalMs").is_none_or(Value::is_u64), "whole milliseconds in `pollIntervalMs`");
    require(task.get("statusMessage").is_none_or(Value::is_string), "text in `statusMessage`");
    violations
}

fn present(task: &Value, forbidden: &[&str]) -> Violations {
    forbidden.iter().filter(|key| task.get(**key).is_some()).map(|key| format!("`{key}` is not allowed here")).collect()
}
