//! What the checker accepts and what it refuses, revision by revision.

use mcp_schema_check::Checker;
use serde_json::{Value, json};

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

fn result(result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 7, "result": result})
}

fn error(id: Option<Value>, code: i64) -> Value {
    let mut reply = json!({"jsonrpc": "2.0", "error": {"code": code, "message": "no"}});
    if let Some(id) = id {
        reply["id"] = id;
    }
    reply
}

#[track_caller]
fn accepts(checker: &Checker, method: &str, reply: &Value) {
    if let Err(violations) = checker.check_reply(method, reply) {
        panic!("{} refuses {reply} for {method}: {violations:#?}", checker.revision());
    }
}

#[track_caller]
fn refuses(checker: &Checker, method: &str, reply: &Value, because: &str) {
    let violations = checker.check_reply(method, reply).expect_err("the reply is wrong");
    assert!(
        violations.iter().any(|violation| violation.contains(because)),
        "{} refuses {reply}, but not for {because:?}: {violations:#?}",
        checker.revision()
    );
}

#[test]
fn a_handshake_needs_all_of_its_fields() {
    for checker in HANDSHAKE.into_iter().filter_map(Checker::new) {
        let mut reply = result(json!({
            "protocolVersion": checker.revision(),
            "capabilities": {"tools": {"listChanged": false}},
            "serverInfo": {"name": "calculator", "version": "1.0.0"},
        }));
        accepts(&checker, "initialize", &reply);
        reply["result"]["serverInfo"].as_object_mut().unwrap().remove("version");
        refuses(&checker, "initialize", &reply, "\"version\" is a required property");
    }
}

#[test]
fn a_tool_needs_an_input_schema_of_type_object() {
    for checker in HANDSHAKE.into_iter().filter_map(Checker::new) {
        let tools = |schema: Value| result(json!({"tools": [{"name": "add", "inputSchema": schema}]}));
        accepts(&checker, "tools/list", &tools(json!({"type": "object", "properties": {"a": {}}})));
        refuses(&checker, "tools/list", &tools(json!({"type": "string"})), "at '/tools/0/inputSchema/type'");
        refuses(&checker, "tools/list", &tools(json!(true)), "at '/tools/0/inputSchema'");
    }
}

#[test]
fn a_call_needs_content_of_known_kinds() {
    for checker in HANDSHAKE.into_iter().filter_map(Checker::new) {
        let reply = |content: Value| result(json!({"content": [content], "isError": true}));
        accepts(&checker, "tools/call", &reply(json!({"type": "text", "text": "5"})));
        refuses(&checker, "tools/call", &reply(json!({"type": "text"})), "at '/content/0'");
        refuses(&checker, "tools/call", &result(json!({"isError": true})), "\"content\" is a required property");
    }
}

#[test]
fn a_result_is_judged_by_its_own_method_and_revision() {
    for checker in REVISIONS.into_iter().filter_map(Checker::new) {
        refuses(&checker, "no/such", &result(json!({"resultType": "complete"})), "has no method");
        let sampling = result(json!({"role": "assistant", "content": {"type": "text", "text": "x"}, "model": "m"}));
        refuses(&checker, "sampling/createMessage", &sampling, "is no request to a server");
    }
    if let Some(checker) = Checker::new("2026-07-28") {
        refuses(&checker, "ping", &result(json!({"resultType": "complete"})), "has no method");
    }
}

#[test]
fn the_envelope_is_checked_too() {
    for checker in HANDSHAKE.into_iter().filter_map(Checker::new) {
        accepts(&checker, "ping", &json!({"jsonrpc": "2.0", "id": "a", "result": {}}));
        accepts(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 9_223_372_036_854_775_808_u64, "result": {}}));
        refuses(&checker, "ping", &json!({"jsonrpc": "2.0", "id": null, "result": {}}), "at '/id'");
        refuses(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 1.5, "result": {}}), "at '/id'");
        refuses(&checker, "ping", &json!({"jsonrpc": "1.0", "id": 1, "result": {}}), "at '/jsonrpc'");
        refuses(&checker, "ping", &json!({"id": 1, "result": {}}), "\"jsonrpc\" is a required property");
        refuses(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 1, "result": []}), "at '/result'");
        refuses(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 1}), "a result or an error");
        let mut both = error(Some(json!(1)), -32601);
        both["result"] = json!({});
        refuses(&checker, "ping", &both, "never both");
    }
}

#[test]
fn an_error_needs_code_and_message() {
    for checker in REVISIONS.into_iter().filter_map(Checker::new) {
        accepts(&checker, "no/such", &error(Some(json!(1)), -32601));
        refuses(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}), "\"message\"");
        refuses(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 1, "error": "no"}), "at '/error'");
    }
}

#[test]
fn an_unreadable_id_is_null_in_old_revisions_and_left_out_in_new_ones() {
    for checker in REVISIONS.into_iter().filter_map(Checker::new) {
        let old = checker.revision() < "2025-11-25";
        for code in [-32700, -32600] {
            assert_eq!(checker.check_error(&error(Some(Value::Null), code)).is_ok(), old, "{checker:?}");
            assert_eq!(checker.check_error(&error(None, code)).is_ok(), !old, "{checker:?}");
        }
        assert!(checker.check_error(&error(Some(Value::Null), -32601)).is_err(), "{checker:?}");
        assert!(checker.check_error(&result(json!({}))).is_err(), "{checker:?}");
    }
}

#[test]
fn the_stateless_revision_wants_a_result_type_and_cache_hints() {
    let Some(checker) = Checker::new("2026-07-28") else {
        return;
    };
    let mut discovered = result(json!({
        "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
        "ttlMs": 0, "cacheScope": "public",
    }));
    accepts(&checker, "server/discover", &discovered);
    discovered["result"]["cacheScope"] = json!("nobody");
    refuses(&checker, "server/discover", &discovered, "at '/cacheScope'");

    refuses(&checker, "tools/list", &result(json!({"resultType": "complete", "tools": []})), "\"ttlMs\"");
    refuses(&checker, "tools/call", &result(json!({"content": []})), "\"resultType\"");
    refuses(&checker, "tools/call", &result(json!({"resultType": "partial", "content": []})), "unknown resultType");
    // The union in the schema would take this for a request for input.
    refuses(&checker, "tools/call", &result(json!({"resultType": "complete"})), "\"content\"");
}

#[test]
fn a_server_may_ask_for_input_only_where_the_schema_says_so() {
    let Some(checker) = Checker::new("2026-07-28") else {
        return;
    };
    accepts(&checker, "tools/call", &result(json!({"resultType": "input_required", "requestState": "s"})));
    refuses(&checker, "tools/call", &result(json!({"resultType": "input_required"})), "inputRequests or requestState");
    let list = result(json!({"resultType": "input_required", "requestState": "s"}));
    refuses(&checker, "tools/list", &list, "cannot ask for input");
}

#[test]
fn an_error_with_a_code_of_its_own_carries_its_data() {
    let Some(checker) = Checker::new("2026-07-28") else {
        return;
    };
    let mut reply = error(Some(json!(1)), -32022);
    refuses(&checker, "tools/list", &reply, "\"data\" is a required property");
    reply["error"]["data"] = json!({"supported": ["2026-07-28"], "requested": "1999-01-01"});
    accepts(&checker, "tools/list", &reply);
}

#[test]
fn a_server_sends_only_its_own_notifications() {
    for checker in REVISIONS.into_iter().filter_map(Checker::new) {
        let note = |method: &str, params: Value| json!({"jsonrpc": "2.0", "method": method, "params": params});
        let progress = note("notifications/progress", json!({"progressToken": 1, "progress": 0.5}));
        assert_eq!(checker.check_notification(&progress), Ok(()), "{checker:?}");
        let mut numbered = progress.clone();
        numbered["id"] = json!(1);
        for wrong in [
            numbered,
            note("notifications/progress", json!({"progress": 0.5})),
            note("notifications/message", json!({"level": "loud", "data": 1})),
            note("notifications/roots/list_changed", json!({})),
            note("notifications/no_such", json!({})),
        ] {
            assert!(checker.check_notification(&wrong).is_err(), "{checker:?} takes {wrong}");
        }
    }
}

#[test]
fn a_server_asks_the_client_only_before_the_stateless_revision() {
    for checker in REVISIONS.into_iter().filter_map(Checker::new) {
        let roots = json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"});
        assert_eq!(checker.check_request(&roots).is_ok(), checker.revision() < "2026-07-28", "{checker:?}");
        let tools = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        assert!(checker.check_request(&tools).is_err(), "{checker:?}");
    }
}
