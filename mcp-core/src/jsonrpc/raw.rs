//! JSON that is not yet looked into.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A value that is known to be JSON and not yet looked into, borrowed from the line it came in.
///
/// Like serde_json's [`RawValue`], but made without reading the text again: a session has read it when it took the message.
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
    /// Known to be a string that stands for itself.
    is_plain: bool,
}

impl<'a> RawJson<'a> {
    /// An object without members.
    pub(crate) const EMPTY_OBJECT: RawJson<'static> = RawJson { text: "{}", is_plain: false };

    /// For the scanner alone, which has just read it.
    #[inline]
    pub(super) fn new(text: &'a str, is_plain: bool) -> RawJson<'a> {
        RawJson { text, is_plain }
    }

    /// The JSON text.
    pub fn get(self) -> &'a str {
        self.text
    }

    /// The value as a `T`.
    ///
    /// # Errors
    /// When it is none.
    pub fn decode<T: Deserialize<'a>>(self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.text)
    }

    /// The value on its own, no longer borrowed.
    pub fn to_boxed(self) -> Box<RawValue> {
        RawValue::from_string(self.text.to_owned()).expect("it is JSON")
    }

    /// The text that it says, borrowed when it holds no escapes; none if it is no string.
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

/// Two are equal when they are written alike.
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
