//! Bytes become messages.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::salvage::salvage_id;
use super::scan::{Known, Scanner};
use super::{Code, Id, RawJson, RpcError};
use crate::params::Params;

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
    let mut scanner = Scanner::new(text);
    match scanner.peek() {
        Some(b'{') => {
            let (mut envelope, mut params) = (Envelope::default(), Params::default());
            match envelope.scan(&mut scanner, &mut params).and_then(|()| scanner.end()) {
                Some(()) => envelope.into_message(params),
                None => not_json(text),
            }
        }
        Some(b'[') if batch_allowed => {
            parse_batch(&mut scanner).filter(|_| scanner.end().is_some()).unwrap_or_else(|| not_json(text))
        }
        _ => match scanner.value().and_then(|_| scanner.end()) {
            Some(()) => malformed(None, "a message is a JSON object"),
            None => not_json(text),
        },
    }
}

/// Several messages in an array; `None` if it is not JSON.
fn parse_batch<'a>(scanner: &mut Scanner<'a>) -> Option<Message<'a>> {
    let mut messages = Vec::new();
    scanner.array(|scanner| {
        messages.push(parse(scanner.value()?.get(), false));
        Some(())
    })?;
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

/// The known top-level keys. Unknown ones are ignored, look-alikes of known ones are unknown.
const KEYS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];
const ID: usize = 1;
const PARAMS: usize = 3;

/// The values of these keys.
#[derive(Default)]
struct Envelope<'a> {
    values: [Option<RawJson<'a>>; KEYS.len()],
    /// The place of a key that stands twice.
    duplicate: Option<usize>,
}

/// The place of the top-level key that a text begins with, if it is known.
#[inline]
fn known(text: &[u8]) -> Option<Known<usize>> {
    KEYS.iter().enumerate().find_map(|(place, key)| Known::at(text, key, place))
}

impl<'a> Envelope<'a> {
    /// Reads an object, and what stands in `params` if that is one too; `None` if it is not JSON.
    #[inline]
    fn scan(&mut self, scanner: &mut Scanner<'a>, params: &mut Params<'a>) -> Option<()> {
        scanner.object(known, |scanner, place| {
            let Some(place) = place else {
                return scanner.value().map(|_| ());
            };
            let value = match place {
                PARAMS if scanner.peek() == Some(b'{') => params.scan(scanner)?,
                _ => scanner.value()?,
            };
            // Of several the id counts most: whatever else stands twice, there is nobody to answer to.
            if self.values[place].replace(value).is_some() && self.duplicate != Some(ID) {
                self.duplicate = Some(place);
            }
            Some(())
        })?;
        Some(())
    }

    /// Always part of its caller, so that the parameters are moved once.
    #[inline(always)]
    fn into_message(self, members: Params<'a>) -> Message<'a> {
        let [jsonrpc, raw_id, method, params, result, error] = self.values;
        let id = raw_id.and_then(|raw| Id::from_json(raw.get()));
        if let Some(place) = self.duplicate {
            // Two parsers may disagree about which one counts. With two ids there is none to answer to.
            return malformed(id.filter(|_| place != ID), &format!("the key `{}` stands twice", KEYS[place]));
        }
        let Some(method) = method else {
            return match (result, error) {
                (None, None) => malformed(id, "a message has a `method`, a `result` or an `error`"),
                (_, Some(error)) => Message::Response(Answer { id, result: Err(error) }),
                (Some(result), None) => Message::Response(Answer { id, result: Ok(result) }),
            };
        };
        if jsonrpc.is_none_or(|raw| raw.get() != r#""2.0""# && raw.string().as_deref() != Some("2.0")) {
            return malformed(id, "`jsonrpc` must be \"2.0\"");
        }
        let Some(method) = method.string() else {
            return malformed(id, "`method` must be a string");
        };
        if raw_id.is_some() && id.is_none() {
            return malformed(None, "`id` must be a string or an integer");
        }
        if id.as_ref().is_some_and(Id::is_fraction) {
            return malformed(id, "`id` must be a string or an integer");
        }
        match (id, params.is_none_or(|raw| raw.is_object() || raw.is_null())) {
            (Some(id), true) => Message::Request(Request { id, method, params: members }),
            (Some(id), false) => malformed(Some(id), "`params` must be an object"),
            // Nobody waits for an answer to a notification, whatever is wrong with it.
            (None, _) => Message::Notification(Notification { method, params: members }),
        }
    }
}
