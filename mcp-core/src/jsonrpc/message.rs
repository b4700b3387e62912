//! Bytes become messages.

use std::borrow::Cow;
use std::hint::cold_path;

use serde::de::IgnoredAny;

use super::lex::{value, value_end};
use super::salvage::salvage_id;
use super::scan::{self, Keys as _, Next, keys};
use super::{Code, Id, RawJson, RpcError, Span};
use crate::jsonrpc::params::Params;

/// What a peer sent, borrowed from the line it came in.
///
/// Parsing is total: bytes that are no message become [`Message::Malformed`], which the session answers.
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
    /// A JSON object, if anything.
    pub params: Params<'a>,
}

/// A method call that wants no answer.
#[derive(Debug)]
#[non_exhaustive]
pub struct Notification<'a> {
    /// Which method.
    pub method: Cow<'a, str>,
    /// A JSON object, if anything.
    pub params: Params<'a>,
}

/// The peer's answer to a request of ours.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer<'a> {
    /// The id of our request, where it can be read.
    pub id: Option<Id>,
    /// What came back, or the error.
    pub result: Result<RawJson<'a>, RawJson<'a>>,
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
            Ok(text) => Message::parse_text(text),
            Err(error) => {
                let what = format!("invalid UTF-8 at byte {}", error.valid_up_to());
                Message::Malformed(Malformed { id: salvage_id(line), error: RpcError::new(Code::PARSE_ERROR, what) })
            }
        }
    }

    /// The same from text, of which nobody has to see again that it is text.
    pub fn parse_text(text: &'a str) -> Message<'a> {
        parse(text, true)
    }

    /// A message of `length` bytes that was dropped because only `limit` are allowed; `head` is how it began.
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

/// Several messages in an array; `None` if it is not JSON.
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
        next = scan::go_on(text, end, b']')?;
    };
    scan::whole(text, end)?;
    Some(Message::Batch(messages))
}

/// Says why a text is not JSON, in the words of serde_json, which are the ones to be found on the web.
fn not_json(text: &str) -> Message<'static> {
    let why = serde_json::from_str::<IgnoredAny>(text).err().map_or_else(String::new, |error| format!(": {error}"));
    let error = RpcError::new(Code::PARSE_ERROR, format!("not JSON{why}"));
    Message::Malformed(Malformed { id: salvage_id(text.as_bytes()), error })
}

fn malformed(id: Option<Id>, what: &str) -> Message<'static> {
    Message::Malformed(Malformed { id, error: RpcError::invalid_request(what) })
}

// The known top-level keys. Unknown ones are ignored, look-alikes of known ones are unknown.
keys!(Known: "jsonrpc", "id", "method", "params", "result", "error");
const KNOWN: usize = Known::NAMES.len();
const ID: usize = 1;
const PARAMS: usize = 3;

/// Where the values of these keys stand, and behind them the last one that is not known.
#[derive(Default)]
struct Envelope {
    values: [Span; KNOWN + 1],
    /// The place of a key that stands twice.
    duplicate: Option<usize>,
}

impl Envelope {
    /// Reads an object, and what stands in `params` if that is one too; `None` if it is not JSON.
    #[inline(always)]
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
                cold_path();
                // Of several the id counts most: whatever else stands twice, there is nobody to answer to.
                if place < KNOWN && self.duplicate != Some(ID) {
                    self.duplicate = Some(place);
                }
            }
            *slot = value;
            next = scan::next_key(text, value.end())?;
        }
    }

    /// Always part of its caller, so that the parameters are moved once.
    #[inline(always)]
    fn into_message<'a>(self, text: &'a str, members: Params<'a>) -> Message<'a> {
        let [jsonrpc, raw_id, method, params, result, error, _] = self.values;
        let id = match Id::from_digits(raw_id.bytes(text)) {
            Some(id) => Some(id),
            None => raw_id.of(text).and_then(|raw| Id::from_json(raw.get())),
        };
        if let Some(place) = self.duplicate {
            // Two parsers may disagree about which one counts. With two ids there is none to answer to.
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
            // Nobody waits for an answer to a notification, whatever is wrong with it.
            (None, _) => Message::Notification(Notification { method, params: members }),
        }
    }
}
