//! Change notifications, with and without a handshake.

use mcp_core::{Builder, Context, Live, ResourceSpec, Server, ToolSpec, resource_fn, tool_fn};
use serde_json::{Value, json};

use crate::session::{Peer, stateless};

fn notebook() -> Builder {
    let note = resource_fn(ResourceSpec::new("notes://{id}", "note", "A note."), |_: Value, _: Context| async { "text" });
    let write = tool_fn(ToolSpec::new("write", "Write a note."), |_: Value, cx: Context| async move {
        cx.resource_updated("notes://1");
    });
    Server::builder("notebook", "1.0.0").resources([note]).tools(write)
}

/// Opens a stream. There is no response while it is open.
fn listen(peer: &mut Peer, id: &str, wanted: Value) {
    let params = json!({"_meta": stateless(), "notifications": wanted});
    let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{params}}}"#);
    assert_eq!(peer.send(line), None);
}

#[test]
fn with_a_handshake_a_client_can_subscribe_to_resources() {
    let server = notebook().build().unwrap();
    let mut peer = Peer::with_revision("2025-06-18", server.clone());
    let mut other = Peer::with_revision("2025-06-18", server.clone());
    assert_eq!(peer.ask("resources/subscribe", json!({"uri": "notes://1"}))["result"], json!({}));
    assert_eq!(peer.ask("resources/subscribe", json!({"uri": "nowhere://1"}))["error"]["code"], -32002);
    assert_eq!(peer.ask("resources/subscribe", json!({}))["error"]["code"], -32602);

    server.resource_updated("notes://1");
    server.resource_updated("notes://2");
    other.ask("tools/call", json!({"name": "write"}));
    let updates = json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "notes://1"}});
    assert_eq!(peer.notifications(), [updates.clone(), updates]);
    assert_eq!(other.notifications(), Vec::<Value>::new());

    assert_eq!(peer.ask("resources/unsubscribe", json!({"uri": "notes://1"}))["result"], json!({}));
    server.resource_updated("notes://1");
    assert_eq!(peer.notifications(), Vec::<Value>::new());
}

#[test]
fn without_a_handshake_a_client_listens_to_the_events_that_it_requests() {
    let live = Live::new(notebook()).unwrap();
    let mut peer = Peer::new(live.clone());
    listen(&mut peer, r#""s1""#, json!({"toolsListChanged": true, "resourceSubscriptions": ["notes://1"]}));
    let acknowledged = peer.notifications().pop().unwrap();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(
        acknowledged["params"],
        json!({
            "_meta": {"io.modelcontextprotocol/subscriptionId": "s1"},
            "notifications": {"toolsListChanged": true, "resourceSubscriptions": ["notes://1"]},
        })
    );

    live.server().resource_updated("notes://1");
    live.server().resource_updated("notes://2");
    live.replace(Server::builder("notebook", "2.0.0")).unwrap();
    let updates = peer.notifications();
    let methods: Vec<_> = updates.iter().map(|one| one["method"].as_str().unwrap()).collect();
    assert_eq!(
        methods,
        ["notifications/resources/updated", "notifications/tools/list_changed"],
        "and nothing of resources/list_changed"
    );
    assert!(updates.iter().all(|one| one["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "s1"));

    peer.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s1"}}"#);
    assert_eq!((peer.poll(), peer.pending(), peer.in_flight()), (Vec::new(), 0, 0));
    live.replace(notebook()).unwrap();
    assert_eq!(peer.notifications(), Vec::<Value>::new());
}

#[test]
fn two_streams_with_the_ids_1_and_string_1_are_distinct() {
    let server = notebook().build().unwrap();
    let mut peer = Peer::new(server.clone());
    listen(&mut peer, "1", json!({"resourceSubscriptions": ["notes://1"]}));
    listen(&mut peer, r#""1""#, json!({"resourceSubscriptions": ["notes://1", "notes://2"]}));
    peer.notifications();
    server.resource_updated("notes://1");
    let ids: Vec<_> = peer
        .notifications()
        .iter()
        .map(|one| one["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].clone())
        .collect();
    assert_eq!(ids, [json!(1), json!("1")]);
}

#[test]
fn unsupported_events_are_left_out_of_the_acknowledgement() {
    let mut peer = Peer::new(notebook());
    listen(
        &mut peer,
        "1",
        json!({"toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": ["notes://1"]}),
    );
    let acknowledged = peer.notifications().pop().unwrap();
    assert_eq!(acknowledged["params"]["notifications"], json!({"resourceSubscriptions": ["notes://1"]}));

    let mut empty = Peer::new(Server::builder("empty", "1"));
    assert_eq!(
        empty.ask("subscriptions/listen", json!({"_meta": stateless(), "notifications": {}}))["error"]["code"],
        -32601
    );
    assert_eq!(peer.ask("subscriptions/listen", json!({"_meta": stateless()}))["error"]["code"], -32602);
    let mut handshake = Peer::with_revision("2025-11-25", notebook());
    assert_eq!(handshake.ask("subscriptions/listen", json!({"notifications": {}}))["error"]["code"], -32601);
    assert_eq!(peer.ask("resources/subscribe", json!({"_meta": stateless(), "uri": "notes://1"}))["error"]["code"], -32601);
}
