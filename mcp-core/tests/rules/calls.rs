//! `tools/call`: results, errors, cancellation, progress, log messages, hooks.

use mcp_core::ToolResult;
use mcp_core::hook::{HookCall, Next};
use serde_json::{Value, json};

use crate::session::{Peer, server, stateless};

fn peer() -> Peer {
    Peer::with_revision("2025-11-25", server())
}

fn call(id: &str, name: &str, arguments: &Value, meta: &Value) -> String {
    let params = json!({"name": name, "arguments": arguments, "_meta": meta});
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
}

#[test]
fn a_call_returns_the_result_of_the_tool() {
    let reply = peer().send(call("1", "echo", &json!({"text": "hällo\n"}), &json!({}))).unwrap();
    assert_eq!(reply, r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hällo\n"}]}}"#);
}

#[test]
fn the_result_of_a_stateless_call_has_the_server_info() {
    let reply = Peer::new(server()).json(call("1", "echo", &json!({"text": "x"}), &stateless()));
    assert_eq!(reply["result"]["resultType"], "complete");
    assert_eq!(reply["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "test");
}

#[test]
fn invalid_call_parameters_are_an_invalid_params_error() {
    let mut peer = peer();
    for params in [
        json!({}),
        json!({"name": 5}),
        json!({"name": "no such"}),
        json!({"name": "echo", "arguments": []}),
        json!({"name": "echo", "arguments": "x"}),
        json!({"name": "echo", "arguments": {"text": "x"}, "_meta": {"progressToken": {}}}),
    ] {
        assert_eq!(peer.ask("tools/call", params.clone())["error"]["code"], -32602, "{params}");
    }
    assert_eq!(peer.in_flight(), 0);
}

#[test]
fn missing_arguments_are_treated_as_an_empty_object() {
    for params in [json!({"name": "fail"}), json!({"name": "fail", "arguments": null})] {
        assert_eq!(peer().ask("tools/call", params)["result"]["isError"], true);
    }
}

#[test]
fn arguments_that_violate_the_schema_give_an_error_result() {
    let result = peer().ask("tools/call", json!({"name": "echo", "arguments": {"text": 5}}))["result"].take();
    assert_eq!(result["isError"], true);
    assert!(result["content"][0]["text"].as_str().unwrap().contains("text"), "{result}");
}

#[test]
fn a_failing_tool_returns_its_error_text() {
    let result = peer().ask("tools/call", json!({"name": "fail"}))["result"].take();
    assert_eq!(result, json!({"content": [{"type": "text", "text": "the disk is full"}], "isError": true}));
}

#[test]
fn a_panic_gives_an_error_result_without_the_panic_text_and_the_session_continues() {
    let mut peer = peer();
    for name in ["panic", "panic_early"] {
        let result = peer.ask("tools/call", json!({"name": name}))["result"].take();
        assert_eq!(result["isError"], true);
        assert!(!result.to_string().contains("secret"), "{result}");
        assert_eq!(peer.in_flight(), 0);
    }
    assert_eq!(peer.ask("ping", json!({}))["result"], json!({}));
}

#[test]
fn a_cancelled_call_gets_no_response() {
    let mut peer = peer();
    assert_eq!(peer.send(call(r#""\u0061""#, "wait", &json!({}), &json!({}))), None);
    assert_eq!((peer.pending(), peer.in_flight()), (1, 1));
    for nonsense in ["7", "null", "{}", r#""b""#] {
        peer.send(format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{nonsense}}}}}"#));
    }
    assert_eq!((peer.poll(), peer.pending()), (Vec::new(), 1));
    peer.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"enough"}}"#);
    assert_eq!((peer.poll(), peer.pending(), peer.in_flight()), (Vec::new(), 0, 0));
}

#[test]
fn an_id_can_be_reused_after_a_cancellation_and_the_cancelled_call_does_not_affect_the_new_one() {
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let mut peer = peer();
    assert_eq!(peer.send(call("1", "wait", &json!({}), &json!({}))), None);
    peer.send(cancel);
    // The first call notices its cancellation in this poll, after the second call has taken its id.
    let second = peer.begin(call("1", "wait", &json!({}), &json!({})));
    assert_eq!((peer.poll(), peer.pending(), peer.in_flight()), (Vec::new(), 0, 1));
    peer.adopt(second);
    assert_eq!(peer.error(call("1", "echo", &json!({"text": "x"}), &json!({}))), (-32600, Some(json!(1))));
    peer.send(cancel);
    assert_eq!((peer.poll(), peer.pending(), peer.in_flight()), (Vec::new(), 0, 0));
}

#[test]
fn an_id_that_is_in_flight_is_rejected() {
    let mut peer = peer();
    assert_eq!(peer.send(call("1", "wait", &json!({}), &json!({}))), None);
    assert_eq!(peer.error(call("1", "echo", &json!({"text": "x"}), &json!({}))), (-32600, Some(json!(1))));
    assert_eq!(peer.in_flight(), 1, "the first call goes on");
    assert!(peer.send(call(r#""1""#, "echo", &json!({"text": "x"}), &json!({}))).is_some(), "a string is another id");
}

#[test]
fn progress_is_sent_only_if_the_request_has_a_token() {
    let mut peer = peer();
    peer.send(call("1", "wait", &json!({}), &json!({})));
    assert_eq!(peer.notifications(), Vec::<Value>::new());
    peer.send(call("2", "wait", &json!({}), &json!({"progressToken": "t"})));
    let params = json!({"progressToken": "t", "progress": 1, "total": 2, "message": "half way"});
    assert_eq!(peer.notifications(), [json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})]);
}

#[test]
fn in_2024_11_05_progress_has_no_message() {
    let mut peer = Peer::with_revision("2024-11-05", server());
    peer.send(call("2", "wait", &json!({}), &json!({"progressToken": 7})));
    assert_eq!(peer.notifications()[0]["params"], json!({"progressToken": 7, "progress": 1, "total": 2}));
}

#[test]
fn log_messages_below_the_configured_level_are_not_sent() {
    let mut peer = peer();
    let levels = |peer: &mut Peer, meta: Value| -> Vec<String> {
        assert!(peer.send(call("1", "log", &json!({}), &meta)).is_some());
        peer.notifications().iter().map(|message| message["params"]["level"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(levels(&mut peer, json!({})), ["warning"]);
    assert_eq!(peer.ask("logging/setLevel", json!({"level": "debug"}))["result"], json!({}));
    assert_eq!(levels(&mut peer, json!({})), ["debug", "warning"]);
    assert_eq!(peer.ask("logging/setLevel", json!({"level": "loud"}))["error"]["code"], -32602);
    assert_eq!(levels(&mut peer, stateless()), Vec::<String>::new(), "a stateless request must ask for logs");
    let mut meta = stateless();
    meta["io.modelcontextprotocol/logLevel"] = json!("info");
    assert_eq!(levels(&mut peer, meta), ["warning"]);
}

#[test]
fn hooks_wrap_every_call_in_registration_order() {
    let outer = |call: HookCall, next: Next| async move {
        if call.arguments().get().contains("forbidden") {
            return ToolResult::error("refused");
        }
        let result = next.run(call).await;
        ToolResult::text(format!("outer({})", result.to_text()))
    };
    let inner = |mut call: HookCall, next: Next| async move {
        if call.name() == "echo" {
            call.set_arguments(&json!({"text": "rewritten"})).unwrap();
        }
        assert_ne!(call.name(), "log", "a hook may panic too");
        let result = next.run(call).await;
        ToolResult::text(format!("inner({})", result.to_text()))
    };
    let mut peer = Peer::with_revision("2025-11-25", server().hook(outer).hook(inner));
    let mut text = |name: &str, arguments: Value| {
        let result = peer.json(call("1", name, &arguments, &json!({})))["result"].take();
        result["content"][0]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(text("echo", json!({"text": "x"})), "outer(inner(rewritten))");
    assert_eq!(text("echo", json!({"text": "forbidden"})), "refused");
    assert!(text("log", json!({})).contains("panicked"));
}

#[test]
fn a_hook_can_check_the_arguments_without_running_the_tool() {
    let checked = |call: HookCall, _: Next| async move {
        match call.check() {
            Ok(()) => ToolResult::text("valid"),
            Err(refusal) => refusal,
        }
    };
    let text = |peer: &mut Peer, arguments: Value| {
        let result = peer.json(call("1", "echo", &arguments, &json!({})))["result"].take();
        result["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let (mut hooked, mut plain) = (Peer::with_revision("2025-11-25", server().hook(checked)), peer());
    assert_eq!(text(&mut hooked, json!({"text": "x"})), "valid");
    for wrong in [json!({"text": 5}), json!({})] {
        let refusal = text(&mut hooked, wrong.clone());
        assert!(refusal.starts_with("invalid arguments:"), "{refusal}");
        assert_eq!(refusal, text(&mut plain, wrong), "in the tool's own words");
    }
    // An undeclared key may be an alias, which only the type knows.
    assert_eq!(text(&mut hooked, json!({"words": "x"})), "valid");
}
