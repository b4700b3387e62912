//! Tests of tool snapshots.

use mcp_core::{Builder, Server, ToolSpec, tool, tool_fn, tools};
use mcp_test::{ToolChange, assert_tools_snapshot, check_tools};
use serde_json::{Value, json};

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn calc() -> Builder {
    Server::builder("calc", "1.0.0").tools(tools![add])
}

fn with(description: &'static str, kind: &str) -> Builder {
    let schema = json!({"type": "object", "properties": {"x": {"type": kind}}});
    let spec = ToolSpec::new("half", description).input_schema(schema);
    calc().tools(tool_fn(spec, |_: Value, _| async { "half" }))
}

#[test]
fn the_tools_equal_the_committed_snapshot() {
    assert_tools_snapshot!(calc());
    assert_tools_snapshot!(calc(), "tests/snapshots/calc.tools.json");
}

#[test]
fn added_removed_and_changed_tools_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calc.json");
    let tools =
        with("Halve it.", "integer").build().unwrap().tools_list_result(mcp_core::protocol::Revision::NEWEST_HANDSHAKE);
    std::fs::write(&path, tools.to_string()).unwrap();

    check_tools(with("Halve it.", "integer"), &path).unwrap();
    let error = check_tools(with("Halve it well.", "number"), &path).unwrap_err();
    let ToolChange::Changed(name, differences) = &error.changes()[0] else { panic!("{error}") };
    assert_eq!((name.as_str(), differences.len()), ("half", 2));
    let message = error.to_string();
    for part in [
        "changed `half`",
        "/description changed from \"Halve it.\"",
        "/inputSchema/properties/x/type changed from \"integer\" to \"number\"",
        "UPDATE_SNAPSHOTS=1",
    ] {
        assert!(message.contains(part), "no {part} in {message}");
    }
    assert_eq!(check_tools(calc(), &path).unwrap_err().changes(), [ToolChange::Removed("half".into())]);
    let more = with("Halve it.", "integer").tools(tool_fn(ToolSpec::new("new", "New."), |_: Value, _| async { "" }));
    assert_eq!(check_tools(more, &path).unwrap_err().changes(), [ToolChange::Added("new".into())]);
}

#[test]
fn the_error_for_a_missing_snapshot_says_how_to_write_it() {
    let folder = tempfile::tempdir().unwrap();
    let error = check_tools(calc(), &folder.path().join("none.json")).unwrap_err();
    assert!(error.changes().is_empty() && error.to_string().contains("UPDATE_SNAPSHOTS=1"), "{error}");
}
