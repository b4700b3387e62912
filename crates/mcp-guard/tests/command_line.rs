//! The command `mcp-guard explain`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::json;

fn explain(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-guard"));
    command.arg("explain").args(arguments).env_clear();
    command.arg("--directory").arg(folder.join("work")).arg("--home").arg(folder.join("home")).output().unwrap()
}

#[test]
fn the_decision_and_the_rules_behind_it_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["work/.claude", "home/.claude"] {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    let settings = json!({"permissions": {"allow": ["Bash"], "deny": ["Read(.env)"]}});
    fs::write(root.join("home/.claude/settings.json"), settings.to_string()).unwrap();
    let output = explain(root, &["Bash", r#"{"command": "cat .env"}"#]);
    let expected = "deny: the rule Read(.env) denies it\n  user deny Read(.env): matches\n  user allow Bash: matches\n";
    assert_eq!((String::from_utf8_lossy(&output.stdout).as_ref(), output.status.code()), (expected, Some(0)));
    let output = explain(root, &["Bash", r#"{"command": "cat $F"}"#]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("ask: the rule Read(.env) may deny it\n"));
}

#[test]
fn a_wrong_command_line_is_an_error_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, error) in [(vec!["Bash"], "usage: mcp-guard explain"), (vec!["Bash", "{"], "not valid JSON")] {
        let output = explain(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(error), "{arguments:?}");
    }
}
