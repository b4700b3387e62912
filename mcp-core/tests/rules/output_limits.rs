//! Limits on the size of results, and the size of error messages.

use std::collections::BTreeMap;

use mcp_core::{Builder, Json, Limits, Server, tool, tools};
use serde_json::{Map, Value, json};

use crate::session::Peer;

/// Return `bytes` bytes of text.
#[tool]
fn flood(bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Return `bytes` bytes of text, at most a hundred.
#[tool(max_output = 100)]
fn drip(bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Return `count` numbers.
#[tool]
fn numbers(count: u32) -> Json<BTreeMap<String, u32>> {
    Json((0..count).map(|number| (number.to_string(), number)).collect())
}

fn server(output: usize) -> Builder {
    Server::builder("output", "1.0.0").tools(tools![flood, drip, numbers]).limits(Limits::default().output(output))
}

fn call(server: Builder, tool: &str, arguments: Value) -> Value {
    Peer::with_revision("2025-11-25", server).ask("tools/call", json!({"name": tool, "arguments": arguments}))["result"]
        .take()
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}"))
}

#[test]
fn text_over_the_limit_of_the_server_is_cut_with_a_note() {
    let result = call(server(1000), "flood", json!({"bytes": 1000}));
    assert_eq!(text(&result), "x".repeat(1000));
    let result = call(server(1000), "flood", json!({"bytes": 5000}));
    assert_eq!(text(&result), format!("{}\n[cut: 1000 of 5000 bytes]", "x".repeat(1000)));
    assert_eq!(result["isError"], Value::Null);
}

#[test]
fn the_smaller_of_the_server_limit_and_the_tool_limit_applies() {
    let note = |limit: usize| format!("{}\n[cut: {limit} of 200 bytes]", "x".repeat(limit));
    assert_eq!(text(&call(server(1000), "drip", json!({"bytes": 200}))), note(100));
    assert_eq!(text(&call(server(50), "drip", json!({"bytes": 200}))), note(50));
}

#[test]
fn structured_output_over_the_limit_is_an_error_that_the_model_can_read() {
    let result = call(server(1000), "numbers", json!({"count": 10}));
    assert_eq!(result["structuredContent"]["9"], 9);
    let result = call(server(1000), "numbers", json!({"count": 1000}));
    assert_eq!(result["isError"], true);
    assert!(result.get("structuredContent").is_none(), "half of it would be another thing");
    assert!(text(&result).contains("only 1000 are allowed"), "{result}");
}

#[test]
fn the_error_for_three_hundred_thousand_undeclared_arguments_is_short() {
    let mut arguments: Map<String, Value> = (0..300_000).map(|key| (format!("key{key}"), Value::Null)).collect();
    arguments.insert("bytes".to_owned(), json!(3));
    let result = call(server(1 << 20), "flood", Value::Object(arguments));
    assert!(text(&result).len() < 10_000, "{} bytes", text(&result).len());
}
