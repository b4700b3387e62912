//! Parses messages and compares them with a simple reading by `serde_json::Value` and the rules of JSON-RPC.

use std::collections::BTreeMap;

use mcp_core::transport::{Code, Id, Message};
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json::Members;

/// `line` is one line of input.
///
/// # Panics
/// If the message differs from the simple reading.
pub fn envelope(line: &[u8]) {
    let message = Message::parse(line);
    let Ok(text) = std::str::from_utf8(line) else {
        return is_malformed(&message, Code::PARSE_ERROR);
    };
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        return is_malformed(&message, Code::PARSE_ERROR);
    }
    // `Value` cannot hold numbers out of range, lone surrogates and deep nesting. Such input must only not panic.
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        compare(&message, text, &value, true);
    }
}

fn compare(message: &Message<'_>, text: &str, value: &Value, outermost: bool) {
    match value {
        Value::Array(items) if outermost => {
            let Message::Batch(messages) = message else { panic!("not a batch: {message:?}") };
            assert_eq!(messages.len(), items.len());
            let texts: Vec<&RawValue> = serde_json::from_str(text).expect("an array");
            for ((message, item), text) in messages.iter().zip(items).zip(texts) {
                compare(message, text.get(), item, false);
            }
        }
        Value::Object(_) => {
            assert_eq!(Kind::of(message, text), Kind::expected(text));
        }
        _ => is_malformed(message, Code::INVALID_REQUEST),
    }
}

fn is_malformed(message: &Message<'_>, code: Code) {
    let Message::Malformed(malformed) = message else { panic!("accepted as a message: {message:?}") };
    assert_eq!(malformed.error.code, code, "{malformed:?}");
}

/// A message as plain values.
#[derive(Debug, PartialEq)]
enum Kind {
    Request { id: Value, method: Value, params: Option<Value> },
    Notification { method: Value, params: Option<Value> },
    Answer { id: Option<Value>, result: Result<Value, Value> },
    Malformed { id: Option<Value> },
}

impl Kind {
    fn of(message: &Message<'_>, text: &str) -> Kind {
        let plain = |json: &str| serde_json::from_str::<Value>(json).expect("JSON that was read before");
        let id = |id: &Id| {
            assert!(text.contains(&*id.as_json()), "{id} is not in the text");
            plain(&id.as_json())
        };
        match message {
            Message::Request(request) => Kind::Request {
                id: id(&request.id),
                method: Value::from(&*request.method),
                params: request.params.raw().map(|raw| plain(raw.get())),
            },
            Message::Notification(notification) => Kind::Notification {
                method: Value::from(&*notification.method),
                params: notification.params.raw().map(|raw| plain(raw.get())),
            },
            Message::Response(answer) => Kind::Answer {
                id: answer.id.as_ref().map(id),
                result: answer.result.map(|raw| plain(raw.get())).map_err(|raw| plain(raw.get())),
            },
            Message::Malformed(malformed) => {
                assert_eq!(malformed.error.code, Code::INVALID_REQUEST, "{malformed:?}");
                Kind::Malformed { id: malformed.id.as_ref().map(id) }
            }
            other => panic!("an object became {other:?}"),
        }
    }

    fn expected(text: &str) -> Kind {
        let members: Members = serde_json::from_str(text).expect("an object");
        let (id, two_ids) = members.get("id");
        let readable = id.filter(|id| !two_ids && (id.is_string() || id.is_number())).cloned();
        let malformed = Kind::Malformed { id: readable.clone() };
        let keys = ["jsonrpc", "id", "method", "params", "result", "error"];
        if keys.iter().any(|key| members.get(key).1) {
            return malformed;
        }
        let [version, method, params, result, error] =
            ["jsonrpc", "method", "params", "result", "error"].map(|key| members.get(key).0);
        let Some(method) = method else {
            return match (result, error) {
                (_, Some(error)) => Kind::Answer { id: readable, result: Err(error.clone()) },
                (Some(result), None) => Kind::Answer { id: readable, result: Ok(result.clone()) },
                (None, None) => malformed,
            };
        };
        if version != Some(&Value::from("2.0")) || !method.is_string() {
            return malformed;
        }
        let params = params.filter(|params| !params.is_null()).cloned();
        let well_formed = params.as_ref().is_none_or(Value::is_object);
        match (id, readable) {
            (None, _) => Kind::Notification { method: method.clone(), params: params.filter(Value::is_object) },
            (Some(_), Some(id)) if well_formed && !has_fractional_id(text) => {
                Kind::Request { id, method: method.clone(), params }
            }
            _ => malformed,
        }
    }
}

/// Whether the id is a number with a fraction or exponent. In a `Value` an integer beyond 64 bits is a float too.
fn has_fractional_id(text: &str) -> bool {
    let raw: BTreeMap<String, &RawValue> = serde_json::from_str(text).expect("an object");
    raw["id"].get().starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
        && raw["id"].get().contains(['.', 'e', 'E'])
}
