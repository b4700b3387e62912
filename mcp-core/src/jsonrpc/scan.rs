//! One pass over a line: whether it is JSON, and where its values stand.
//!
//! A message is read three times at least if serde_json is asked for raw values: the whole line, then `params`, then
//! `arguments`. This reads it once and allocates nothing. What is JSON is what serde_json takes for JSON, no more and no less;
//! the fuzz target `envelope` and the tests below hold the two against each other.
//!
//! As in [`lex`](super::lex), where we are is given and returned, and `None` means that the text is not JSON. What is always
//! inlined is so that keys are compared with constants.

use std::borrow::Cow;
use std::hint::cold_path;

use super::Span;
use super::lex::{behind, escaped_end, expect, plain_end, space_end, value};

/// What follows in an object or array.
pub(crate) enum Next {
    /// A value, or the key before it, from there on.
    Member(usize),
    /// Nothing; it ends there.
    End(usize),
}

/// Steps into the object that begins there, to its first key.
#[inline(always)]
pub(crate) fn first_key(text: &str, at: usize) -> Option<Next> {
    let bytes = text.as_bytes();
    match bytes.get(at..at + 2) {
        Some(br#"{""#) => Some(Next::Member(at + 1)),
        _ => enter(text, at, b'{', b'}'),
    }
}

/// Steps behind a value to the key that follows, or behind the object.
#[inline(always)]
pub(crate) fn next_key(text: &str, end: usize) -> Option<Next> {
    let bytes = text.as_bytes();
    match bytes.get(end) {
        Some(b'}') => Some(Next::End(end + 1)),
        Some(b',') => Some(Next::Member(end + 1)),
        // There nearly never is anything else.
        _ => go_on(text, end, b'}'),
    }
}

/// Steps behind the bracket that stands there.
#[inline(never)]
pub(crate) fn enter(text: &str, at: usize, opening: u8, closing: u8) -> Option<Next> {
    let bytes = text.as_bytes();
    let at = space_end(bytes, expect(bytes, at, opening)?);
    Some(if *bytes.get(at)? == closing { Next::End(at + 1) } else { Next::Member(at) })
}

/// Steps behind what separates a value from the next, or ends what both are in.
#[inline(never)]
pub(crate) fn go_on(text: &str, end: usize, closing: u8) -> Option<Next> {
    let at = space_end(text.as_bytes(), end);
    match *text.as_bytes().get(at)? {
        b',' => Some(Next::Member(at + 1)),
        byte if byte == closing => Some(Next::End(at + 1)),
        _ => None,
    }
}

/// Makes sure that nothing but whitespace follows.
#[inline]
pub(crate) fn whole(text: &str, end: usize) -> Option<()> {
    (space_end(text.as_bytes(), end) == text.len()).then_some(())
}

/// Where the value begins that may have whitespace before it.
#[inline]
pub(crate) fn start(text: &str, at: usize) -> usize {
    space_end(text.as_bytes(), at)
}

/// The keys that an object may have.
pub(crate) trait Keys {
    const NAMES: &'static [&'static str];

    /// Which of them begins there, and the place behind the colon that follows it.
    fn known(bytes: &[u8], start: usize) -> Option<(usize, usize)>;
}

/// Declares [`Keys`], so that each is compared with a constant.
macro_rules! keys {
    ($type:ident: $($key:expr),* $(,)?) => {
        struct $type;

        impl $crate::jsonrpc::Keys for $type {
            const NAMES: &'static [&'static str] = &[$($key),*];

            #[inline(always)]
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

/// What was found in an object beside its values.
pub(crate) struct Members {
    pub(crate) end: usize,
    /// The place of a known key that stands twice.
    pub(crate) duplicate: Option<usize>,
    pub(crate) has_nulls: bool,
}

/// Reads an object: where the values of the known keys stand, and behind these the last one of another key.
#[inline(always)]
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
            cold_path();
            has_nulls = true;
        }
        if !values[place].is_empty() {
            cold_path();
            duplicate = duplicate.or_else(|| (place < K::NAMES.len()).then_some(place));
        }
        values[place] = value;
        next = next_key(text, value.end())?;
    }
}

/// Reads a key and its colon: which one it is, or how many are known if it is none of them, and where its value begins.
#[inline(always)]
pub(crate) fn key<K: Keys>(text: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let start = behind(bytes, at, b'"')?;
    let (place, end) = match K::known(bytes, start) {
        Some(known) => known,
        None => odd_key(text, start, K::NAMES)?,
    };
    Some((place, space_end(bytes, end)))
}

/// Reads a key that is not known, or is known all the same but has escapes or is followed by whitespace, and gives the place
/// behind its colon.
#[inline(never)]
fn odd_key(text: &str, start: usize, keys: &[&str]) -> Option<(usize, usize)> {
    let plain = plain_end(text.as_bytes(), start);
    let (key, end) = match *text.as_bytes().get(plain)? {
        b'"' => (Cow::Borrowed(text.get(start..plain)?), plain + 1),
        _ => {
            let end = escaped_end(text.as_bytes(), plain)?;
            (Cow::Owned(serde_json::from_str(text.get(start - 1..end)?).ok()?), end)
        }
    };
    let place = keys.iter().position(|known| *known == key).unwrap_or(keys.len());
    Some((place, behind(text.as_bytes(), end, b':')?))
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
    fn what_is_json_is_what_serde_json_takes_for_it() {
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
    fn depth_has_no_end_and_brackets_must_match_at_any() {
        for depth in [1, 31, 32, 33, 62, 63, 64, 65, 127, 128, 129, 5000] {
            let (open, close) = ("[{\"a\":".repeat(depth), "}]".repeat(depth));
            assert!(is_json(&format!("{open}1{close}")), "{depth}");
            assert!(!is_json(&format!("{open}1{}", &close[1..])), "{depth}");
            assert!(!is_json(&format!("{open}1]{}", &close[1..])), "{depth}");
        }
    }

    proptest! {
        #[test]
        fn any_text_of_the_letters_of_json_is_read_as_serde_json_reads_it(text in r#"[\[\]{},:"\\ue\-+.019a é\n]{0,24}"#) {
            same_as_serde(&text);
        }

        #[test]
        fn values_stay_json_and_what_is_cut_off_does_not(value in value(), cut in 1_usize..9) {
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
