//! The extension `io.modelcontextprotocol/tasks` of 2026-07-28, which the schema of the revision leaves to others.

use serde_json::Value;

use crate::checker::Violations;

/// The methods that the extension adds.
pub(crate) const METHODS: [&str; 3] = ["tasks/get", "tasks/update", "tasks/cancel"];

/// The notification that it adds.
pub(crate) const NOTIFICATION: &str = "notifications/tasks";

/// What is wrong with a handle, which is a task without what is asked or came out.
pub(crate) fn handle(result: &Value) -> Violations {
    let mut violations = task(result);
    let stray = ["result", "error", "inputRequests", "requestState", "task", "ttl", "pollInterval"];
    violations.extend(present(result, &stray));
    violations
}

/// What is wrong with the result of one of its methods.
pub(crate) fn result(method: &str, result: &Value) -> Violations {
    if method == "tasks/get" {
        return whole(result);
    }
    present(result, &["taskId", "status", "result", "error", "inputRequests"])
}

/// What is wrong with a task that is told with all that belongs to it.
pub(crate) fn whole(told: &Value) -> Violations {
    let mut violations = task(told);
    let (asks, result, error) = (told.get("inputRequests"), told.get("result"), told.get("error"));
    let due = match told["status"].as_str().unwrap_or_default() {
        "input_required" => (true, false, false),
        "completed" => (false, true, false),
        "failed" => (false, false, true),
        _ => (false, false, false),
    };
    if (asks.is_some(), result.is_some(), error.is_some()) != due {
        violations.push(format!("a task that is {} has other parts", told["status"]));
    }
    if asks.is_some_and(|asks| !asks.as_object().is_some_and(|asks| asks.values().all(|ask| ask["method"].is_string()))) {
        violations.push("`inputRequests` are requests by key".into());
    }
    if error.is_some_and(|error| !error["code"].is_i64() || !error["message"].is_string()) {
        violations.push("`error` has a code and a message".into());
    }
    violations.extend(present(told, &["requestState", "task", "ttl", "pollInterval"]));
    violations
}

fn task(told: &Value) -> Violations {
    let mut violations = Violations::new();
    let mut need = |holds: bool, what: &str| {
        if !holds {
            violations.push(format!("a task has {what}"));
        }
    };
    need(told["taskId"].is_string(), "a `taskId`");
    let statuses = ["working", "input_required", "completed", "failed", "cancelled"];
    need(told["status"].as_str().is_some_and(|status| statuses.contains(&status)), "a known `status`");
    for date in ["createdAt", "lastUpdatedAt"] {
        let is_date = |text: &str| text.len() >= 20 && text.as_bytes()[10] == b'T';
        need(told[date].as_str().is_some_and(is_date), &format!("a date as `{date}`"));
    }
    need(told.get("ttlMs").is_some_and(|ttl| ttl.is_null() || ttl.is_u64()), "a `ttlMs`, be it null");
    need(told.get("pollIntervalMs").is_none_or(Value::is_u64), "whole milliseconds as `pollIntervalMs`");
    need(told.get("statusMessage").is_none_or(Value::is_string), "text as `statusMessage`");
    violations
}

fn present(told: &Value, stray: &[&str]) -> Violations {
    stray.iter().filter(|key| told.get(**key).is_some()).map(|key| format!("`{key}` does not belong here")).collect()
}
