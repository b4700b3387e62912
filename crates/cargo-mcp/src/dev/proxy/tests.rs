//! Tests of the proxy without processes.

use super::*;

const STREAM: &str = SUBSCRIPTION_ID;
const REVISION: &str = PROTOCOL_VERSION;
const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

/// A proxy whose client has completed the handshake with process 1.
fn after_handshake() -> Proxy {
    let mut proxy = Proxy::default();
    assert_eq!(proxy.messages_for_new_process(1), [""; 0]);
    proxy.client_message(INITIALIZE, Some(1));
    let answer = r#"{"jsonrpc":"2.0","id":0,"result":{"capabilities":{"logging":{},"tools":{}}}}"#;
    let sent = proxy.server_message(1, answer);
    assert_eq!(json(&sent[0])["result"]["capabilities"], json!({"logging": {}, "tools": {"listChanged": true}}));
    proxy.client_message(INITIALIZED, Some(1));
    proxy
}

#[test]
fn a_new_process_gets_the_handshake_and_the_client_is_notified_of_new_lists() {
    let mut proxy = after_handshake();
    let said = proxy.messages_for_new_process(2);
    assert_eq!(json(&said[0])["params"], json(INITIALIZE)["params"]);
    assert_eq!(said[1], INITIALIZED);
    let sent = proxy.server_message(2, &json!({"jsonrpc": "2.0", "id": json(&said[0])["id"], "result": {}}).to_string());
    assert!(sent[0].contains("notifications/tools/list_changed") && sent.len() == 3, "{sent:?}");
}

#[test]
fn each_request_in_flight_gets_one_response_from_the_old_process_or_the_proxy() {
    let mut proxy = after_handshake();
    for id in [1, 2, 3] {
        proxy.client_message(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call"}).to_string(), Some(1));
    }
    proxy.client_message(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#, Some(1));
    proxy.messages_for_new_process(2);
    assert_eq!(proxy.server_message(1, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).len(), 1);
    let sent = proxy.process_ended(1);
    assert_eq!((sent.len(), &json(&sent[0])["id"]), (1, &json!(2)));
    assert_eq!(json(&sent[0])["error"]["code"], json!(Code::INTERNAL_ERROR));
    assert_eq!(proxy.process_ended(1), [""; 0]);
}

#[test]
fn messages_without_a_process_are_kept_for_the_next_one() {
    let mut proxy = Proxy::default();
    proxy.client_message(INITIALIZE, None);
    proxy.queue(INITIALIZE);
    assert_eq!(proxy.messages_for_new_process(1), [INITIALIZE], "the handshake is not repeated");
    assert_eq!(proxy.process_ended(1).len(), 1);
}

#[test]
fn a_subscription_continues_with_the_next_process() {
    let mut proxy = after_handshake();
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    let listen = json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": wanted}).to_string();
    proxy.client_message(&listen, Some(1));
    let receipt =
        json!({"jsonrpc": "2.0", "method": "x", "params": {"_meta": {STREAM: "l"}, "notifications": {}}}).to_string();
    assert_eq!(json(&proxy.server_message(1, &receipt)[0])["params"]["notifications"], wanted["notifications"]);
    assert!(proxy.messages_for_new_process(2).contains(&listen));
    let sent = proxy.change_notifications();
    assert_eq!((sent.len(), &json(&sent[0])["params"]["_meta"][STREAM]), (1, &json!("l")));
    assert_eq!(
        proxy.server_message(1, r#"{"jsonrpc":"2.0","id":"l","result":{}}"#),
        [""; 0],
        "the old process does not end the subscription"
    );
    assert_eq!(proxy.process_ended(1), [""; 0], "the subscription does not end with the old process");
}

#[test]
fn the_proxy_serves_subscriptions_that_the_server_does_not_support() {
    let mut proxy = Proxy::default();
    proxy.messages_for_new_process(1);
    let params = json!({"_meta": {REVISION: "2026-07-28"}, "notifications": {"toolsListChanged": true, "x": true}});
    let listen = json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params}).to_string();
    proxy.client_message(&listen, Some(1));
    let unknown = r#"{"jsonrpc":"2.0","id":"l","error":{"code":-32601,"message":"method not found"}}"#;
    let sent = proxy.server_message(1, unknown);
    assert_eq!(json(&sent[0])["params"], json!({"_meta": {STREAM: "l"}, "notifications": {"toolsListChanged": true}}));
    assert_eq!((proxy.messages_for_new_process(2), proxy.change_notifications().len()), (vec![listen.clone()], 1));
    assert_eq!(proxy.server_message(2, unknown), [""; 0], "it is acknowledged once");
    proxy.client_message(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}"#, Some(2));
    assert_eq!(proxy.change_notifications(), [""; 0]);

    // Clients with a handshake have no subscriptions.
    let params = json!({"notifications": {"toolsListChanged": true}});
    proxy.client_message(
        &json!({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params}).to_string(),
        Some(2),
    );
    assert_eq!(proxy.server_message(2, unknown), [unknown]);
}

#[test]
fn list_changes_are_announced_in_capabilities_and_caching_is_disabled() {
    let mut proxy = after_handshake();
    let sent =
        proxy.server_message(1, r#"{"jsonrpc":"2.0","id":"d","result":{"capabilities":{"tools":{}},"ttlMs":3600000}}"#);
    assert_eq!(json(&sent[0])["result"], json!({"capabilities": {"tools": {"listChanged": true}}, "ttlMs": 0}));
}

#[test]
fn the_handshake_is_answered_before_there_is_a_server_and_repeated_with_it() {
    let mut proxy = Proxy::default();
    let server = Implementation::default();
    proxy.client_message(INITIALIZE, None);
    let answer = json(&proxy.early_message(INITIALIZE, &server).unwrap());
    assert_eq!((&answer["id"], &answer["result"]["protocolVersion"]), (&json!(0), &json!("2025-11-25")));
    proxy.client_message(INITIALIZED, None);
    assert_eq!(proxy.early_message(INITIALIZED, &server), None);
    for (id, method) in [(1, "tools/list"), (2, "prompts/list"), (3, "server/discover"), (4, "tools/call")] {
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method}).to_string();
        proxy.client_message(&line, None);
        assert_eq!(proxy.early_message(&line, &server), None);
    }
    let refused = proxy.answer_kept(before_first_build::no_discovery);
    assert_eq!((refused.len(), &json(&refused[0])["error"]["code"]), (1, &json!(-32601)));
    proxy.client_message(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#, None);
    let empty = proxy.answer_kept(before_first_build::nothing);
    assert_eq!((empty.len(), &json(&empty[0])["result"]), (1, &json!({"prompts": []})), "1 was cancelled");
    let said = proxy.messages_for_new_process(1);
    let methods: Vec<_> = said.iter().map(|line| json(line)["method"].as_str().unwrap().to_owned()).collect();
    assert_eq!(methods, ["initialize", "notifications/initialized", "tools/list", "tools/call"]);
    assert_eq!(json(&said[0])["id"], HANDSHAKE_ID);

    // The proxy declared prompts, so a server without prompts has an empty list of them.
    let line = json!({"jsonrpc": "2.0", "id": 5, "method": "prompts/list"}).to_string();
    proxy.client_message(&line, Some(1));
    let sent = proxy.server_message(1, r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"x"}}"#);
    assert_eq!(json(&sent[0]), json!({"jsonrpc": "2.0", "id": 5, "result": {"prompts": []}}));
    assert_eq!(proxy.process_ended(1).len(), 1, "only the call is still open");
}

#[test]
fn requests_of_a_replaced_process_are_dropped() {
    let mut proxy = after_handshake();
    proxy.messages_for_new_process(2);
    assert_eq!(proxy.server_message(1, r#"{"jsonrpc":"2.0","id":"x","method":"roots/list"}"#), [""; 0]);
    assert_eq!(proxy.server_message(2, r#"{"jsonrpc":"2.0","id":"x","method":"roots/list"}"#).len(), 1);
    assert_eq!(proxy.server_message(2, "no json"), [""; 0]);
}
