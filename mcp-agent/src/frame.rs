//! The frames on the wire: one JSON object a line, either way.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::message::Message;

/// The id of a control request: any JSON value, kept as its text.
///
/// Ours are strings; the CLI's are too, but it takes and gives back whatever it is sent, and so do we.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct RequestId(Box<str>);

impl RequestId {
    pub(crate) fn numbered(number: u64) -> Self {
        Self(format!("\"req_{number}\"").into())
    }

    fn new(raw: &RawValue) -> Self {
        Self(raw.get().into())
    }

    fn raw(&self) -> Cow<'_, RawValue> {
        match serde_json::from_str::<&RawValue>(&self.0) {
            Ok(raw) => Cow::Borrowed(raw),
            // Never happens: the text was JSON when it came.
            Err(_) => Cow::Owned(RawValue::NULL.to_owned()),
        }
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for RequestId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw().serialize(serializer)
    }
}

/// A frame from the CLI.
#[derive(Debug)]
pub(crate) enum Frame {
    /// The CLI wants something.
    Request { id: RequestId, request: Box<RawValue> },
    /// The CLI no longer wants it.
    Cancel { id: RequestId },
    /// The CLI answers.
    Response { id: RequestId, answer: Result<Option<Box<RawValue>>, Refusal> },
    /// The CLI tells something.
    Message(Message),
    /// Nothing that could be a frame.
    Noise,
}

/// The CLI answered that it cannot or will not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) message: String,
    pub(crate) code: Option<String>,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, rename = "type", default)]
    kind: Option<&'a RawValue>,
    #[serde(borrow, default)]
    subtype: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    request_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    request: Option<&'a RawValue>,
    #[serde(borrow, default)]
    response: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow, default)]
    subtype: Option<&'a RawValue>,
    #[serde(borrow)]
    request_id: &'a RawValue,
    #[serde(borrow, default)]
    response: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error_code: Option<&'a RawValue>,
}

impl Frame {
    /// Reads a line. Total: what is no JSON object is noise, as are keep-alives and answers without an id.
    pub(crate) fn parse(line: &[u8]) -> Self {
        let text = String::from_utf8_lossy(line);
        // An array would do for a struct as well.
        if !text.trim_start().starts_with('{') {
            return Self::Noise;
        }
        let Ok(head) = serde_json::from_str::<Head<'_>>(&text) else {
            return Self::Noise;
        };
        let kind = text_of(head.kind).unwrap_or_default();
        match (kind.as_ref(), head.request_id) {
            ("control_request", Some(id)) => {
                Self::Request { id: RequestId::new(id), request: head.request.unwrap_or(RawValue::NULL).to_owned() }
            }
            ("control_cancel_request", Some(id)) => Self::Cancel { id: RequestId::new(id) },
            ("control_response", _) => head.response.map_or(Self::Noise, Self::response),
            ("control_request" | "control_cancel_request" | "keep_alive", _) => Self::Noise,
            (kind, _) => match serde_json::from_str::<&RawValue>(text.trim()) {
                Ok(raw) => Self::Message(Message::new(kind, text_of(head.subtype).as_deref(), raw.to_owned())),
                Err(_) => Self::Noise,
            },
        }
    }

    fn response(raw: &RawValue) -> Self {
        let Ok(answer) = serde_json::from_str::<Answer<'_>>(raw.get()) else {
            return Self::Noise;
        };
        let id = RequestId::new(answer.request_id);
        let answer = match text_of(answer.subtype).as_deref() {
            Some("error") => Err(Refusal {
                message: text_of(answer.error).unwrap_or(Cow::Borrowed("no reason given")).into_owned(),
                code: text_of(answer.error_code).map(Cow::into_owned),
            }),
            _ => Ok(answer.response.map(ToOwned::to_owned)),
        };
        Self::Response { id, answer }
    }
}

/// A field that is there, be it null.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn text_of(raw: Option<&RawValue>) -> Option<Cow<'_, str>> {
    serde_json::from_str(raw?.get()).ok().map(Cow::Owned)
}

/// A frame to the CLI.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Outgoing<'a, T: Serialize> {
    /// We want something.
    #[serde(rename = "control_request")]
    Request { request_id: &'a RequestId, request: &'a T },
    /// We no longer want it.
    #[serde(rename = "control_cancel_request")]
    Cancel { request_id: &'a RequestId },
    /// We answer.
    #[serde(rename = "control_response")]
    Response { response: Reply<'a, T> },
}

/// Our answer to a control request.
#[derive(Debug, Serialize)]
#[serde(tag = "subtype", rename_all = "lowercase")]
pub(crate) enum Reply<'a, T: Serialize> {
    Success {
        request_id: &'a RequestId,
        response: &'a T,
    },
    Error {
        request_id: &'a RequestId,
        error: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        error_code: Option<&'a str>,
    },
}

impl<T: Serialize> Outgoing<'_, T> {
    pub(crate) fn to_line(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn an_id_of_any_form_comes_back_as_it_was() {
        for id in ["7", r#""a-b""#, "null", r#"{"x":[1.50]}"#] {
            let line = format!(r#"{{"type":"control_request","request_id":{id},"request":{{"subtype":"x"}}}}"#);
            let Frame::Request { id: parsed, .. } = Frame::parse(line.as_bytes()) else { panic!("{id}: not a request") };
            let reply = Outgoing::Response { response: Reply::Success { request_id: &parsed, response: &json!({}) } };
            let expected = format!(
                r#"{{"type":"control_response","response":{{"subtype":"success","request_id":{id},"response":{{}}}}}}"#
            );
            assert_eq!(String::from_utf8(reply.to_line().expect("serialises")).expect("text"), expected);
        }
    }

    #[test]
    fn an_answer_may_have_no_payload() {
        let line = br#"{"type":"control_response","response":{"subtype":"success","request_id":"req_1"}}"#;
        let Frame::Response { id, answer } = Frame::parse(line) else { panic!("not a response") };
        assert_eq!(id, RequestId::numbered(1));
        assert!(answer.expect("a success").is_none());
    }

    #[test]
    fn a_refusal_keeps_its_code() {
        let line = br#"{"type":"control_response","response":{"subtype":"error","request_id":"r","error":"no","error_code":"unsupported_request"}}"#;
        let Frame::Response { answer: Err(refusal), .. } = Frame::parse(line) else { panic!("not a refusal") };
        assert_eq!(refusal, Refusal { message: "no".to_owned(), code: Some("unsupported_request".to_owned()) });
    }

    #[test]
    fn what_is_no_object_is_noise() {
        for line in
            ["", "  ", "[SandboxDebug] hello", "[1,2]", "\"text\"", "{\"type\":", "null", "{\"type\":\"keep_alive\"}"]
        {
            assert!(matches!(Frame::parse(line.as_bytes()), Frame::Noise), "{line}");
        }
    }

    #[test]
    fn an_object_of_any_type_is_a_message() {
        for line in
            [r#"{"type":"news","x":1}"#, r#"{"x":1}"#, r#"{"type":5}"#, r#" {"type":"user","message":{"content":"x"}} "#]
        {
            let Frame::Message(message) = Frame::parse(line.as_bytes()) else { panic!("{line}: not a message") };
            assert_eq!(serde_json::to_string(&message).expect("serialises"), line.trim());
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::hash_map("[a-z_]{1,12}", inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_bytes_are_some_frame(line in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Frame::parse(&line);
        }

        #[test]
        fn a_message_of_any_kind_with_any_fields_survives(
            kind in 0..Message::KINDS.len(),
            fields in prop::collection::hash_map("[a-z_]{1,12}|message|result|event|usage|tools", any_json(), 0..8),
        ) {
            let (kind, subtype) = Message::KINDS[kind];
            let mut object: serde_json::Map<String, Value> = fields.into_iter().collect();
            object.insert("type".to_owned(), kind.into());
            if let Some(subtype) = subtype {
                object.insert("subtype".to_owned(), subtype.into());
            }
            let line = serde_json::to_string(&object).expect("serialises");
            let Frame::Message(message) = Frame::parse(line.as_bytes()) else { panic!("not a message") };
            prop_assert!(!matches!(message, Message::Other(_)));
            prop_assert_eq!(serde_json::to_string(&message).expect("serialises"), line);
        }
    }
}
