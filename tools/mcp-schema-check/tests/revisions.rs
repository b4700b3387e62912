//! What the checker accepts and rejects in each revision.

use mcp_schema_check::Checker;
use serde_json::{Value, json};

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
/// The revisions with `initialize`.
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
        panic!("{} rejects {reply} for {method}: {violations:#?}", checker.revision());
    }
}

#[track_caller]
fn rejects(checker: &Checker, method: &str, reply: &Value, because: &str) {
    let violations = checker.check_reply(method, reply).expect_err("the response is invalid");
    assert!(
        violations.iter().any(|violation| violation.contains(because)),
        "{} rejects {reply}, but not because of {because:?}: {violations:#?}",
        checker.revision()
    );
}

#[test]
fn the_result_of_initialize_needs_all_required_fields() {
    for checker in HANDSHAKE.into_iter().filter_map(Checker::new) {
        let mut reply = result(json!({
            "protocolVersion": checker.revision(),
            "capabilities": {"tools": {"listChanged": false}},
            "serverInfo": {"name": "calculator", "version": "1.0.0"},
        }));
        accepts(&checker, "initialize", &reply);
        reply["result"]["serverInfo"].as_object_mut().unwrap().remove("version");
        rejects(&checker, "initialize", &reply, "\"version\" is a required property");
    }
}

#[test]
fn a_tool_needs_an_input_schema_of_type_object() {
    for checker in HANDSHAKE.into_iter().filter_map(Checker::new) {
        let tools = |schema: Value| result(json!({"tools": [{"name": "add", "inputSchema": schema}]}));
        accepts(&checker, "tools/list", &tools(json!({"type": "object", "properties": {"a": {}}})));
        rejects(&checker, "tools/list", &tools(json!({"type": "string"})), "at '/tools/0/inputSchema/type'");
        rejects(&checker, "tools/list", &tools(json!(true)), "at '/tools/0/inputSchema'");
    }
}

#[test]
fn the_result_of_a_call_needs_content_of_a_known_type() {
    for checker in HANDSHAKE.into_iter().filter_map(Checker::new) {
        let reply = |content: Value| result(json!({"content": [content], "isError": true}));
        accepts(&checker, "tools/call", &reply(json!({"type": "text", "text": "5"})));
        rejects(&checker, "tools/call", &reply(json!({"type": "text"})), "at '/content/0'");
        rejects(&checker, "tools/call", &result(json!({"isError": true})), "\"content\" is a required property");
    }
}

#[test]
fn a_result_is_checked_by_its_method_and_revision() {
    for checker in REVISIONS.into_iter().filter_map(Checker::new) {
        rejects(&checker, "no/such", &result(json!({"resultType": "complete"})), "has no method");
        let sampling = result(json!({"role": "assistant", "content": {"type": "text", "text": "x"}, "model": "m"}));
        rejects(&checker, "sampling/createMessage", &sampling, "is not a request to a server");
    }
    if let Some(checker) = Checker::new("2026-07-28") {
        rejects(&checker, "ping", &result(json!({"resultType": "complete"})), "has no method");
    }
}

#[test]
fn the_envelope_of_a_response_is_checked() {
    for checker in HANDSHAKE.into_iter().filter_map(Checker::new) {
        accepts(&checker, "ping", &json!({"jsonrpc": "2.0", "id": "a", "result": {}}));
        accepts(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 9_223_372_036_854_775_808_u64, "result": {}}));
        rejects(&checker, "ping", &json!({"jsonrpc": "2.0", "id": null, "result": {}}), "at '/id'");
        rejects(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 1.5, "result": {}}), "at '/id'");
        rejects(&checker, "ping", &json!({"jsonrpc": "1.0", "id": 1, "result": {}}), "at '/jsonrpc'");
        rejects(&checker, "ping", &json!({"id": 1, "result": {}}), "\"jsonrpc\" is a required property");
        rejects(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 1, "result": []}), "at '/result'");
        rejects(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 1}), "a result or an error");
        let mut both = error(Some(json!(1)), -32601);
        both["result"] = json!({});
        rejects(&checker, "ping", &both, "not both");
    }
}

#[test]
fn an_error_needs_code_and_message() {
    for checker in REVISIONS.into_iter().filter_map(Checker::new) {
        accepts(&checker, "no/such", &error(Some(json!(1)), -32601));
        rejects(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}), "\"message\"");
        rejects(&checker, "ping", &json!({"jsonrpc": "2.0", "id": 1, "error": "no"}), "at '/error'");
    }
}

#[test]
fn an_error_without_a_request_id_has_a_null_id_in_old_revisions_and_none_in_new_ones() {
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
fn revision_2026_07_28_requires_a_result_type_and_cache_hints() {
    let Some(checker) = Checker::new("2026-07-28") else {
        return;
    };
    let mut discovered = result(json!({
        "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
        "ttlMs": 0, "cacheScope": "public",
    }));
    accepts(&checker, "server/discover", &discovered);
    discovered["result"]["cacheScope"] = json!("nobody");
    rejects(&checker, "server/discover", &discovered, "at '/cacheScope'");

    rejects(&checker, "tools/list", &result(json!({"resultType": "complete", "tools": []})), "\"ttlMs\"");
    rejects(&checker, "tools/call", &result(json!({"content": []})), "\"resultType\"");
    rejects(&checker, "tools/call", &result(json!({"resultType": "partial", "content": []})), "unknown resultType");
    // The union in the schema accepts this as a request for input.
    rejects(&checker, "tools/call", &result(json!({"resultType": "complete"})), "\"content\"");
}

#[test]
fn only_some_methods_may_ask_for_input() {
    let Some(checker) = Checker::new("2026-07-28") else {
        return;
    };
    accepts(&checker, "tools/call", &result(json!({"resultType": "input_required", "requestState": "s"})));
    rejects(&checker, "tools/call", &result(json!({"resultType": "input_required"})), "inputRequests or requestState");
    let list = result(json!({"resultType": "input_required", "requestState": "s"}));
    rejects(&checker, "tools/list", &list, "cannot ask for input");
}

#[test]
fn an_error_code_with_data_of_its_own_requires_that_data() {
    let Some(checker) = Checker::new("2026-07-28") else {
        return;
    };
    let mut reply = error(Some(json!(1)), -32022);
    rejects(&checker, "tools/list", &reply, "\"data\" is a required property");
    reply["error"]["data"] = json!({"supported": ["2026-07-28"], "requested": "1999-01-01"});
    accepts(&checker, "tools/list", &reply);
}

#[test]
fn notifications_of_a_client_are_rejected() {
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
            assert!(checker.check_notification(&wrong).is_err(), "{checker:?} accepts {wrong}");
        }
    }
}

#[test]
fn requests_of_a_server_are_rejected_since_2026_07_28() {
    for checker in REVISIONS.into_iter().filter_map(Checker::new) {
        let roots = json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"});
        assert_eq!(checker.check_request(&roots).is_ok(), checker.revision() < "2026-07-28", "{checker:?}");
        let tools = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        assert!(checker.check_request(&tools).is_err(), "{checker:?}");
    }
}

#[test]
fn audio_content_is_new_in_2025_03_26() {
    let reply = result(json!({"content": [{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]}));
    for checker in REVISIONS[..4].iter().filter_map(|revision| Checker::new(revision)) {
        if checker.revision() == "2024-11-05" {
            rejects(&checker, "tools/call", &reply, "at '/content/0'");
        } else {
            accepts(&checker, "tools/call", &reply);
        }
    }
}

#[test]
fn resource_links_and_structured_content_are_new_in_2025_06_18() {
    let link = result(json!({"content": [{"type": "resource_link", "name": "a", "uri": "file:///a"}]}));
    let structured = result(json!({"content": [], "structuredContent": [1]}));
    for checker in REVISIONS[..4].iter().filter_map(|revision| Checker::new(revision)) {
        if checker.revision() < "2025-06-18" {
            rejects(&checker, "tools/call", &link, "at '/content/0'");
        } else {
            accepts(&checker, "tools/call", &link);
            rejects(&checker, "tools/call", &structured, "at '/structuredContent'");
        }
    }
}

#[test]
fn elicitation_is_new_in_2025_06_18_and_asks_for_primitive_fields() {
    let request = |field: Value| {
        let schema = json!({"type": "object", "properties": {"field": field}});
        json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {"message": "?", "requestedSchema": schema}})
    };
    for checker in HANDSHAKE.into_iter().filter_map(Checker::new) {
        let since = checker.revision() >= "2025-06-18";
        assert_eq!(checker.check_request(&request(json!({"type": "string"}))).is_ok(), since, "{checker:?}");
        assert!(checker.check_request(&request(json!({"type": "object"}))).is_err(), "{checker:?}");
    }
}

#[test]
fn tasks_are_methods_of_2025_11_25_and_an_extension_of_2026_07_28() {
    let task = json!({
        "taskId": "t", "status": "working", "ttl": null,
        "createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z",
    });
    let mut newer = task.clone();
    newer["ttlMs"] = newer.as_object_mut().unwrap().remove("ttl").unwrap();
    newer["resultType"] = json!("complete");
    for checker in REVISIONS.into_iter().filter_map(Checker::new) {
        match checker.revision() {
            "2025-11-25" => accepts(&checker, "tasks/get", &result(task.clone())),
            "2026-07-28" => {
                accepts(&checker, "tasks/get", &result(newer.clone()));
                rejects(&checker, "tasks/get", &result(task.clone()), "`ttlMs`");
            }
            _ => rejects(&checker, "tasks/get", &result(task.clone()), "has no method"),
        }
    }
}

#[test]
fn null_is_rejected_in_an_optional_field() {
    for checker in REVISIONS.into_iter().filter_map(Checker::new) {
        let mut reply = result(json!({"tools": [], "nextCursor": null}));
        if checker.revision() == "2026-07-28" {
            for (key, value) in [("resultType", json!("complete")), ("ttlMs", json!(0)), ("cacheScope", json!("public"))] {
                reply["result"][key] = value;
            }
        }
        rejects(&checker, "tools/list", &reply, "at '/nextCursor'");
        reply["result"].as_object_mut().unwrap().remove("nextCursor");
        accepts(&checker, "tools/list", &reply);
    }
}

#[test]
fn a_resource_without_a_valid_uri_is_rejected_by_the_older_revisions() {
    for checker in HANDSHAKE[..3].iter().filter_map(|revision| Checker::new(revision)) {
        let reply = |uri: &str| result(json!({"resources": [{"name": "a", "uri": uri}]}));
        accepts(&checker, "resources/list", &reply("notes://a"));
        rejects(&checker, "resources/list", &reply("not a uri"), "/uri'");
    }
}
