//! Hooks that hang, panic or break the result.

use std::time::Duration;

use mcp_core::{Json, Server, ToolResult, schemars, serde, tool, tools};
use mcp_guard::{Guard, HookOptions, OnFailure, Opinion};
use mcp_test::Client;
use serde_json::json;

use crate::{call, folder, server};

fn options(on_failure: OnFailure) -> HookOptions {
    HookOptions::new().timeout(Duration::from_millis(20)).on_failure(on_failure)
}

#[tokio::test]
async fn a_hook_that_hangs_denies_the_call_or_is_ignored_as_chosen() {
    let folder = folder();
    for (on_failure, refused) in [(OnFailure::Deny, true), (OnFailure::Continue, false)] {
        let before = Guard::without_rules().before_with(options(on_failure), |_| std::future::pending::<Opinion>());
        let after = Guard::without_rules().after_with(options(on_failure), |_, _| std::future::pending::<ToolResult>());
        for guard in [before, after] {
            let client = Client::new(server(folder.path(), guard));
            let (text, is_error) = call(&client, "read", json!({"path": "a.txt"})).await;
            assert_eq!(is_error, refused, "{text}");
            assert_eq!(text.contains("did not finish within 20ms"), refused, "{text}");
        }
    }
}

#[tokio::test]
async fn a_hook_that_panics_denies_the_call_or_is_ignored_as_chosen() {
    let folder = folder();
    for (on_failure, refused) in [(OnFailure::Deny, true), (OnFailure::Continue, false)] {
        let guard = Guard::without_rules().before_with(options(on_failure), |_| async { panic!("on purpose") });
        let client = Client::new(server(folder.path(), guard));
        let (text, is_error) = call(&client, "read", json!({"path": "a.txt"})).await;
        assert_eq!((is_error, text.contains("panicked")), (refused, refused), "{text}");
        assert!(!text.contains("on purpose"), "the panic message may hold secrets");
    }
}

#[tokio::test]
async fn a_check_that_panics_denies_the_call() {
    let folder = folder();
    let guard = Guard::without_rules().check(|_| async { panic!("on purpose") });
    let client = Client::new(server(folder.path(), guard));
    assert!(call(&client, "read", json!({"path": "a.txt"})).await.1);
}

#[tokio::test]
async fn a_hook_reads_the_context_of_the_call() {
    let folder = folder();
    let guard = Guard::without_rules()
        .before(|call| async move { Opinion::deny(format!("{} in {}", call.context().name(), call.context().revision())) });
    let client = Client::new(server(folder.path(), guard));
    let (text, refused) = call(&client, "read", json!({"path": "a.txt"})).await;
    assert!(refused && text.starts_with("read in 20"), "{text}");
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Count {
    count: u32,
}

/// Count to three.
#[tool]
fn count() -> Json<Count> {
    Json(Count { count: 3 })
}

#[tokio::test]
async fn a_result_that_a_hook_has_changed_is_validated_against_the_output_schema() {
    let guard = Guard::without_rules().after(|_, _| async {
        let mut result = ToolResult::text("three");
        result.structured = Some(serde_json::value::to_raw_value(&json!({"count": "three"})).unwrap());
        result
    });
    let client = Client::new(Server::builder("count", "1.0.0").tools(tools![count]).hook(guard));
    let (text, is_error) = call(&client, "count", json!({})).await;
    assert!(is_error && text.contains("output schema"), "{text}");
}
