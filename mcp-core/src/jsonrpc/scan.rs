//! Validates a line as JSON in one pass and finds the values of known keys.
//!
//! With serde_json's `RawValue` a message would be parsed at least three times: the whole line, then `params`, then
//! `arguments`. This scanner reads it once and allocates nothing. It accepts exactly the texts that serde_json accepts; the
//! tests below and the fuzz target `envelope` compare the two.
//!
//! As in [`lex`](super::lex), functions take and return an index, and `None` means that the text is not JSON.

use std::borrow::Cow;

use super::Span;
use super::lex::{after, escaped_end, expect, plain_end, space_end, value};

/// The next element of an object or array.
pub(crate) enum Next {
    /// The next key of an object, or the next item of an array, begins at this index. Whitespace may precede it.
    Member(usize),
    /// The object or array ends before this index.
    End(usize),
}

/// Enters the object that begins at `at`. Returns its first key.
#[inline]
pub(crate) fn first_key(text: &str, at: usize) -> Option<Next> {
    let bytes = text.as_bytes();
    match bytes.get(at..at + 2) {
        Some(br#"{""#) => Some(Next::Member(at + 1)),
        _ => enter(text, at, b'{', b'}'),
    }
}

/// Returns the key after a value that ends at `end`, or the end of the object.
#[inline]
pub(crate) fn next_key(text: &str, end: usize) -> Option<Next> {
    let bytes = text.as_bytes();
    match bytes.get(end) {
        Some(b'}') => Some(Next::End(end + 1)),
        Some(b',') => Some(Next::Member(end + 1)),
        // Only whitespace may follow here.
        _ => next_member(text, end, b'}'),
    }
}

/// Enters the object or array that begins at `at` with the bracket `opening`.
pub(crate) fn enter(text: &str, at: usize, opening: u8, closing: u8) -> Option<Next> {
    let bytes = text.as_bytes();
    let at = space_end(bytes, expect(bytes, at, opening)?);
    Some(if *bytes.get(at)? == closing { Next::End(at + 1) } else { Next::Member(at) })
}

/// Skips the comma after a value, or the bracket `closing` that ends its object or array.
pub(crate) fn next_member(text: &str, end: usize, closing: u8) -> Option<Next> {
    let at = space_end(text.as_bytes(), end);
    match *text.as_bytes().get(at)? {
        b',' => Some(Next::Member(at + 1)),
        byte if byte == closing => Some(Next::End(at + 1)),
        _ => None,
    }
}

/// Checks that only whitespace follows.
#[inline]
pub(crate) fn whole(text: &str, end: usize) -> Option<()> {
    (space_end(text.as_bytes(), end) == text.len()).then_some(())
}

/// Skips whitespace before a value.
#[inline]
pub(crate) fn start(text: &str, at: usize) -> usize {
    space_end(text.as_bytes(), at)
}

/// The known keys of an object.
pub(crate) trait Keys {
    const NAMES: &'static [&'static str];

    /// Returns the position in `NAMES` of the key that begins at `start`, and the index after its colon. `None` if the key is
    /// unknown, or if it has escapes or whitespace before the colon.
    fn known(bytes: &[u8], start: usize) -> Option<(usize, usize)>;
}

/// Declares a type that implements [`Keys`] and compares each key with a constant.
macro_rules! keys {
    ($type:ident: $($key:expr),* $(,)?) => {
        struct $type;

        impl $crate::jsonrpc::Keys for $type {
            const NAMES: &'static [&'static str] = &[$($key),*];

            #[inline]
            fn known(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
                let (rest, mut place) = (bytes.get(start..)?, 0);
                $(
                    let length = $key.len();
                    if rest.get(length + 1) == Some(&b':') && rest[length] == b'"' && rest.starts_with($key.as_bytes()) {
                        return Some((place, start + length + 2));
                    }
                    place += 1;
                )*
                let _ = place;
                None
            }
        }
    };
}
pub(crate) use keys;

/// Properties of a scanned object.
pub(crate) struct Members {
    /// The index after the object.
    pub(crate) end: usize,
    /// The position in [`Keys::NAMES`] of a duplicate key.
    pub(crate) duplicate: Option<usize>,
    /// Whether a value is `null`.
    pub(crate) has_nulls: bool,
}

/// Scans an object. Stores the spans of the values of the known keys, and in the last element of `values` the span of the last
/// value with an unknown key.
#[inline]
pub(crate) fn members<K: Keys>(text: &str, start: usize, values: &mut [Span]) -> Option<Members> {
    let (mut duplicate, mut has_nulls) = (None, false);
    let mut next = first_key(text, start)?;
    loop {
        let at = match next {
            Next::Member(at) => at,
            Next::End(end) => return Some(Members { end, duplicate, has_nulls }),
        };
        let (place, start) = key::<K>(text, at)?;
        let value = value(text.as_bytes(), start)?;
        if text.as_bytes()[start] == b'n' {
            has_nulls = true;
        }
        if !values[place].is_empty() {
            duplicate = duplicate.or_else(|| (place < K::NAMES.len()).then_some(place));
        }
        values[place] = value;
        next = next_key(text, value.end())?;
    }
}

/// Scans a key and its colon. Returns the position of the key in [`Keys::NAMES`] (the number of names if it is unknown), and the
/// index where its value begins.
#[inline]
pub(crate) fn key<K: Keys>(text: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let start = after(bytes, at, b'"')?;
    let (place, end) = match K::known(bytes, start) {
        Some(known) => known,
        None => full_key(text, start, K::NAMES)?,
    };
    Some((place, space_end(bytes, end)))
}

/// Like [`Keys::known`], also for unknown keys, keys with escapes, and keys with whitespace before the colon.
fn full_key(text: &str, start: usize, keys: &[&str]) -> Option<(usize, usize)> {
    let plain = plain_end(text.as_bytes(), start);
    let (key, end) = match *text.as_bytes().get(plain)? {
        b'"' => (Cow::Borrowed(text.get(start..plain)?), plain + 1),
        _ => {
            let end = escaped_end(text.as_bytes(), plain)?;
            (Cow::Owned(serde_json::from_str(text.get(start - 1..end)?).ok()?), end)
        }
    };
    let place = keys.iter().position(|known| *known == key).unwrap_or(keys.len());
    Some((place, after(text.as_bytes(), end, b':')?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::de::IgnoredAny;

    use super::super::lex::value_end;
    use super::*;

    fn is_json(text: &str) -> bool {
        value_end(text.as_bytes(), start(text, 0)).and_then(|end| whole(text, end)).is_some()
    }

    fn same_as_serde(text: &str) {
        assert_eq!(is_json(text), serde_json::from_str::<IgnoredAny>(text).is_ok(), "{text:?}");
    }

    #[test]
    #[allow(clippy::too_many_lines, reason = "a list of cases")]
    fn a_text_is_json_exactly_if_serde_json_accepts_it() {
        let texts = [
            "",
            " ",
            "null",
            " true ",
            "false",
            "nul",
            "nulll",
            "truefalse",
            "0",
            "-0",
            "00",
            "01",
            "-",
            "-1",
            "+1",
            "1.",
            "1.5",
            ".5",
            "1e",
            "1e5",
            "1E+5",
            "1e-05",
            "1e+",
            "--1",
            "1 2",
            "\"\"",
            "\"a",
            "a\"",
            "\"\\u12G4\"",
            "\"\\u12",
            "\"\\ud800\"",
            "\"\\x\"",
            "\"\\\"\"",
            "\"\\",
            "\"\n\"",
            "\"\t\"",
            "\"\u{7f}\u{80}é😀\"",
            "[]",
            "[ ]",
            "[,]",
            "[1,]",
            "[1 2]",
            "[1,2",
            "[1,[2,[3]]]",
            "{}",
            "{ }",
            "{,}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":1 \"b\":2}",
            "{\"a\" : 1 , \"b\" : [ { } ] }",
            "{a:1}",
            "[}",
            "{]",
            "{\"a\":1]",
            "[1}",
            "\"12345678\\n12345678\"",
            "\"1234567\u{1}\"",
            "\u{a0}1",
            "[\"\\\\\"]",
            "[tru]",
            "{\"a\\u0062\":1}",
        ];
        texts.iter().for_each(|text| same_as_serde(text));
    }

    #[test]
    fn nesting_is_unlimited_and_brackets_must_match_at_every_depth() {
        for depth in [1, 31, 32, 33, 62, 63, 64, 65, 127, 128, 129, 5000] {
            let (open, close) = ("[{\"a\":".repeat(depth), "}]".repeat(depth));
            assert!(is_json(&format!("{open}1{close}")), "{depth}");
            assert!(!is_json(&format!("{open}1{}", &close[1..])), "{depth}");
            assert!(!is_json(&format!("{open}1]{}", &close[1..])), "{depth}");
        }
    }

    proptest! {
        #[test]
        fn random_texts_of_json_characters_are_json_exactly_if_serde_json_accepts_them(text in r#"[\[\]{},:"\\ue\-+.019a é\n]{0,24}"#) {
            same_as_serde(&text);
        }

        #[test]
        fn random_values_are_json_whole_and_truncated_exactly_if_serde_json_accepts_them(value in value(), cut in 1_usize..9) {
            let text = value.to_string();
            same_as_serde(&text);
            same_as_serde(&text.chars().take(text.chars().count().saturating_sub(cut)).collect::<String>());
        }
    }

    fn value() -> impl Strategy<Value = serde_json::Value> {
        use serde_json::Value;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }
}
