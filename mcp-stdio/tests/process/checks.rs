//! Tests of `check --against` and `check --for`.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::client::example;

fn calculator(arguments: &[&str]) -> Output {
    Command::new(example("calculator")).env_clear().args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// The tools of the calculator, with a change, as a file.
fn released(name: &str, change: impl Fn(&mut Value)) -> PathBuf {
    let mut tools: Value = serde_json::from_slice(&calculator(&["tools", "--json"]).stdout).unwrap();
    change(&mut tools["tools"]);
    let file = std::env::temp_dir().join(format!("mcp-released-{name}-{}.json", std::process::id()));
    fs::write(&file, tools.to_string()).unwrap();
    file
}

fn check(file: &PathBuf) -> (Option<i32>, String) {
    let output = calculator(&["check", "--against", file.to_str().unwrap()]);
    let _ = fs::remove_file(file);
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn a_server_does_not_break_the_clients_of_an_equal_release() {
    let (status, text) = check(&released("same", |_| {}));
    assert_eq!(status, Some(0), "{text}");
}

#[test]
fn changes_that_break_clients_of_a_release_are_named() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change, &str); 5] = [
        (
            "gone",
            |tools| tools.as_array_mut().unwrap().push(json!({"name": "power", "inputSchema": {"type": "object"}})),
            "error: tool `power`: breaking: it is gone",
        ),
        (
            "required",
            |tools| tools[0]["inputSchema"]["required"] = json!(["a"]),
            "error: tool `add`: breaking: argument `b` is now required",
        ),
        (
            "narrower",
            |tools| tools[0]["inputSchema"]["properties"]["a"]["type"] = json!("number"),
            "error: tool `add`: breaking: argument `a` was number and is integer",
        ),
        (
            "output",
            |tools| tools[2]["outputSchema"]["properties"]["median"] = json!({"type": "number"}),
            "error: tool `statistics`: breaking: `median` of the result is gone",
        ),
        (
            "unknown",
            |tools| tools[0]["inputSchema"]["properties"]["a"]["oneOf"] = json!([{"type": "integer"}, {"minimum": 5}]),
            "error: tool `add`: breaking: argument `a` has a different `oneOf`, which cannot be compared",
        ),
    ];
    for (name, change, sentence) in changes {
        let (status, text) = check(&released(name, change));
        assert!(status == Some(1) && text.contains(sentence), "{name}: {text}");
    }
}

#[test]
fn a_file_that_has_no_tools_is_an_error_and_not_a_release_without_changes() {
    let file = released("empty", |tools| *tools = Value::Null);
    let (status, text) = check(&file);
    assert!(status == Some(2) && text.contains("save the output of `tools --json`"), "{text}");
    assert_eq!(check(&file).0, Some(2), "the file does not exist any more");
}

#[test]
fn what_the_registry_and_the_directory_require_is_checked_on_request() {
    let text = |arguments: &[&str]| String::from_utf8(calculator(arguments).stdout).unwrap();
    let plain = text(&["check"]);
    assert!(plain.ends_with("0 errors, 0 warnings\n"), "{plain}");
    let directory = text(&["check", "--for", "claude-directory"]);
    assert!(directory.contains("error: tool `add`: it has no title, which Claude's directory requires"), "{directory}");
    let both = text(&["check", "--for", "claude-directory", "--for", "registry"]);
    assert!(
        both.contains("tool `add`: it has no title") && both.contains("server: it has no title: the registry"),
        "{both}"
    );
    let registry = text(&["check", "--for", "registry"]);
    let missing = "error: server: its `description` is missing; the registry rejects that: change `.description(..)`\n";
    assert!(registry.contains(missing) && registry.ends_with("1 error, 1 warning\n"), "{registry}");
    let wrong = calculator(&["check", "--for", "regstry"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("did you mean `registry`?"), "{wrong:?}");
}
