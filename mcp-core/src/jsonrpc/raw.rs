//! JSON that is not yet looked into.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::lex::has_backslash;

/// A value that is known to be JSON and not yet looked into, borrowed from the line it came in.
///
/// Like serde_json's [`RawValue`], but made without reading the text again: a session has read it when it took the message.
///
/// ```
/// use mcp_core::Message;
///
/// let Message::Request(request) = Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n": [1, 2]}}"#)
/// else { panic!() };
/// let params = request.params.raw().unwrap();
/// assert_eq!(params.get(), r#"{"n": [1, 2]}"#);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RawJson<'a>(&'a str);

impl<'a> RawJson<'a> {
    /// An object without members.
    pub(crate) const EMPTY_OBJECT: RawJson<'static> = RawJson("{}");

    /// For the scanner alone, which has just read it.
    pub(super) fn new(text: &'a str) -> RawJson<'a> {
        RawJson(text)
    }

    /// The JSON text.
    pub fn get(self) -> &'a str {
        self.0
    }

    /// The value as a `T`.
    ///
    /// # Errors
    /// When it is none.
    pub fn decode<T: Deserialize<'a>>(self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.0)
    }

    /// The value on its own, no longer borrowed.
    pub fn to_boxed(self) -> Box<RawValue> {
        RawValue::from_string(self.0.to_owned()).expect("it is JSON")
    }

    /// The text that it says, borrowed when it holds no escapes; none if it is no string.
    pub(crate) fn string(self) -> Option<Cow<'a, str>> {
        let [b'"', inner @ .., b'"'] = self.0.as_bytes() else {
            return None;
        };
        let text = self.0.get(1..self.0.len() - 1)?;
        match has_backslash(inner) {
            false => Some(Cow::Borrowed(text)),
            true => self.decode().ok().map(Cow::Owned),
        }
    }

    pub(crate) fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    pub(crate) fn is_null(self) -> bool {
        self.0 == "null"
    }
}

impl<'a> From<&'a RawValue> for RawJson<'a> {
    fn from(raw: &'a RawValue) -> RawJson<'a> {
        RawJson(raw.get())
    }
}

impl fmt::Debug for RawJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
