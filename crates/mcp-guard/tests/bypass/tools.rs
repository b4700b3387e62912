//! Attempts to bypass rules by tool names, URLs and invalid input.

use mcp_agent_tools::PermissionMode;
use mcp_guard::{Behavior, Layer, Rules};
use serde_json::json;

use Behavior::{Allow, Ask, Deny};

#[test]
fn tools_are_matched_by_name_and_invalid_input_is_not_allowed() {
    let rules =
        Rules::new("/code").allow(Layer::Session, "mcp__calc__*").unwrap().allow(Layer::Session, "mcp__files").unwrap();
    let rules =
        rules.deny(Layer::User, "mcp__calc__delete").unwrap().deny(Layer::User, "WebFetch(domain:evil.org)").unwrap();
    let rules = rules.allow(Layer::User, "WebFetch(domain:example.com)").unwrap().allow(Layer::User, "Bash(ls *)").unwrap();
    let rules = rules.deny(Layer::User, "Task(danger)").unwrap().deny(Layer::Policy, "mcp__x__y(z)").unwrap();
    let table = [
        ("mcp__calc__add", json!({}), Allow),
        ("mcp__calc__delete", json!({}), Deny),
        ("mcp__calc__DELETE", json!({}), Deny),
        ("mcp__calculator__add", json!({}), Ask),
        ("mcp__CALC__add", json!({}), Ask),
        ("mcp__files__read", json!({}), Allow),
        ("mcp__filesystem__read", json!({}), Ask),
        ("mcp__x__y", json!({"anything": 1}), Deny),
        ("WebFetch", json!({"url": "https://example.com/a", "prompt": "p"}), Allow),
        ("WebFetch", json!({"url": "https://example.com@evil.org/", "prompt": "p"}), Deny),
        ("WebFetch", json!({"url": "https://EVIL.org./", "prompt": "p"}), Deny),
        ("WebFetch", json!({"url": "https://sub.example.com/", "prompt": "p"}), Ask),
        ("WebFetch", json!({"url": "not an address", "prompt": "p"}), Ask),
        ("Bash", json!({"command": ["ls"]}), Ask),
        ("Bash", json!({}), Ask),
        ("bash", json!({"command": "ls"}), Ask),
        ("Task", json!({"description": "d", "prompt": "p", "subagent_type": "danger"}), Deny),
        ("Agent", json!({"description": "d", "prompt": "p", "subagent_type": "Danger"}), Deny),
        ("Agent", json!({"description": "d", "prompt": "p", "subagent_type": "Explore"}), Ask),
    ];
    for (tool, input, expected) in table {
        assert_eq!(rules.resolve(tool, &input).behavior, expected, "{tool} {input}");
    }
    let denied = Rules::new("/code").mode(PermissionMode::BypassPermissions).deny(Layer::User, "Bash(rm *)").unwrap();
    assert_eq!(denied.resolve("Bash", &json!({"command": ["rm"]})).behavior, Deny);
}

#[test]
fn a_field_of_an_unexpected_type_does_not_disable_rules() {
    let rules = Rules::new("/code").deny(Layer::User, "Read(./secrets/**)").unwrap();
    let table = [
        ("Grep", json!({"pattern": "x", "path": "secrets", "head_limit": "5"}), Deny),
        ("Grep", json!({"pattern": "x", "path": 5}), Deny),
        ("Read", json!({"file_path": "/code/secrets/key", "offset": "3"}), Deny),
        ("Read", json!({"file_path": "/code/a", "offset": "3"}), Allow),
        ("Read", json!({"file_path": ["/code/a"]}), Deny),
        ("Grep", json!({"pattern": "x", "glob": "/etc/*", "path": "/code/src"}), Ask),
        ("Glob", json!({"pattern": "../*"}), Ask),
    ];
    for (tool, input, expected) in table {
        assert_eq!(rules.resolve(tool, &input).behavior, expected, "{tool} {input}");
    }
}

#[test]
fn a_denied_command_is_denied_in_every_tool_that_runs_commands() {
    let rules = Rules::new("/code").mode(PermissionMode::BypassPermissions).deny(Layer::User, "Bash(rm *)").unwrap();
    for (tool, input) in [
        ("Monitor", json!({"command": "rm x"})),
        ("Monitor", json!({"command": ["rm"]})),
        ("PowerShell", json!({"command": "rm x"})),
    ] {
        assert_eq!(rules.resolve(tool, &input).behavior, Deny, "{tool} {input}");
    }
    assert_eq!(rules.resolve("Monitor", &json!({"command": "tail -f log"})).behavior, Allow);
}
