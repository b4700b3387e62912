//! Calls every example server in memory, and checks each response against the official MCP schemas.

#[path = "../support/built_examples.rs"]
#[allow(dead_code, reason = "other test targets use the rest")]
mod built_examples;
#[path = "../support/example_servers.rs"]
#[allow(dead_code, reason = "other test targets use the rest")]
mod example_servers;

use std::process::Command;

use mcp_core::Builder;
use mcp_core::protocol::Revision;
use mcp_schema_check::Checker;
use mcp_test::Client;
use serde_json::json;

use crate::built_examples::example;
use crate::example_servers::{calculator, dynamic, notes, progress, search, state};

/// A client that checks every response against the official schema of its revision.
fn client(server: Builder) -> Client {
    with_schema_check(Client::new(server))
}

fn with_schema_check(client: Client) -> Client {
    client.inspect(|revision, method, reply| {
        if let Some(checker) = Checker::new(revision.as_str()) {
            checker.check_reply(method, reply).unwrap_or_else(|violations| panic!("{reply}\n{}", violations.join("\n")));
        }
    })
}

#[test]
fn hello_adds_from_the_command_line() {
    let output = Command::new(example("hello")).args(["call", "add", "a=2", "b=3"]).output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stdout).trim()), (Some(0), "5"));
}

#[tokio::test]
async fn the_calculator_adds_divides_and_summarises() {
    let client = client(calculator::server());
    assert_eq!(client.call("add", json!({"a": 2, "b": 3})).await.to_text(), "5");
    assert_eq!(client.call("divide", json!({"a": 1, "b": 4})).await.to_text(), "0.25");

    let failure = client.call("divide", json!({"a": 1, "b": 0})).await;
    assert!(failure.is_error);
    assert_eq!(failure.to_text(), "division by zero: give a `b` other than 0");

    let summary: serde_json::Value = client.call_as("statistics", json!({"numbers": [1, 2, 6]})).await;
    assert_eq!(summary, json!({"count": 3, "mean": 3.0, "min": 1.0, "max": 6.0}));
    assert!(client.call("statistics", json!({"numbers": []})).await.is_error);
}

#[tokio::test]
async fn the_calculator_names_every_invalid_argument() {
    let client = client(calculator::server());
    let refusal = client.call("add", json!({"a": "two", "c": 3})).await;
    assert!(refusal.is_error);
    let text = refusal.to_text();
    for part in ["a", "integer", "two", "b", "c"] {
        assert!(text.contains(part), "no {part} in: {text}");
    }
}

#[tokio::test]
async fn state_is_shared_between_calls_and_tools() {
    let client = client(state::server());
    assert_eq!(client.call("counter_bump", json!({})).await.to_text(), "1");
    assert_eq!(client.call("counter_bump", json!({"by": -4})).await.to_text(), "-3");
    assert_eq!(client.call("counter_value", json!({})).await.to_text(), "-3");
    assert_eq!(client.call("note_add", json!({"text": "buy milk"})).await.to_text(), "1");
    assert_eq!(client.call("note_read", json!({"number": 1})).await.to_text(), "buy milk");
    assert_eq!(
        client.call("note_read", json!({"number": 2})).await.to_text(),
        "there is no note 2: give a number from 1 to 1"
    );
}

#[tokio::test(start_paused = true)]
async fn boiling_reports_progress_and_logs() {
    let client = client(progress::server());
    assert_eq!(client.call("boil", json!({"seconds": 3})).await.to_text(), "boiled for 3 s");
    let notifications = client.take_notifications();
    assert_eq!(notifications[0]["params"]["data"], "boiling for 3 s");
    assert_eq!(notifications.last().unwrap()["params"]["progress"], 2);
}

#[tokio::test]
async fn a_cancelled_call_gets_no_response() {
    let client = with_schema_check(Client::with_revision(progress::server(), Revision::V2024_11_05));
    let egg = client.begin("boil", json!({"seconds": 1000}));
    egg.cancel();
    assert!(egg.await.is_none());
}

#[tokio::test]
async fn a_blocking_tool_returns_a_result_and_can_be_cancelled() {
    let client = client(progress::server());
    assert_eq!(client.call("largest_prime_below", json!({"limit": 100})).await.to_text(), "97");
    let search = client.begin("largest_prime_below", json!({"limit": u64::MAX}));
    search.cancel();
    assert!(search.await.is_none());
}

#[tokio::test]
async fn tools_created_at_run_time_are_listed_and_called() {
    let client = client(dynamic::server());
    let names: Vec<_> = client.list_tools().await.iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["miles_to_kilometres", "pounds_to_kilograms", "inches_to_centimetres"]);
    assert_eq!(client.call("inches_to_centimetres", json!({"amount": 2})).await.to_text(), "5.08 centimetres");
    assert!(client.call("inches_to_centimetres", json!({"amount": -2})).await.to_text().contains("amount"));
}

#[tokio::test]
async fn files_and_lines_are_found_only_under_the_root() {
    let root = std::env::temp_dir().join(format!("mcp-files-example-{}", std::process::id()));
    std::fs::create_dir_all(root.join("inner")).unwrap();
    std::fs::write(root.join("inner/egg.txt"), "white\nyellow yolk\n").unwrap();
    std::fs::write(root.join("spoon.md"), "silver\nyellow\n").unwrap();
    std::fs::write(root.join("binary"), b"\xff\xfeyellow\n").unwrap();
    let client = client(search::server(root.clone()));

    let egg = format!("inner{}egg.txt", std::path::MAIN_SEPARATOR);
    assert_eq!(client.call("find", json!({"name": "egg"})).await.to_text(), egg);
    let found = client.call("find", json!({"name": "", "limit": 2})).await;
    assert_eq!(found.content.len(), 2);
    let hits: serde_json::Value = client.call_as("grep", json!({"text": "yellow"})).await;
    let expected =
        json!([{"file": egg, "line": 2, "text": "yellow yolk"}, {"file": "spoon.md", "line": 2, "text": "yellow"}]);
    assert_eq!(hits, expected);
    let hits: serde_json::Value = client.call_as("grep", json!({"text": "yellow", "extension": ".md"})).await;
    assert_eq!(hits.as_array().unwrap().len(), 1);
    for refused in [json!({"name": "x", "limit": 0}), json!({"name": "x", "limit": 10_001}), json!({"nam": "x"})] {
        assert!(client.call("find", refused.clone()).await.is_error, "{refused}");
    }
    std::fs::remove_dir_all(root).unwrap();
}

#[tokio::test]
async fn notes_written_by_a_tool_appear_in_resources_completion_and_prompts() {
    let client = Client::with_revision(notes::server(), Revision::NEWEST_HANDSHAKE);
    let read = async |uri: &str| client.request("resources/read", json!({"uri": uri})).await;
    let complete = async |reference: serde_json::Value, typed: &str| {
        let params = json!({"ref": reference, "argument": {"name": "title", "value": typed}});
        client.request("completion/complete", params).await.unwrap()["completion"]["values"].take()
    };
    let prompt = || json!({"type": "ref/prompt", "name": "work_on"});
    let written = client.call("write", json!({"title": "egg-timer", "text": "Wind it up."})).await;
    assert_eq!(json!(written.content)[0]["uri"], "notes://egg-timer");

    let titles = read("notes://").await.unwrap()["contents"][0]["text"].take();
    assert_eq!(titles, r#"["egg-cups","egg-timer","eggs","tea"]"#);
    assert_eq!(read("notes://egg-timer").await.unwrap()["contents"][0]["text"], "Wind it up.");
    assert_eq!(complete(prompt(), "egg-").await, json!(["egg-cups", "egg-timer"]));
    assert_eq!(complete(json!({"type": "ref/resource", "uri": "notes://{title}"}), "t").await, json!(["tea"]));

    let work = async |arguments: serde_json::Value| {
        client.request("prompts/get", json!({"name": "work_on", "arguments": arguments})).await
    };
    let messages =
        work(json!({"title": "tea", "work": "translate", "language": "French"})).await.unwrap()["messages"].take();
    assert_eq!(messages[0]["content"]["text"], "Translate this note to French.");
    assert_eq!(messages[1]["content"]["resource"]["uri"], "notes://tea");
    assert_eq!(messages[1]["content"]["resource"]["text"], "Green, 80 °C.");

    client.call("tear_out", json!({"title": "tea"})).await;
    assert_eq!(read("notes://tea").await.unwrap_err().code, mcp_core::transport::Code::RESOURCE_NOT_FOUND);
    assert_eq!(work(json!({"title": "tea", "work": "shorten"})).await.unwrap_err().message, "there is no note `tea`");
    assert!(client.call("tear_out", json!({"title": "tea"})).await.is_error);
    assert!(client.call("write", json!({"title": "two words", "text": ""})).await.is_error);
}
