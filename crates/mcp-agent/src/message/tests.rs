//! Values of an unexpected type must not look like success, and are not rounded.

use serde_json::{Value, json};

use super::{Block, Message};

fn message(json: &Value) -> Message {
    serde_json::from_str(&json.to_string()).expect("a message")
}

#[test]
fn a_tool_result_with_an_unreadable_failure_has_failed() {
    for (value, failed) in
        [(json!("maybe"), true), (json!([]), true), (json!(true), true), (json!(null), false), (json!(false), false)]
    {
        let content = json!([{"type": "tool_result", "tool_use_id": "t", "content": "x", "is_error": value}]);
        let message = message(&json!({"type": "user", "message": {"role": "user", "content": content}}));
        let Message::User(user) = message else { panic!("a user message") };
        let [Block::ToolResult(result)] = user.message.content.blocks() else { panic!("a tool result") };
        assert_eq!(result.is_error, failed, "{value}");
    }
}

#[test]
fn a_delay_with_a_fraction_is_kept() {
    let retry = json!({"type": "system", "subtype": "api_retry", "attempt": 1, "max_retries": 10, "retry_delay_ms": 512.75});
    let Message::ApiRetry(retry) = message(&retry) else { panic!("a retry") };
    assert!((retry.retry_delay_ms - 512.75).abs() < 1e-9, "{retry:?}");
}
