//! Request ids, kept as the JSON text they came in.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The id of a request.
///
/// An id goes back byte for byte as it came, whatever its size, so it is never turned into a number that could lose digits.
/// Two ids are equal when they mean the same: `"a"` and `"\u0061"` are one id, `1` and `"1"` are two.
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
    /// A number whose canonical text is the text it came in: no allocation.
    Small(i64),
    Text(Box<str>),
}

impl Id {
    /// The id that this JSON text stands for: a string or a number, nothing else.
    pub fn from_json(text: &str) -> Option<Id> {
        match text.as_bytes().first()? {
            b'"' => serde_json::from_str::<Cow<'_, str>>(text).is_ok().then(|| Id(Repr::Text(text.into()))),
            b'-' | b'0'..=b'9' => {
                if let Some(small) = canonical_integer(text) {
                    return Some(Id(Repr::Small(small)));
                }
                // What no float can hold would come back as JSON that the sender cannot read.
                serde_json::from_str::<f64>(text).is_ok().then(|| Id(Repr::Text(text.into())))
            }
            _ => None,
        }
    }

    /// The same of a number of few digits, as nearly all are; none of all others.
    #[inline]
    pub(super) fn from_digits(digits: &[u8]) -> Option<Id> {
        small(digits).map(|number| Id(Repr::Small(number)))
    }

    /// The JSON text of this id, as it came.
    pub fn as_json(&self) -> Cow<'_, str> {
        match &self.0 {
            Repr::Small(number) => Cow::Owned(number.to_string()),
            Repr::Text(text) => Cow::Borrowed(text),
        }
    }

    /// MCP allows strings and integers; JSON-RPC also fractions, which are answered with an error that carries them.
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

    /// One text for all spellings of the same id.
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

/// So many digits never overflow an `i64`.
const MOST_SAFE_DIGITS: usize = 18;

/// The number, if this is exactly how it would be written.
fn canonical_integer(text: &str) -> Option<i64> {
    match text.strip_prefix('-') {
        None => small(text.as_bytes()).or_else(|| long(text, text)),
        Some("0") => None,
        Some(digits) => small(digits.as_bytes()).map(|number| -number).or_else(|| long(text, digits)),
    }
}

/// The number that is written with these digits, if they are few and are how it would be written.
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

/// The same of more digits, with the sign that is not among them.
fn long(text: &str, digits: &str) -> Option<i64> {
    (digits.len() > MOST_SAFE_DIGITS && !digits.starts_with('0')).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_id_comes_back_as_it_came() {
        for text in ["0", "-1", "9007199254740993", "9223372036854775808", "\"\"", "\"a\\u0062\"", "-0", "1.5", "1e3"] {
            let id = Id::from_json(text).unwrap_or_else(|| panic!("{text} is an id"));
            let mut out = Vec::new();
            id.write(&mut out);
            assert_eq!(out, text.as_bytes());
        }
    }

    #[test]
    fn what_is_no_string_and_no_number_is_no_id() {
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
