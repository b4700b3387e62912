//! Tool uses that work in another directory than that of the rules, as after `cd` in an earlier command.

use mcp_guard::{Behavior, Layer, Rules};
use serde_json::{Value, json};

use super::project::Project;

#[test]
fn relative_paths_are_relative_to_the_directory_that_a_tool_use_works_in() {
    let project = Project::new();
    let rules = Rules::new(&project.work).allow(Layer::Session, "Bash").unwrap();
    let rules = rules.deny(Layer::User, "Read(.env)").unwrap().deny(Layer::User, "Edit(./secrets/**)").unwrap();
    let behavior =
        |directory: &str, tool: &str, input: Value| rules.resolve_in(project.work.join(directory), tool, &input).behavior;
    let command = |directory, command: &str| behavior(directory, "Bash", json!({ "command": command }));
    let table = [
        ("src", "cat ../.env", Behavior::Deny),
        ("src", "cat < ../.env", Behavior::Deny),
        ("src", "cat ../.en?", Behavior::Ask),
        ("src", "cat ../*", Behavior::Ask),
        ("src", "cat main.rs", Behavior::Allow),
        ("src/deep", "cat ../../.env", Behavior::Deny),
        ("src/deep", "cat ../.env", Behavior::Deny),
        ("secrets", "echo x > key", Behavior::Deny),
        ("secrets", "cat key", Behavior::Allow),
        ("src", "echo x > key", Behavior::Allow),
        ("../outside", "cat ../work/.env", Behavior::Deny),
        ("../outside", "cat file", Behavior::Allow),
    ];
    for (directory, line, expected) in table {
        assert_eq!(command(directory, line), expected, "{line} in {directory}");
    }
    assert_eq!(behavior("src", "Grep", json!({"pattern": "x", "path": "../.env"})), Behavior::Deny);
    assert_eq!(behavior("secrets", "Write", json!({"file_path": "key", "content": "x"})), Behavior::Deny);
    assert_eq!(behavior("", "Bash", json!({"command": "cat .env"})), Behavior::Deny, "no directory is that of the rules");
}

#[test]
fn git_is_asked_about_in_another_directory_because_its_configuration_may_run_commands() {
    let project = Project::new();
    let rules = Rules::new(&project.work).allow(Layer::Session, "Bash").unwrap().deny(Layer::User, "Bash(rm *)").unwrap();
    let behavior = |directory: &str, command: &str| {
        rules.resolve_in(project.work.join(directory), "Bash", &json!({ "command": command })).behavior
    };
    assert_eq!(behavior("", "git status"), Behavior::Allow);
    assert_eq!(behavior("src/..", "git status"), Behavior::Allow);
    assert_eq!(behavior("src", "git status"), Behavior::Ask);
    assert_eq!(behavior("src", "ls"), Behavior::Allow);
    assert_eq!(behavior("src", "rm x"), Behavior::Deny);
}
