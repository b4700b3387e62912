//! Tables of attempts to bypass rules, with the expected decisions.
#![cfg(unix)]

mod commands;
mod paths;
mod tools;

use mcp_guard::{Behavior, Rules};
use serde_json::json;

fn bash(rules: &Rules, command: &str) -> Behavior {
    rules.resolve("Bash", &json!({"command": command})).behavior
}
