//! Sessions with and without a handshake, and discovery.

use mcp_core::Server;
use serde_json::{Value, json};

use crate::session::{Peer, server, stateless};

#[test]
fn each_handshake_revision_is_negotiated_and_others_get_the_newest() {
    for (asked, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1900-01-01", "2025-11-25"),
    ] {
        let reply = Peer::new(server()).ask("initialize", json!({"protocolVersion": asked, "capabilities": {}}));
        assert_eq!(reply["result"]["protocolVersion"], agreed);
        assert_eq!(reply["result"]["serverInfo"], json!({"name": "test", "version": "1.2.3"}));
        assert_eq!(reply["result"]["capabilities"], json!({"tools": {}, "logging": {}}));
    }
}

#[test]
fn a_second_initialize_replaces_the_first() {
    let mut peer = Peer::with_revision("2025-03-26", server());
    assert_eq!(peer.ask("initialize", json!({"protocolVersion": "2025-06-18"}))["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(peer.error(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#).0, -32600);
}

#[test]
fn before_a_handshake_only_ping_initialize_and_stateless_requests_are_served() {
    let mut peer = Peer::new(server());
    assert_eq!(peer.ask("ping", json!({}))["result"], json!({}));
    for method in ["tools/list", "tools/call", "server/discover", "logging/setLevel"] {
        let error = &peer.ask(method, json!({"name": "echo", "arguments": {"text": "x"}}))["error"];
        assert_eq!(error["code"], -32602, "{method}");
        assert!(error["message"].as_str().unwrap().contains("send `initialize` first"), "{error}");
    }
    assert_eq!(peer.ask("no/such", json!({}))["error"]["code"], -32601);
    assert_eq!(peer.ask("initialize", json!({}))["error"]["code"], -32602);
}

#[test]
fn stateless_requests_are_served_before_during_and_after_a_handshake() {
    let mut peer = Peer::new(server());
    let list = |peer: &mut Peer| peer.ask("tools/list", json!({"_meta": stateless()}))["result"]["resultType"].clone();
    assert_eq!(list(&mut peer), "complete");
    assert_eq!(peer.ask("tools/list", json!({}))["error"]["code"], -32602, "one request pins nothing");
    peer.ask("initialize", json!({"protocolVersion": "2025-06-18"}));
    assert_eq!(list(&mut peer), "complete");
    assert_eq!(peer.ask("tools/list", json!({}))["result"].get("resultType"), None);
}

#[test]
fn discover_returns_the_revisions_and_capabilities() {
    let server = server().instructions("Echo things.");
    let reply = Peer::new(server).ask("server/discover", json!({"_meta": stateless()}));
    assert_eq!(
        reply["result"],
        json!({
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}, "logging": {}},
            "instructions": "Echo things.",
            "ttlMs": 3_600_000,
            "cacheScope": "public",
            "resultType": "complete",
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "test", "version": "1.2.3"}},
        })
    );
}

#[test]
fn removed_methods_are_not_found() {
    let mut peer = Peer::with_revision("2025-11-25", server());
    for method in ["initialize", "ping", "logging/setLevel"] {
        assert_eq!(peer.ask(method, json!({"_meta": stateless()}))["error"]["code"], -32601, "{method}");
    }
    assert_eq!(peer.ask("server/discover", json!({}))["error"]["code"], -32601);
}

#[test]
fn a_stateless_request_must_name_a_served_revision_and_its_capabilities() {
    let ask = |meta: Value| Peer::new(server()).ask("tools/list", json!({"_meta": meta}))["error"].clone();
    let error = ask(json!({"io.modelcontextprotocol/protocolVersion": "2030-01-01"}));
    assert_eq!(error["code"], -32022);
    assert_eq!(error["data"], json!({"supported": ["2026-07-28"], "requested": "2030-01-01"}));
    assert_eq!(ask(json!({"io.modelcontextprotocol/protocolVersion": "2025-06-18"}))["code"], -32022);
    assert_eq!(ask(json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"}))["code"], -32602);
    assert_eq!(ask(json!({"io.modelcontextprotocol/protocolVersion": 5}))["code"], -32602);
    assert_eq!(ask(json!([]))["code"], -32602);
}

#[test]
fn a_server_without_tools_does_not_announce_them() {
    let mut peer = Peer::with_revision("2025-11-25", Server::builder("empty", "1"));
    assert_eq!(peer.ask("tools/list", json!({}))["error"]["code"], -32601);
    assert_eq!(peer.ask("tools/call", json!({"name": "x"}))["error"]["code"], -32601);
    let reply = peer.ask("initialize", json!({"protocolVersion": "2025-11-25"}));
    assert_eq!(reply["result"]["capabilities"], json!({"logging": {}}));
}

#[test]
fn lists_are_in_order_and_paged() {
    let mut peer = Peer::with_revision("2025-11-25", server().page_size(2));
    let (mut names, mut pages, mut cursor) = (Vec::new(), 0, json!({}));
    loop {
        let result = peer.ask("tools/list", cursor)["result"].take();
        names.extend(result["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
        pages += 1;
        match result.get("nextCursor") {
            Some(next) => cursor = json!({"cursor": next}),
            None => break,
        }
    }
    assert_eq!((names.join(" "), pages), ("echo wait fail panic panic_early log".to_owned(), 3));
}

#[test]
fn an_unknown_cursor_is_rejected() {
    let mut peer = Peer::with_revision("2025-11-25", server());
    for cursor in [json!("nonsense"), json!(""), json!(5), json!({})] {
        assert_eq!(peer.ask("tools/list", json!({"cursor": cursor}))["error"]["code"], -32602, "{cursor}");
    }
}
