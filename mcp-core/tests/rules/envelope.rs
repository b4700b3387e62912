//! The JSON-RPC envelope: valid and invalid messages, and the id of each response.

use serde_json::{Value, json};

use crate::session::{Peer, server};

fn peer() -> Peer {
    Peer::with_revision("2025-06-18", server())
}

#[test]
fn every_legal_id_is_returned_byte_for_byte() {
    for id in
        ["0", "-1", "9007199254740993", "9223372036854775808", "18446744073709551616000", r#""""#, r#""a\u0062\n""#, "\"é\""]
    {
        let reply = peer().send(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)).unwrap();
        assert_eq!(reply, format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
    }
}

#[test]
fn an_id_that_is_not_a_string_or_an_integer_is_rejected() {
    for id in ["true", "{}", "[1]", "null"] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        assert_eq!(peer().error(&line), (-32600, Some(Value::Null)), "{id}");
    }
    assert_eq!(peer().error(r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#), (-32600, Some(json!(1.5))));
}

#[test]
fn a_line_that_is_not_json_is_a_parse_error() {
    for line in [&b"garbage"[..], b"{broken", b"\xff\xfe", b"\0\0", b"nul", b"{}{}", b"[1,", b"\xef\xbb\xbf\xef\xbb\xbf{}"] {
        assert_eq!(peer().error(line), (-32700, Some(Value::Null)), "{line:?}");
    }
}

#[test]
fn an_unreadable_id_is_null_or_omitted_by_revision() {
    assert_eq!(Peer::new(server()).error("x"), (-32700, Some(Value::Null)));
    for (revision, id) in [("2024-11-05", Some(Value::Null)), ("2025-06-18", Some(Value::Null)), ("2025-11-25", None)] {
        assert_eq!(Peer::with_revision(revision, server()).error("x"), (-32700, id), "{revision}");
    }
}

#[test]
fn the_id_of_an_invalid_request_is_returned() {
    let mut line =
        br#"{"jsonrpc":"2.0","id":"here","method":"tools/call","params":{"name":"echo","arguments":{"text":""#.to_vec();
    line.extend(b"\xc3\x28\"}}}");
    assert_eq!(peer().error(&line), (-32700, Some(json!("here"))));
    assert_eq!(peer().error(r#"{"id":5,"jsonrpc":"2.0","method":"ping""#), (-32700, Some(json!(5))));
}

#[test]
fn json_that_is_not_a_request_is_an_invalid_request_error_with_its_id() {
    for (line, id) in [
        ("42", Value::Null),
        ("\"ping\"", Value::Null),
        ("{}", Value::Null),
        (r#"{"jsonrpc":"2.0"}"#, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1}"#, json!(1)),
        (r#"{"id":2,"method":"ping"}"#, json!(2)),
        (r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#, json!(3)),
        (r#"{"jsonrpc":2.0,"id":4,"method":"ping"}"#, json!(4)),
        (r#"{"jsonrpc":"2.0","id":5,"method":123}"#, json!(5)),
        (r#"{"jsonrpc":"2.0","id":6,"method":"ping","params":[]}"#, json!(6)),
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}"#, json!(7)),
        (r#"{"jsonrpc":"2.0","id":8,"method":"ping","method":"ping"}"#, json!(8)),
        (r#"{"jsonrpc":"2.0","id":9,"id":10,"method":"ping"}"#, Value::Null),
    ] {
        assert_eq!(peer().error(line), (-32600, Some(id)), "{line}");
    }
}

#[test]
fn keys_that_resemble_known_keys_are_ignored() {
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","Method":"x","ID":2,"params\u0000":[]}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","paramſ":[],"extra":{"id":2}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#,
    ] {
        assert_eq!(peer().send(line).unwrap(), r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    }
}

#[test]
fn notifications_and_responses_get_no_response() {
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/no_such","params":{"a":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":[1]}"#,
        r#"{"jsonrpc":"2.0","id":987654,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"both"}}"#,
    ] {
        assert_eq!(peer().send(line), None, "{line}");
    }
}

#[test]
fn an_unknown_method_is_named_in_the_error_with_a_limited_length() {
    let reply = peer().ask("no/such", json!({}));
    assert_eq!(
        (reply["error"]["code"].as_i64(), reply["error"]["message"].as_str()),
        (Some(-32601), Some("method not found: no/such"))
    );
    let reply = peer().ask(&"ü".repeat(1 << 20), json!({}));
    assert!(reply.to_string().len() < 500);
}

#[test]
fn a_duplicate_key_is_rejected_and_a_duplicate_id_is_not_returned() {
    let mut peer = Peer::with_revision("2025-06-18", server());
    for (line, id) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#, json!(1)),
        (r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}"#, json!(1)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}"#, json!(1)),
        (r#"{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}"#, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","method":"ping"}"#, Value::Null),
        (r#"{"jsonrpc":"2.0","\u0069d":1,"id":2,"method":"ping"}"#, Value::Null),
    ] {
        assert_eq!(peer.error(line), (-32600, Some(id)), "{line}");
    }
}

#[test]
fn invalid_utf8_is_rejected_with_its_id_and_runs_no_tool() {
    let mut peer = Peer::with_revision("2025-06-18", server());
    let call = b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"a\xff\xfez\"}}}";
    assert_eq!(peer.error(call), (-32700, Some(json!(7))));
    for line in [&b"\xff\xfe\xc3\x28"[..], b"\0\0\0", b"{\"jsonrpc\":\"2.0\",\"id\":\"n\0ul\",\"method\":\"ping\"}"] {
        assert_eq!(peer.error(line), (-32700, Some(Value::Null)), "{line:?}");
    }
    assert!(peer.send(r#"{"jsonrpc":"2.0","id":8,"method":"ping"}"#).is_some());
}

#[test]
fn batches_are_answered_in_2025_03_26_and_rejected_in_other_revisions() {
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},7,
        {"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}},
        {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-03-26"}},[]]"#;
    let reply = Peer::with_revision("2025-03-26", server()).json(batch);
    let ids: Vec<_> =
        reply.as_array().unwrap().iter().map(|one| (one["id"].clone(), one["error"]["code"].as_i64())).collect();
    let (invalid, null) = (Some(-32600), Value::Null);
    assert_eq!(
        ids,
        [(json!(1), None), (null.clone(), invalid), (json!("c"), None), (json!(2), invalid), (null.clone(), invalid)]
    );

    assert_eq!(Peer::with_revision("2025-03-26", server()).error("[]"), (-32600, Some(null.clone())));
    assert_eq!(Peer::with_revision("2025-03-26", server()).send(r#"[{"jsonrpc":"2.0","method":"notifications/x"}]"#), None);
    for revision in ["2024-11-05", "2025-06-18"] {
        assert_eq!(Peer::with_revision(revision, server()).error(batch), (-32600, Some(null.clone())), "{revision}");
    }
    assert_eq!(Peer::new(server()).error(batch), (-32600, Some(null)));
}
