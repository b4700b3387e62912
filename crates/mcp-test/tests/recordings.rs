//! Recorded conversations, had again.

use futures_lite::future::block_on;
use mcp_core::{Builder, Context, Server, tool, tools};
use mcp_test::Recording;
use serde_json::json;

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Ask the client where it works.
#[tool]
async fn where_are_we(cx: &Context) -> String {
    match cx.roots().await {
        Ok(roots) => roots.iter().map(|root| root.uri.as_str()).collect::<Vec<_>>().join(" "),
        Err(error) => error.to_string(),
    }
}

fn server() -> Builder {
    Server::builder("calc", "1.0.0").tools(tools![add, where_are_we])
}

/// Adds wrongly.
fn broken() -> Builder {
    /// Add two numbers.
    #[tool]
    fn add(a: i64, b: i64) -> i64 {
        a - b
    }
    Server::builder("calc", "1.0.0").tools(tools![add, where_are_we])
}

fn recording() -> Recording {
    Recording::parse(include_str!("talk.ndjson")).unwrap()
}

#[test]
fn the_same_server_gives_the_same_answers() {
    assert_eq!(recording().messages().len(), 10);
    block_on(recording().replay(server())).unwrap();
}

#[test]
fn another_answer_is_found_and_where_it_differs() {
    let error = block_on(recording().replay(broken())).unwrap_err();
    let [differing] = error.differing() else { panic!("{error}") };
    assert!(differing.to.contains("\"id\":2"), "{}", differing.to);
    assert_eq!(differing.differences[0].path, "/result/content/0/text");
    assert_eq!((&differing.differences[0].was, &differing.differences[0].is), (&Some(json!("5")), &Some(json!("-1"))));
}

#[test]
fn what_is_masked_is_not_compared() {
    let masked = recording().mask(|answer| answer["result"]["content"] = json!([]));
    block_on(masked.replay(broken())).unwrap();
}

#[test]
fn a_line_that_is_none_is_named() {
    let error = Recording::parse("{\"ms\":1,\"from\":\"client\",\"message\":{}}\noops\n").unwrap_err();
    assert_eq!(error.to_string(), "line 2 is not of a recording");
}
