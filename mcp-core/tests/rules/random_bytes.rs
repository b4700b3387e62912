//! Random bytes: each line gets the response that JSON-RPC requires, or none, and nothing panics.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::session::{Peer, server};

/// Random bytes, random JSON, and requests with invalid parts.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..80),
        any_json().prop_map(|value| value.to_string().into_bytes()),
        damaged(any_message()),
        any_message().prop_map(|message| message.to_string().into_bytes()),
        proptest::collection::vec(any_message(), 0..4).prop_map(|batch| json!(batch).to_string().into_bytes()),
    ]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        Just(json!("2.0")),
        Just(json!("echo")),
    ];
    let key = prop_oneof![
        Just("id".to_owned()),
        Just("text".to_owned()),
        Just("name".to_owned()),
        Just("_meta".to_owned()),
        ".{0,6}"
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(key.clone(), inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

/// A request in which each part may be valid, missing, or any JSON.
fn any_message() -> impl Strategy<Value = Value> {
    let version = prop_oneof![4 => Just(Some(json!("2.0"))), 1 => Just(None), 1 => any_json().prop_map(Some)];
    let id = prop_oneof![3 => any::<i64>().prop_map(|id| Some(json!(id))), 1 => Just(None), 1 => any_json().prop_map(Some)];
    const NAMES: [&str; 7] =
        ["ping", "tools/list", "tools/call", "initialize", "server/discover", "notifications/cancelled", "logging/setLevel"];
    let method = prop_oneof![6 => proptest::sample::select(NAMES.to_vec()).prop_map(|name| Some(json!(name))), 1 => any_json().prop_map(Some)];
    let arguments = any_json().prop_map(|arguments| json!({"name": "echo", "arguments": arguments}));
    let params = prop_oneof![2 => arguments.prop_map(Some), 1 => Just(None), 1 => any_json().prop_map(Some)];
    (version, id, method, params).prop_map(|(version, id, method, params)| {
        let parts = [("jsonrpc", version), ("id", id), ("method", method), ("params", params)];
        parts.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect::<serde_json::Map<_, _>>().into()
    })
}

/// A message with one byte changed or removed, or truncated.
fn damaged(message: impl Strategy<Value = Value>) -> impl Strategy<Value = Vec<u8>> {
    (message, any::<proptest::sample::Index>(), any::<u8>(), 0..3).prop_map(|(message, at, byte, how)| {
        let mut bytes = message.to_string().into_bytes();
        let at = at.index(bytes.len());
        match how {
            0 => bytes[at] = byte,
            1 => drop(bytes.remove(at)),
            _ => bytes.truncate(at),
        }
        bytes
    })
}

/// Whether JSON-RPC requires a response. Implemented independently of the code under test.
fn wants_answer(line: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return true;
    };
    let Some(object) = value.as_object() else {
        return true;
    };
    let is_answer = !object.contains_key("method") && (object.contains_key("result") || object.contains_key("error"));
    let is_notification = object.get("jsonrpc") == Some(&json!("2.0"))
        && object.get("method").is_some_and(Value::is_string)
        && !object.contains_key("id");
    !is_answer && !is_notification
}

fn check_reply(reply: &Value) {
    assert_eq!(reply["jsonrpc"], "2.0", "{reply}");
    let (result, error) = (reply.get("result"), reply.get("error"));
    assert!(result.is_some() != error.is_some(), "exactly one of result and error: {reply}");
    if let Some(error) = error {
        assert!(error["code"].is_i64() && error["message"].is_string(), "{reply}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_get_one_valid_response_or_none(line in lines(), revision in 0..5usize) {
        let revisions = ["", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
        let mut peer = if revision == 0 { Peer::new(server()) } else { Peer::with_revision(revisions[revision], server()) };
        match peer.json(&line) {
            Value::Null => prop_assert!(!wants_answer(&line) || line.starts_with(b"["), "silence to {}", String::from_utf8_lossy(&line)),
            Value::Array(replies) => replies.iter().for_each(check_reply),
            reply => {
                prop_assert!(wants_answer(&line), "{reply} to {}", String::from_utf8_lossy(&line));
                check_reply(&reply);
            }
        }
        prop_assert_eq!(peer.pending(), 0);
        let pong = peer.send(r#"{"jsonrpc":"2.0","id":"after","method":"ping"}"#);
        prop_assert!(pong.is_some());
    }

    #[test]
    fn ids_are_returned_unchanged_when_other_parts_are_invalid(
        id in prop_oneof!["-?[1-9][0-9]{0,40}".prop_map(String::from), any::<String>().prop_map(|text| json!(text).to_string())],
        rest in prop_oneof![
            Just(r#""jsonrpc":"2.0","method":"ping""#),
            Just(r#""jsonrpc":"2.0","method":"no/such","params":{"id":1}"#),
            Just(r#""jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"\ud800"}}"#),
            Just(r#""jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":3}"#),
            Just(r#""jsonrpc":"1.0","method":"ping""#),
            Just(r#""jsonrpc":"2.0","method":{}"#),
            Just(r#""jsonrpc":"2.0","params":[]"#),
            Just(r#""jsonrpc":"2.0","method":"ping","params":7"#),
        ],
        first in any::<bool>(),
    ) {
        let line = if first { format!(r#"{{"id":{id},{rest}}}"#) } else { format!(r#"{{{rest} , "id" : {id}}}"#) };
        let reply = Peer::with_revision("2025-11-25", server()).send(&line).unwrap();
        let expected = format!(r#"{{"jsonrpc":"2.0","id":{},"#, id);
        prop_assert!(reply.starts_with(&expected), "{} got {}", line, reply);
    }
}
