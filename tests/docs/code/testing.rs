//! The code of `docs/testing.md`.

use mcp_core::{Builder, server, tool, tools};

/// Add two numbers.
#[tool]
async fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

pub fn server() -> Builder {
    server!().tools(tools![add])
}

#[tokio::test]
async fn the_function_can_be_called() {
    assert_eq!(add(2, 3).await, 5);
}

use mcp_test::Client;
use serde_json::json;

#[tokio::test]
async fn the_tool_can_be_called() {
    let client = Client::new(server());
    assert_eq!(add::on(&client).call(2, 3).await.unwrap(), 5);

    let refused = client.call("add", json!({"a": "two"})).await;
    assert!(refused.is_error && refused.to_text().contains("b"));
}

use mcp_test::assert_tools_snapshot;

#[test]
fn the_tools_equal_the_snapshot() {
    assert_tools_snapshot!(server(), "tests/snapshots/testing.tools.json");
}

#[test]
fn the_tools_pass_the_check() {
    assert_eq!(mcp_stdio::check(&server().build().unwrap()), []);
}

use mcp_test::Recording;

#[tokio::test]
async fn a_recorded_session_of_claude_code_gets_the_same_responses() {
    let recording = Recording::read("tests/recordings/testing.ndjson".as_ref()).unwrap();
    let recording = recording.mask(|answer| answer["result"]["_meta"] = json!("any version"));
    recording.replay(server()).await.unwrap();
}
