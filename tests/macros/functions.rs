//! Tests of functions as tools.

use mcp_core::{Context, Server, tool, tools};
use serde_json::json;

use crate::asking::{call, describe, finish, text};

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

/// Say hello.
///
/// - in **one** language
#[tool(name = "say-hello", title = "Hello", read_only, open_world = false, timeout = "1.5s", meta("acme/x" = 1))]
fn hello(
    /// whom
    name: String,
    #[default("Hello")] greeting: String,
    #[default(1)] times: u32,
    suffix: Option<String>,
) -> String {
    format!("{}{}", format!("{greeting}, {name}").repeat(times as usize), suffix.unwrap_or_default())
}

struct Store(&'static str);

use mcp_core::Context as Cx;

/// Use the state of the server.
#[tool]
async fn look(cx: &Cx, store: &Store, again: &Context, at: Option<usize>) -> String {
    assert_eq!(cx.request_id(), again.request_id());
    format!("{}: {}", cx.name(), &store.0[at.unwrap_or(0)..])
}

/// Have the name of a keyword.
#[tool]
fn r#match(r#type: String, #[default(2)] r#loop: u8, add: i64) -> String {
    format!("{} {} {add}", r#type, r#loop)
}

#[test]
fn keywords_can_be_names() {
    let result = call(Server::builder("test", "1").tools(tools![r#match]), "match", json!({"type": "a", "add": 1}));
    assert_eq!(text(&result), ("a 2 1".into(), false));
}

fn server() -> mcp_core::Builder {
    Server::builder("test", "1").tools(tools![add, hello, look]).state(Store("stored"))
}

#[test]
fn the_function_can_still_be_called_directly() {
    assert_eq!(finish(add(1, 2)), 3);
}

#[test]
fn the_tool_can_be_called() {
    assert_eq!(text(&call(server(), "add", json!({"a": 1, "b": 2}))), ("3".into(), false));
    assert_eq!(text(&call(server(), "say-hello", json!({"name": "Bob"}))), ("Hello, Bob".into(), false));
    assert_eq!(text(&call(server(), "look", json!({"at": 2}))), ("look: ored".into(), false));
}

#[test]
fn missing_state_is_an_error_when_the_server_is_built() {
    let error = Server::builder("test", "1").tools(tools![look]).build().unwrap_err().to_string();
    assert!(error.contains("look") && error.contains("functions::Store"), "{error}");
    assert!(error.contains("the server has none"), "{error}");
}

#[test]
fn state_that_was_registered_in_an_arc_gives_a_hint() {
    let state = std::sync::Arc::new(Store("stored"));
    let error = Server::builder("test", "1").tools(tools![look]).state(state).build().unwrap_err().to_string();
    assert!(error.contains("functions::Store") && error.contains("borrow `&Arc<..>`"), "{error}");
}

#[test]
fn the_tool_list_has_the_doc_comments_and_attributes() {
    let add = describe(server(), "add");
    assert_eq!(add["description"], "Add two numbers.");
    assert_eq!(add["inputSchema"]["properties"]["a"]["description"], "left addend");
    assert_eq!(add["inputSchema"]["required"], json!(["a", "b"]));
    let hello = describe(server(), "say-hello");
    assert_eq!(hello["description"], "Say hello.\n\n- in **one** language");
    assert_eq!(hello["inputSchema"]["properties"]["greeting"]["default"], "Hello");
    assert_eq!(hello["inputSchema"]["properties"]["times"]["default"], 1);
    assert_eq!(hello["inputSchema"]["required"], json!(["name"]));
    assert_eq!(hello["_meta"], json!({"acme/x": 1}));
    assert_eq!(hello["annotations"], json!({"readOnlyHint": true, "openWorldHint": false}));
}
