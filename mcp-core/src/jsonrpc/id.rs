//! Request ids, stored as the JSON text that the client sent.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The id of a request.
///
/// An id is sent back byte for byte, so it is never converted into a number that could lose digits. Two ids are equal if
/// their values are equal: `"a"` and `"\u0061"` are the same id, `1` and `"1"` are different.
///
/// ```
/// use mcp_core::transport::Id;
///
/// let id = Id::from_json("18446744073709551616").unwrap();
/// assert_eq!(id.as_json(), "18446744073709551616");
/// assert_eq!(Id::from_json(r#""a""#), Id::from_json(r#""\u0061""#));
/// assert_eq!(Id::from_json("true"), None);
/// ```
#[derive(Clone)]
pub struct Id(Repr);

#[derive(Clone)]
enum Repr {
    /// An integer in canonical spelling: needs no allocation.
    Small(i64),
    Text(Box<str>),
}

impl Id {
    /// Parses an id from JSON text. Returns `None` if it is not a string or a number.
    pub fn from_json(text: &str) -> Option<Id> {
        match text.as_bytes().first()? {
            b'"' => serde_json::from_str::<Cow<'_, str>>(text).is_ok().then(|| Id(Repr::Text(text.into()))),
            b'-' | b'0'..=b'9' => {
                if let Some(small) = canonical_integer(text) {
                    return Some(Id(Repr::Small(small)));
                }
                // Reject numbers that overflow an `f64`: most JSON parsers could not read them in the response.
                serde_json::from_str::<f64>(text).is_ok().then(|| Id(Repr::Text(text.into())))
            }
            _ => None,
        }
    }

    /// Fast path for integers with few digits, which nearly all ids are. Returns `None` for all others.
    #[inline]
    pub(super) fn from_digits(digits: &[u8]) -> Option<Id> {
        small(digits).map(|number| Id(Repr::Small(number)))
    }

    /// Returns the JSON text of this id, unchanged.
    pub fn as_json(&self) -> Cow<'_, str> {
        match &self.0 {
            Repr::Small(number) => Cow::Owned(number.to_string()),
            Repr::Text(text) => Cow::Borrowed(text),
        }
    }

    /// Returns whether the id is a number with a fraction or exponent. JSON-RPC allows these, MCP does not.
    pub(crate) fn is_fraction(&self) -> bool {
        match &self.0 {
            Repr::Small(_) => false,
            Repr::Text(text) => !text.starts_with('"') && text.contains(['.', 'e', 'E']),
        }
    }

    /// Appends the JSON text.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match &self.0 {
            Repr::Small(number) => serde_json::to_writer(out, number).expect("an integer is JSON"),
            Repr::Text(text) => out.extend_from_slice(text.as_bytes()),
        }
    }

    /// Returns a normalized text that is the same for all spellings of an id.
    fn key(&self) -> Cow<'_, str> {
        match &self.0 {
            Repr::Text(text) if text.contains('\\') => match serde_json::from_str::<String>(text) {
                Ok(decoded) => Cow::Owned(format!("\"{decoded}\"")),
                Err(_) => Cow::Borrowed(text),
            },
            _ => self.as_json(),
        }
    }
}

impl From<i64> for Id {
    fn from(number: i64) -> Id {
        Id(Repr::Small(number))
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Id {
        Id(Repr::Text(serde_json::Value::from(text).to_string().into()))
    }
}

impl PartialEq for Id {
    fn eq(&self, other: &Id) -> bool {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a == b,
            (Repr::Text(_), Repr::Text(_)) => self.key() == other.key(),
            // A number in canonical spelling is always `Small`.
            _ => false,
        }
    }
}

impl Eq for Id {}

impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Small(number) => number.hash(state),
            Repr::Text(_) => self.key().hash(state),
        }
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.as_json())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.as_json())
    }
}

/// This many digits never overflow an `i64`.
const MOST_SAFE_DIGITS: usize = 18;

/// Returns the integer, if the text is its canonical spelling.
fn canonical_integer(text: &str) -> Option<i64> {
    match text.strip_prefix('-') {
        None => small(text.as_bytes()).or_else(|| long(text, text)),
        Some("0") => None,
        Some(digits) => small(digits.as_bytes()).map(|number| -number).or_else(|| long(text, digits)),
    }
}

/// Returns the integer with these digits, if they are at most [`MOST_SAFE_DIGITS`] and in canonical spelling.
#[inline]
fn small(digits: &[u8]) -> Option<i64> {
    if !matches!(digits, [b'0'] | [b'1'..=b'9', ..]) || digits.len() > MOST_SAFE_DIGITS {
        return None;
    }
    let mut number = 0;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number * 10 + i64::from(digit);
    }
    Some(number)
}

/// Like [`small`], for more digits. `text` includes the sign.
fn long(text: &str, digits: &str) -> Option<i64> {
    (digits.len() > MOST_SAFE_DIGITS && !digits.starts_with('0')).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_id_is_written_unchanged() {
        for text in ["0", "-1", "9007199254740993", "9223372036854775808", "\"\"", "\"a\\u0062\"", "-0", "1.5", "1e3"] {
            let id = Id::from_json(text).unwrap_or_else(|| panic!("{text} is an id"));
            let mut out = Vec::new();
            id.write(&mut out);
            assert_eq!(out, text.as_bytes());
        }
    }

    #[test]
    fn other_values_than_strings_and_numbers_are_rejected() {
        for text in ["null", "true", "{}", "[1]", "", "1x", "-", "01", "\"open", "\"\\ud800\"", "1e400"] {
            assert_eq!(Id::from_json(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_and_strings_are_different_ids() {
        assert_ne!(Id::from(1), Id::from("1"));
        assert_eq!(Id::from("é"), Id::from_json("\"\\u00e9\"").unwrap());
    }
}
