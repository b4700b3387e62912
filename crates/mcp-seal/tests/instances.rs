//! Instances of a server with the same key continue each other's conversations.

use futures_lite::future::block_on;
use mcp_core::protocol::Revision;
use mcp_core::{AskError, Context, Server, ToolSpec, json_type, tool_fn};
use mcp_seal::{Key, Sealer};
use mcp_test::Client;
use serde_json::{Value, json};

#[json_type]
struct Word {
    word: String,
}

/// Creates an instance that shares only the key with others.
fn instance(key: u8) -> Client {
    let tool = tool_fn(ToolSpec::new("sentence", "Ask for two words."), |_: Value, cx: Context| async move {
        let mut words = Vec::new();
        for question in ["The first word?", "The second word?"] {
            let answer = cx.elicit::<Word>(question).await?.accepted();
            words.push(answer.map_or_else(String::new, |answer| answer.word));
        }
        Ok::<_, AskError>(words.join(" "))
    });
    let server = Server::builder("cluster", "1.0.0").tools(tool).seal(Sealer::new(Key::from_bytes([key; 32])));
    Client::with_capabilities(server, Revision::NEWEST, json!({"elicitation": {}}))
}

/// Returns the parameters of the next call, with the answer to the only question of a result.
fn answered(asked: &Value, word: &str) -> Value {
    let key = asked["inputRequests"].as_object().unwrap().keys().next().unwrap();
    let answer = json!({"action": "accept", "content": {"word": word}});
    json!({"name": "sentence", "inputResponses": {key: answer}, "requestState": asked["requestState"]})
}

#[test]
fn each_request_may_go_to_another_instance() {
    block_on(async {
        let first = instance(1).request("tools/call", json!({"name": "sentence"})).await.unwrap();
        assert_eq!(first["resultType"], "input_required");
        let second = instance(1).request("tools/call", answered(&first, "good")).await.unwrap();
        assert_eq!(second["resultType"], "input_required");
        let third = instance(1).request("tools/call", answered(&second, "tea")).await.unwrap();
        assert_eq!(third["content"][0]["text"], "good tea");
    });
}

#[test]
fn another_key_and_changed_state_are_refused_with_a_clear_error() {
    block_on(async {
        let first = instance(1).request("tools/call", json!({"name": "sentence"})).await.unwrap();
        let good = answered(&first, "good");
        let mut tampered = good.clone();
        let state = tampered["requestState"].as_str().unwrap();
        let last = if state.ends_with('A') { "B" } else { "A" };
        tampered["requestState"] = json!(format!("{}{last}", &state[..state.len() - 1]));
        let mut other_arguments = good.clone();
        other_arguments["arguments"] = json!({"loud": true});
        for (key, call) in [(2, good), (1, tampered), (1, other_arguments)] {
            let error = instance(key).request("tools/call", call).await.unwrap_err();
            assert_eq!(error.code.0, -32602);
            assert!(error.message.contains("invalid `requestState`"), "{error}");
        }
    });
}
