//! Bytes become messages.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::salvage::salvage_id;
use super::{Code, Id, RpcError};

/// What a peer sent, borrowed from the line it came in.
///
/// Parsing is total: bytes that are no message become [`Message::Malformed`], which the session answers.
///
/// ```
/// use mcp_core::Message;
///
/// assert!(matches!(Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), Message::Request(_)));
/// assert!(matches!(Message::parse(b"hello"), Message::Malformed(_)));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Message<'a> {
    /// Wants an answer.
    Request(Request<'a>),
    /// Wants none.
    Notification(Notification<'a>),
    /// Answers a request of ours.
    Response(Answer<'a>),
    /// Several at once. Whether that is legal is the session's decision.
    Batch(Vec<Message<'a>>),
    /// None of these.
    Malformed(Malformed),
}

/// A method call that wants an answer.
#[derive(Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// Goes back with the answer.
    pub id: Id,
    /// Which method.
    pub method: Cow<'a, str>,
    /// A JSON object, not yet looked into.
    pub params: Option<&'a RawValue>,
}

/// A method call that wants no answer.
#[derive(Debug)]
#[non_exhaustive]
pub struct Notification<'a> {
    /// Which method.
    pub method: Cow<'a, str>,
    /// A JSON object, not yet looked into.
    pub params: Option<&'a RawValue>,
}

/// The peer's answer to a request of ours.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer<'a> {
    /// The id of our request, where it can be read.
    pub id: Option<Id>,
    /// What came back, or the error.
    pub result: Result<&'a RawValue, &'a RawValue>,
}

/// Bytes that are no message, and what to say about them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Malformed {
    /// The id of the request that this was meant to be, where it can be read.
    pub id: Option<Id>,
    /// What is wrong.
    pub error: RpcError,
}

impl<'a> Message<'a> {
    /// Reads one message from the bytes of one line.
    pub fn parse(line: &'a [u8]) -> Message<'a> {
        match std::str::from_utf8(line) {
            Ok(text) => parse_text(text, true),
            Err(error) => {
                let what = format!("invalid UTF-8 at byte {}", error.valid_up_to());
                Message::Malformed(Malformed { id: salvage_id(line), error: RpcError::new(Code::PARSE_ERROR, what) })
            }
        }
    }

    /// A message of `length` bytes that was dropped because only `limit` are allowed; `head` is how it began.
    pub fn oversized(head: &[u8], length: usize, limit: usize) -> Message<'static> {
        let what = format!("message of {length} bytes, limit {limit}");
        Message::Malformed(Malformed { id: salvage_id(head), error: RpcError::invalid_request(what) })
    }
}

fn parse_text(text: &str, batch_allowed: bool) -> Message<'_> {
    match text.trim_ascii_start().as_bytes().first() {
        Some(b'{') => match serde_json::from_str::<Envelope<'_>>(text) {
            Ok(envelope) => envelope.into_message(),
            Err(error) => not_json(text, &error),
        },
        Some(b'[') if batch_allowed => match serde_json::from_str::<Vec<&RawValue>>(text) {
            Ok(items) => Message::Batch(items.into_iter().map(|item| parse_text(item.get(), false)).collect()),
            Err(error) => not_json(text, &error),
        },
        _ => match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => malformed(None, "a message is a JSON object"),
            Err(error) => not_json(text, &error),
        },
    }
}

fn not_json(text: &str, error: &serde_json::Error) -> Message<'static> {
    let what = format!("not JSON: {error}");
    Message::Malformed(Malformed { id: salvage_id(text.as_bytes()), error: RpcError::new(Code::PARSE_ERROR, what) })
}

fn malformed(id: Option<Id>, what: &str) -> Message<'static> {
    Message::Malformed(Malformed { id, error: RpcError::invalid_request(what) })
}

/// The known top-level keys as raw JSON. Unknown keys are ignored, look-alikes of known ones are unknown.
#[derive(Default)]
struct Envelope<'a> {
    jsonrpc: Option<&'a RawValue>,
    id: Option<&'a RawValue>,
    method: Option<&'a RawValue>,
    params: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    duplicate: Option<&'static str>,
}

impl<'a> Envelope<'a> {
    fn into_message(self) -> Message<'a> {
        if let Some(key) = self.duplicate {
            // Two parsers may disagree about which one counts. With two ids there is none to answer to.
            let id = self.id.filter(|_| key != "id").and_then(|raw| Id::from_json(raw.get()));
            return malformed(id, &format!("the key `{key}` stands twice"));
        }
        let id = self.id.and_then(|raw| Id::from_json(raw.get()));
        let Some(method) = self.method else {
            return match (self.result, self.error) {
                (None, None) => malformed(id, "a message has a `method`, a `result` or an `error`"),
                (_, Some(error)) => Message::Response(Answer { id, result: Err(error) }),
                (Some(result), None) => Message::Response(Answer { id, result: Ok(result) }),
            };
        };
        if self.jsonrpc.is_none_or(|raw| string(raw).as_deref() != Some("2.0")) {
            return malformed(id, "`jsonrpc` must be \"2.0\"");
        }
        let Some(method) = string(method) else {
            return malformed(id, "`method` must be a string");
        };
        if self.id.is_some() && id.is_none() {
            return malformed(None, "`id` must be a string or an integer");
        }
        if id.as_ref().is_some_and(Id::is_fraction) {
            return malformed(id, "`id` must be a string or an integer");
        }
        let params = self.params.filter(|raw| raw.get() != "null");
        match (id, params.is_none_or(|raw| raw.get().starts_with('{'))) {
            (Some(id), true) => Message::Request(Request { id, method, params }),
            (Some(id), false) => malformed(Some(id), "`params` must be an object"),
            // Nobody waits for an answer to a notification, whatever is wrong with it.
            (None, well_formed) => Message::Notification(Notification { method, params: params.filter(|_| well_formed) }),
        }
    }
}

/// The text of a JSON string, borrowed when it holds no escapes.
pub(crate) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let text = raw.get().strip_prefix('"')?;
    if text.contains('\\') {
        return serde_json::from_str(raw.get()).ok().map(Cow::Owned);
    }
    text.strip_suffix('"').map(Cow::Borrowed)
}

impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EnvelopeVisitor;

        impl<'de> Visitor<'de> for EnvelopeVisitor {
            type Value = Envelope<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON-RPC message")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope<'de>, A::Error> {
                let mut envelope = Envelope::default();
                while let Some(key) = map.next_key::<Key>()? {
                    let (slot, name) = match key {
                        Key::Jsonrpc => (&mut envelope.jsonrpc, "jsonrpc"),
                        Key::Id => (&mut envelope.id, "id"),
                        Key::Method => (&mut envelope.method, "method"),
                        Key::Params => (&mut envelope.params, "params"),
                        Key::Result => (&mut envelope.result, "result"),
                        Key::Error => (&mut envelope.error, "error"),
                        Key::Other => {
                            map.next_value::<IgnoredAny>()?;
                            continue;
                        }
                    };
                    if slot.replace(map.next_value::<&RawValue>()?).is_some() {
                        envelope.duplicate = Some(name);
                    }
                }
                Ok(envelope)
            }
        }

        deserializer.deserialize_map(EnvelopeVisitor)
    }
}

enum Key {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    Other,
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;

        impl Visitor<'_> for KeyVisitor {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_str<E>(self, key: &str) -> Result<Key, E> {
                Ok(match key {
                    "jsonrpc" => Key::Jsonrpc,
                    "id" => Key::Id,
                    "method" => Key::Method,
                    "params" => Key::Params,
                    "result" => Key::Result,
                    "error" => Key::Error,
                    _ => Key::Other,
                })
            }
        }

        deserializer.deserialize_identifier(KeyVisitor)
    }
}
