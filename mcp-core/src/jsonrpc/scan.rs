//! One pass over a line: whether it is JSON, and where its values stand.
//!
//! A message is read three times at least if serde_json is asked for raw values: the whole line, then `params`, then
//! `arguments`. This reads it once and allocates nothing. What is JSON is what serde_json takes for JSON, no more and no less;
//! the fuzz target `envelope` and the tests below hold the two against each other.
//!
//! The functions below take the place where something begins and give the place behind it, so that where they are stays in a
//! register: this is run over every byte that comes in.

use super::RawJson;

/// Reads a text from left to right. `None` from any method means that the text is not JSON.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: space_end(text.as_bytes(), 0) }
    }

    /// The next byte, if there is one.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    /// Makes sure that nothing but whitespace is left.
    pub(crate) fn end(&self) -> Option<()> {
        (space_end(self.bytes(), self.at) == self.text.len()).then_some(())
    }

    /// Reads a value of any kind.
    #[inline]
    pub(crate) fn value(&mut self) -> Option<RawJson<'a>> {
        let start = self.at;
        self.at = value_end(self.bytes(), start)?;
        self.since(start)
    }

    /// Reads an object; `member` gets each key and reads the value that follows.
    #[inline]
    pub(crate) fn object(&mut self, mut member: impl FnMut(&mut Scanner<'a>, &[u8]) -> Option<()>) -> Option<RawJson<'a>> {
        let bytes = self.bytes();
        let start = self.at;
        let mut at = space_end(bytes, expect(bytes, start, b'{')?);
        if *bytes.get(at)? == b'}' {
            self.at = at + 1;
            return self.since(start);
        }
        loop {
            let (end, is_plain) = string_end(bytes, at)?;
            let decoded;
            let key = match is_plain {
                true => bytes.get(at + 1..end - 1)?,
                // A key may be spelt with escapes, and is the same key.
                false => {
                    decoded = text_of(self.text.get(at..end)?)?;
                    decoded.as_bytes()
                }
            };
            self.at = colon_end(bytes, end)?;
            member(self, key)?;
            at = space_end(bytes, self.at);
            match *bytes.get(at)? {
                b',' => at = space_end(bytes, at + 1),
                b'}' => break,
                _ => return None,
            }
        }
        self.at = at + 1;
        self.since(start)
    }

    /// Reads an array; `item` reads each value.
    pub(crate) fn array(&mut self, mut item: impl FnMut(&mut Scanner<'a>) -> Option<()>) -> Option<()> {
        let bytes = self.bytes();
        self.at = space_end(bytes, expect(bytes, self.at, b'[')?);
        if *bytes.get(self.at)? == b']' {
            self.at += 1;
            return Some(());
        }
        loop {
            item(self)?;
            self.at = space_end(bytes, self.at) + 1;
            match *bytes.get(self.at - 1)? {
                b',' => self.at = space_end(bytes, self.at),
                b']' => return Some(()),
                _ => return None,
            }
        }
    }

    #[inline]
    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    #[inline]
    fn since(&self, start: usize) -> Option<RawJson<'a>> {
        self.text.get(start..self.at).map(RawJson::new)
    }
}

/// Whether a text can stand between quotes as it is.
pub(super) fn is_plain(text: &str) -> bool {
    plain_end(text.as_bytes(), 0) == text.len()
}

/// Where the first quote, backslash or control character stands from there on; the end if there is none.
#[inline]
pub(super) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let special = special_bytes(u64::from_le_bytes(*chunk));
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|byte| *byte >= 0x20 && *byte != b'"' && *byte != b'\\') {
        at += 1;
    }
    at
}

/// Marks the bytes of a word that are a quote, a backslash or a control character, in their highest bits.
///
/// Subtraction borrows from the bytes that follow, so only the first mark is sure to be right. It is the one that counts.
#[inline]
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHEST: u64 = u64::from_le_bytes([0x80; 8]);
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let controls = word.wrapping_sub(ONES * 0x20) & !word;
    (controls | zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')))) & HIGHEST
}

/// What a key with escapes says.
#[cold]
fn text_of(key: &str) -> Option<String> {
    serde_json::from_str(key).ok()
}

#[inline]
fn space_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| *byte <= b' ' && matches!(byte, b' ' | b'\n' | b'\t' | b'\r')) {
        at += 1;
    }
    at
}

#[inline]
fn expect(bytes: &[u8], at: usize, wanted: u8) -> Option<usize> {
    (*bytes.get(at)? == wanted).then_some(at + 1)
}

/// Where the value begins that follows a key.
#[inline]
fn colon_end(bytes: &[u8], at: usize) -> Option<usize> {
    Some(space_end(bytes, expect(bytes, space_end(bytes, at), b':')?))
}

fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'"' => string_end(bytes, at).map(|(end, _)| end),
        b'{' | b'[' => container_end(bytes, at),
        _ => bare_end(bytes, at),
    }
}

/// The end of an object or array that nobody looks into, however deep it is.
fn container_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut open = Nesting::default();
    loop {
        match *bytes.get(at)? {
            bracket @ (b'{' | b'[') => {
                let is_object = bracket == b'{';
                at = space_end(bytes, at + 1);
                if *bytes.get(at)? != closing(is_object) {
                    open.push(is_object);
                    at = if is_object { key_end(bytes, at)? } else { at };
                    continue;
                }
                at += 1;
            }
            b'"' => (at, _) = string_end(bytes, at)?,
            _ => at = bare_end(bytes, at)?,
        }
        // A value has ended, and perhaps what it stands in.
        loop {
            let Some(is_object) = open.innermost() else {
                return Some(at);
            };
            at = space_end(bytes, at);
            match *bytes.get(at)? {
                b',' => {
                    at = space_end(bytes, at + 1);
                    at = if is_object { key_end(bytes, at)? } else { at };
                    break;
                }
                bracket if bracket == closing(is_object) => open.pop(),
                _ => return None,
            }
            at += 1;
        }
    }
}

/// Reads a key that nobody looks at. It must be a text all the same.
#[inline]
fn key_end(bytes: &[u8], at: usize) -> Option<usize> {
    colon_end(bytes, string_end(bytes, at)?.0)
}

fn closing(is_object: bool) -> u8 {
    if is_object { b'}' } else { b']' }
}

/// The end of a string, and whether it is free of escapes.
#[inline]
fn string_end(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    let end = plain_end(bytes, expect(bytes, at, b'"')?);
    match *bytes.get(end)? {
        b'"' => Some((end + 1, true)),
        _ => Some((escaped_end(bytes, end)?, false)),
    }
}

/// The end of a string, from its first escape on.
#[cold]
fn escaped_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at = plain_end(bytes, escape_end(bytes, at + 1)?),
            _ => return None,
        }
    }
}

/// The end of what follows a backslash. Whether surrogates come in pairs is for those who want the text.
fn escape_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 1),
        b'u' => bytes.get(at + 1..at + 5)?.iter().all(u8::is_ascii_hexdigit).then_some(at + 5),
        _ => None,
    }
}

/// The end of what has no quotes or brackets around it.
#[inline]
fn bare_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'-' | b'0'..=b'9' => number_end(bytes, at),
        b't' => word_end(bytes, at, b"true"),
        b'f' => word_end(bytes, at, b"false"),
        b'n' => word_end(bytes, at, b"null"),
        _ => None,
    }
}

fn word_end(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    bytes.get(at..)?.starts_with(word).then_some(at + word.len())
}

#[inline]
fn number_end(bytes: &[u8], at: usize) -> Option<usize> {
    let start = at + usize::from(*bytes.get(at)? == b'-');
    let end = digits_end(bytes, start)?;
    // No digits follow a zero.
    if bytes[start] == b'0' && end > start + 1 {
        return None;
    }
    match bytes.get(end) {
        Some(b'.' | b'e' | b'E') => fraction_end(bytes, end),
        _ => Some(end),
    }
}

/// The end of a number whose whole part has ended.
fn fraction_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    if bytes.get(at) == Some(&b'.') {
        at = digits_end(bytes, at + 1)?;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits_end(bytes, at)?;
    }
    Some(at)
}

/// The end of digits, of which there is at least one.
#[inline]
fn digits_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    (at > start).then_some(at)
}

/// Which brackets are open: a bit for each, set for objects, below one that marks where they end. The heap is needed only
/// beyond 63 of them.
struct Nesting {
    inner: u64,
    outer: Vec<u64>,
}

impl Default for Nesting {
    #[inline]
    fn default() -> Nesting {
        Nesting { inner: NONE_OPEN, outer: Vec::new() }
    }
}

const NONE_OPEN: u64 = 1;

impl Nesting {
    #[inline]
    fn push(&mut self, is_object: bool) {
        if self.inner.leading_zeros() == 0 {
            self.outer.push(self.inner);
            self.inner = NONE_OPEN;
        }
        self.inner = self.inner << 1 | u64::from(is_object);
    }

    #[inline]
    fn pop(&mut self) {
        self.inner >>= 1;
        if self.inner == NONE_OPEN {
            self.inner = self.outer.pop().unwrap_or(NONE_OPEN);
        }
    }

    #[inline]
    fn innermost(&self) -> Option<bool> {
        (self.inner != NONE_OPEN).then_some(self.inner & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::de::IgnoredAny;

    use super::*;

    fn is_json(text: &str) -> bool {
        let mut scanner = Scanner::new(text);
        scanner.value().and_then(|_| scanner.end()).is_some()
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
