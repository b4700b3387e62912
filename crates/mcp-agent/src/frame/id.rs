//! The id of a control request.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde_json::value::RawValue;

/// The id of a control request: any JSON value, stored as its text.
///
/// Ids of requests sent to the CLI are strings. Ids of the CLI are strings too, but any value is accepted and returned
/// unchanged, as the CLI does.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestId(Box<str>);

impl RequestId {
    /// The id of the request with this number.
    pub fn numbered(number: u64) -> Self {
        Self(format!("\"req_{number}\"").into())
    }

    pub(super) fn new(raw: &RawValue) -> Self {
        Self(raw.get().into())
    }

    /// Returns the id as text: the content of a string, or the JSON text of another value.
    pub(crate) fn text(&self) -> String {
        serde_json::from_str(&self.0).unwrap_or_else(|_| self.0.to_string())
    }

    fn raw(&self) -> Cow<'_, RawValue> {
        match serde_json::from_str::<&RawValue>(&self.0) {
            Ok(raw) => Cow::Borrowed(raw),
            // Unreachable: the text was parsed as JSON before.
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
