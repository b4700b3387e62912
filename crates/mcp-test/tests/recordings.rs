//! Tests of replaying recordings.

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

/// Returns a server whose tool `add` returns wrong results.
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
fn an_unchanged_server_passes_the_replay() {
    assert_eq!(recording().messages().len(), 10);
    block_on(recording().replay(server())).unwrap();
}

#[test]
fn a_changed_response_is_reported_with_its_differences() {
    let error = block_on(recording().replay(broken())).unwrap_err();
    let [changed] = error.changed() else { panic!("{error}") };
    assert!(changed.request.contains("\"id\":2"), "{}", changed.request);
    let difference = &changed.differences[0];
    assert_eq!(difference.path, "/result/content/0/text");
    assert_eq!((&difference.was, &difference.is), (&Some(json!("5")), &Some(json!("-1"))));
}

#[test]
fn masked_values_are_not_compared() {
    let masked = recording().mask(|answer| answer["result"]["content"] = json!([]));
    block_on(masked.replay(broken())).unwrap();
}

#[test]
fn the_error_for_an_invalid_line_has_its_number() {
    let error = Recording::parse("{\"ms\":1,\"from\":\"client\",\"message\":{}}\noops\n").unwrap_err();
    assert_eq!(error.to_string(), "line 2 of the recording is invalid");
}
