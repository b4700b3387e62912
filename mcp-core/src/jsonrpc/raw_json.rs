//! JSON text that is not parsed yet.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

/// Valid JSON text that is not parsed yet, borrowed from the input line.
///
/// Like serde_json's [`RawValue`], but created without validating the text again: the scanner has validated the message.
///
/// ```
/// use mcp_core::transport::Message;
///
/// let Message::Request(request) = Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n": [1, 2]}}"#)
/// else { panic!() };
/// let params = request.params.raw().unwrap();
/// assert_eq!(params.get(), r#"{"n": [1, 2]}"#);
/// ```
#[derive(Clone, Copy)]
pub struct RawJson<'a> {
    text: &'a str,
    /// Whether the value is a string without escapes.
    is_plain: bool,
}

impl<'a> RawJson<'a> {
    /// An object without members.
    pub(crate) const EMPTY_OBJECT: RawJson<'static> = RawJson { text: "{}", is_plain: false };

    /// Only for the scanner, which has validated the text.
    #[inline]
    pub(super) fn new(text: &'a str, is_plain: bool) -> RawJson<'a> {
        RawJson { text, is_plain }
    }

    /// Returns the JSON text.
    pub fn get(self) -> &'a str {
        self.text
    }

    /// Decodes the value.
    ///
    /// # Errors
    /// If it does not match `T`.
    pub fn decode<T: Deserialize<'a>>(self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.text)
    }

    /// Copies the value into an owned [`RawValue`].
    pub fn to_boxed(self) -> Box<RawValue> {
        RawValue::from_string(self.text.to_owned()).expect("it is JSON")
    }

    /// Decodes a string value, borrowed if it has no escapes. Returns `None` if the value is not a string.
    #[inline]
    pub(crate) fn string(self) -> Option<Cow<'a, str>> {
        if self.is_plain {
            return self.text.get(1..self.text.len() - 1).map(Cow::Borrowed);
        }
        if !self.text.starts_with('"') {
            return None;
        }
        self.decode().ok()
    }

    pub(crate) fn is_object(self) -> bool {
        self.text.starts_with('{')
    }

    pub(crate) fn is_null(self) -> bool {
        self.text == "null"
    }
}

impl<'a> From<&'a RawValue> for RawJson<'a> {
    fn from(raw: &'a RawValue) -> RawJson<'a> {
        RawJson::new(raw.get(), false)
    }
}

/// Compares the JSON texts, not the values.
impl PartialEq for RawJson<'_> {
    fn eq(&self, other: &RawJson<'_>) -> bool {
        self.text == other.text
    }
}

impl Eq for RawJson<'_> {}

impl fmt::Debug for RawJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}
