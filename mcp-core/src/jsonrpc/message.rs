//! Parses bytes into messages.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::invalid_message_id::salvage_id;
use super::lex::{value, value_end};
use super::scan::{self, Keys as _, Next, keys};
use super::{Code, Id, RawJson, RpcError, Span};
use crate::jsonrpc::params::Params;

/// A message from a peer, borrowed from the input line.
///
/// Parsing never fails: invalid input becomes [`Message::Malformed`], which the session answers with an error.
///
/// ```
/// use mcp_core::transport::Message;
///
/// assert!(matches!(Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), Message::Request(_)));
/// assert!(matches!(Message::parse(b"hello"), Message::Malformed(_)));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Message<'a> {
    /// A request, which needs a response.
    Request(Request<'a>),
    /// A notification, which needs no response.
    Notification(Notification<'a>),
    /// The response to a request of the server.
    Response(Answer<'a>),
    /// A batch. The session decides whether the revision allows it.
    Batch(Vec<Message<'a>>),
    /// Invalid input.
    Malformed(Malformed),
}

/// A request.
#[derive(Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The request id, which the response repeats.
    pub id: Id,
    /// The name of the method.
    pub method: Cow<'a, str>,
    /// The parameters of the request.
    pub params: Params<'a>,
}

/// A notification.
#[derive(Debug)]
#[non_exhaustive]
pub struct Notification<'a> {
    /// The name of the method.
    pub method: Cow<'a, str>,
    /// The parameters of the notification.
    pub params: Params<'a>,
}

/// The response of the peer to a request of the server.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer<'a> {
    /// The id of the request, if it is valid.
    pub id: Option<Id>,
    /// The result, or the error object.
    pub result: Result<RawJson<'a>, RawJson<'a>>,
}

/// Invalid input, and the error to send.
#[derive(Debug)]
#[non_exhaustive]
pub struct Malformed {
    /// The id of the request, if it was found in the invalid input.
    pub id: Option<Id>,
    /// The error to send.
    pub error: RpcError,
}

impl<'a> Message<'a> {
    /// Parses one line into a message.
    pub fn parse(line: &'a [u8]) -> Message<'a> {
        match std::str::from_utf8(line) {
            Ok(text) => Message::parse_text(text),
            Err(error) => {
                let what = format!("invalid UTF-8 at byte {}", error.valid_up_to());
                Message::Malformed(Malformed { id: salvage_id(line), error: RpcError::new(Code::PARSE_ERROR, what) })
            }
        }
    }

    /// Like [`parse`](Message::parse), for input that is already known to be UTF-8.
    pub fn parse_text(text: &'a str) -> Message<'a> {
        parse(text, true)
    }

    /// Returns the malformed message for input of `length` bytes over the `limit`. `head` is the start of the input.
    pub fn oversized(head: &[u8], length: usize, limit: usize) -> Message<'static> {
        let what = format!("message of {length} bytes, limit {limit}");
        Message::Malformed(Malformed { id: salvage_id(head), error: RpcError::invalid_request(what) })
    }
}

fn parse(text: &str, batch_allowed: bool) -> Message<'_> {
    if text.len() > Span::LONGEST {
        return Message::oversized(text.as_bytes(), text.len(), Span::LONGEST);
    }
    let start = scan::start(text, 0);
    match text.as_bytes().get(start) {
        Some(b'{') => {
            let (mut envelope, mut params) = (Envelope::default(), Params::of(text));
            match envelope.scan(text, start, &mut params).and_then(|end| scan::whole(text, end)) {
                Some(()) => envelope.into_message(text, params),
                None => not_json(text),
            }
        }
        Some(b'[') if batch_allowed => parse_batch(text, start).unwrap_or_else(|| not_json(text)),
        _ => match value_end(text.as_bytes(), start).and_then(|end| scan::whole(text, end)) {
            Some(()) => malformed(None, "a message must be a JSON object"),
            None => not_json(text),
        },
    }
}

/// Parses an array of messages. Returns `None` if it is not JSON.
fn parse_batch(text: &str, start: usize) -> Option<Message<'_>> {
    let mut messages = Vec::new();
    let mut next = scan::enter(text, start, b'[', b']')?;
    let end = loop {
        let start = match next {
            Next::Member(at) => scan::start(text, at),
            Next::End(end) => break end,
        };
        let end = value_end(text.as_bytes(), start)?;
        messages.push(parse(text.get(start..end)?, false));
        next = scan::next_member(text, end, b']')?;
    };
    scan::whole(text, end)?;
    Some(Message::Batch(messages))
}

/// Returns the malformed message for text that is not JSON, with the error message of serde_json.
fn not_json(text: &str) -> Message<'static> {
    let why = serde_json::from_str::<IgnoredAny>(text).err().map_or_else(String::new, |error| format!(": {error}"));
    let error = RpcError::new(Code::PARSE_ERROR, format!("not JSON{why}"));
    Message::Malformed(Malformed { id: salvage_id(text.as_bytes()), error })
}

fn malformed(id: Option<Id>, what: &str) -> Message<'static> {
    Message::Malformed(Malformed { id, error: RpcError::invalid_request(what) })
}

// The known top-level keys. Keys are case-sensitive, and unknown keys are ignored.
keys!(Known: "jsonrpc", "id", "method", "params", "result", "error");
const KNOWN: usize = Known::NAMES.len();
const ID: usize = 1;
const PARAMS: usize = 3;

/// The positions of the values of the known keys. The last element is the value of the last unknown key.
#[derive(Default)]
struct Envelope {
    values: [Span; KNOWN + 1],
    /// The index of a duplicate key.
    duplicate: Option<usize>,
}

impl Envelope {
    /// Scans an object, and the object in `params`. Returns the end of the object, or `None` if it is not JSON.
    #[inline]
    fn scan<'a>(&mut self, text: &'a str, start: usize, params: &mut Params<'a>) -> Option<usize> {
        let bytes = text.as_bytes();
        let mut next = scan::first_key(text, start)?;
        loop {
            let at = match next {
                Next::Member(at) => at,
                Next::End(end) => return Some(end),
            };
            let (place, start) = scan::key::<Known>(text, at)?;
            let value = match place {
                PARAMS if bytes.get(start) == Some(&b'{') => Span::new(start, params.scan(start)?),
                _ => value(bytes, start)?,
            };
            let slot = &mut self.values[place];
            if !slot.is_empty() {
                // A duplicate id matters most: with it, the error response cannot name a request.
                if place < KNOWN && self.duplicate != Some(ID) {
                    self.duplicate = Some(place);
                }
            }
            *slot = value;
            next = scan::next_key(text, value.end())?;
        }
    }

    /// Inlined, so that the parameters are moved only once.
    #[inline]
    fn into_message<'a>(self, text: &'a str, members: Params<'a>) -> Message<'a> {
        let [jsonrpc, raw_id, method, params, result, error, _] = self.values;
        let id = match Id::from_digits(raw_id.bytes(text)) {
            Some(id) => Some(id),
            None => raw_id.of(text).and_then(|raw| Id::from_json(raw.get())),
        };
        if let Some(place) = self.duplicate {
            // JSON parsers disagree about which duplicate counts, so reject the message. With two ids the response has none.
            return malformed(id.filter(|_| place != ID), &format!("duplicate key `{}`", Known::NAMES[place]));
        }
        if method.is_empty() {
            return match (result.of(text), error.of(text)) {
                (None, None) => malformed(id, "a message must have a `method`, a `result` or an `error`"),
                (_, Some(error)) => Message::Response(Answer { id, result: Err(error) }),
                (Some(result), None) => Message::Response(Answer { id, result: Ok(result) }),
            };
        }
        if jsonrpc.bytes(text) != br#""2.0""# && jsonrpc.of(text).and_then(RawJson::string).as_deref() != Some("2.0") {
            return malformed(id, "`jsonrpc` must be \"2.0\"");
        }
        let Some(method) = method.string(text) else {
            return malformed(id, "`method` must be a string");
        };
        if id.as_ref().map_or(!raw_id.is_empty(), Id::is_fraction) {
            return malformed(id, "`id` must be a string or an integer");
        }
        match (id, matches!(params.bytes(text).first(), None | Some(b'{' | b'n'))) {
            (Some(id), true) => Message::Request(Request { id, method, params: members }),
            (Some(id), false) => malformed(Some(id), "`params` must be an object"),
            // A notification never gets a response, so its parameters are not checked here.
            (None, _) => Message::Notification(Notification { method, params: members }),
        }
    }
}
