//! Live servers, whose tools change while they serve.

use mcp_core::{Live, Server, ToolSpec, tool_fn};
use serde_json::{Value, json};

use crate::session::{Peer, server, stateless};

fn names(peer: &mut Peer, params: Value) -> Vec<String> {
    let result = peer.ask("tools/list", params)["result"].take();
    result["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn one_tool(name: &'static str) -> mcp_core::Builder {
    Server::builder("test", "2.0.0").tools(tool_fn(ToolSpec::new(name, "A tool."), move |_: Value, _| async move { name }))
}

#[test]
fn every_session_is_notified_and_lists_the_new_tools() {
    let live = Live::new(one_tool("old")).unwrap();
    let (mut first, mut second) =
        (Peer::with_revision("2025-11-25", live.clone()), Peer::with_revision("2024-11-05", live.clone()));
    let mut silent = Peer::new(live.clone());
    assert_eq!(names(&mut first, json!({})), ["old"]);

    live.replace(one_tool("new")).unwrap();
    let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {}});
    for peer in [&mut first, &mut second] {
        assert_eq!(peer.notifications(), std::slice::from_ref(&changed));
        assert_eq!(names(peer, json!({})), ["new"]);
        assert_eq!(peer.ask("tools/call", json!({"name": "new"}))["result"]["content"][0]["text"], "new");
        assert_eq!(peer.ask("tools/call", json!({"name": "old"}))["error"]["code"], -32602);
    }
    assert_eq!(silent.notifications(), Vec::<Value>::new(), "no client was connected");
    assert_eq!(names(&mut silent, json!({"_meta": stateless()})), ["new"]);
}

#[test]
fn a_live_server_announces_tool_changes_even_without_tools() {
    let live = Live::new(Server::builder("test", "1.0.0")).unwrap();
    let mut peer = Peer::with_revision("2025-11-25", live);
    let capabilities = peer.ask("initialize", json!({"protocolVersion": "2025-11-25"}))["result"]["capabilities"].take();
    assert_eq!(
        capabilities,
        json!({
            "logging": {},
            "tools": {"listChanged": true},
            "prompts": {"listChanged": true},
            "resources": {"listChanged": true, "subscribe": true},
            "completions": {},
        })
    );
    assert_eq!(names(&mut peer, json!({})), Vec::<String>::new());
}

#[test]
fn a_call_keeps_the_registry_that_it_started_with() {
    let live = Live::new(server()).unwrap();
    let mut peer = Peer::with_revision("2025-11-25", live.clone());
    peer.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}"#);
    live.replace(one_tool("new")).unwrap();
    assert_eq!((peer.poll(), peer.pending()), (Vec::new(), 1));
    peer.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    assert_eq!((peer.poll(), peer.pending()), (Vec::new(), 0));
}

#[test]
fn an_invalid_server_does_not_replace_the_current_one() {
    let live = Live::new(one_tool("old")).unwrap();
    let mut peer = Peer::with_revision("2025-11-25", live.clone());
    assert!(live.replace(one_tool("no good name")).is_err());
    assert_eq!(peer.notifications(), Vec::<Value>::new());
    assert_eq!(names(&mut peer, json!({})), ["old"]);
}
