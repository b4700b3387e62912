//! One pass over a line: whether it is JSON, and where its values stand.
//!
//! A message is read three times at least if serde_json is asked for raw values: the whole line, then `params`, then
//! `arguments`. This reads it once and allocates nothing. What is JSON is what serde_json takes for JSON, no more and no less;
//! the fuzz target `envelope` and the tests below hold the two against each other.

use super::RawJson;

/// Reads a text from left to right. `None` from any method means that the text is not JSON.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Scanner<'a> {
        let mut scanner = Scanner { text, at: 0 };
        scanner.skip_whitespace();
        scanner
    }

    /// The next byte, if there is one.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Makes sure that nothing but whitespace is left.
    pub(crate) fn end(mut self) -> Option<()> {
        self.skip_whitespace();
        self.peek().is_none().then_some(())
    }

    /// Reads a value of any kind.
    #[inline]
    pub(crate) fn value(&mut self) -> Option<RawJson<'a>> {
        let start = self.at;
        match self.peek()? {
            b'"' => self.string().map(|_| ())?,
            b'{' | b'[' => self.container()?,
            _ => self.bare()?,
        }
        Some(self.since(start))
    }

    /// Reads an object; `member` gets each key and reads the value that follows.
    #[inline]
    pub(crate) fn object(&mut self, mut member: impl FnMut(&mut Scanner<'a>, &[u8]) -> Option<()>) -> Option<RawJson<'a>> {
        let start = self.at;
        self.expect(b'{')?;
        if self.peek_past_whitespace()? == b'}' {
            self.at += 1;
            return Some(self.since(start));
        }
        loop {
            let quote = self.at;
            let is_plain = self.string()?;
            let key = self.since(quote).get();
            self.colon()?;
            match is_plain {
                true => member(self, &key.as_bytes()[1..key.len() - 1])?,
                // A key may be spelt with escapes, and is the same key.
                false => member(self, decoded(key)?.as_bytes())?,
            }
            match self.next_past_whitespace()? {
                b',' => self.skip_whitespace(),
                b'}' => return Some(self.since(start)),
                _ => return None,
            }
        }
    }

    /// Reads an array; `item` reads each value.
    pub(crate) fn array(&mut self, mut item: impl FnMut(&mut Scanner<'a>) -> Option<()>) -> Option<()> {
        self.expect(b'[')?;
        if self.peek_past_whitespace()? == b']' {
            self.at += 1;
            return Some(());
        }
        loop {
            item(self)?;
            match self.next_past_whitespace()? {
                b',' => self.skip_whitespace(),
                b']' => return Some(()),
                _ => return None,
            }
        }
    }

    /// Reads an object or array that nobody looks into, however deep it is.
    fn container(&mut self) -> Option<()> {
        let mut open = Nesting::default();
        loop {
            match self.peek()? {
                bracket @ (b'{' | b'[') => {
                    self.at += 1;
                    let is_object = bracket == b'{';
                    if self.peek_past_whitespace()? != closing(is_object) {
                        open.push(is_object);
                        if is_object {
                            self.key()?;
                        }
                        continue;
                    }
                    self.at += 1;
                }
                b'"' => self.string().map(|_| ())?,
                _ => self.bare()?,
            }
            // A value has ended, and perhaps what it stands in.
            loop {
                let Some(is_object) = open.innermost() else {
                    return Some(());
                };
                match self.next_past_whitespace()? {
                    b',' => {
                        self.skip_whitespace();
                        if is_object {
                            self.key()?;
                        }
                        break;
                    }
                    bracket if bracket == closing(is_object) => open.pop(),
                    _ => return None,
                }
            }
        }
    }

    /// Reads a key that nobody looks at. It must be a text all the same.
    #[inline]
    fn key(&mut self) -> Option<()> {
        self.string()?;
        self.colon()
    }

    #[inline]
    fn colon(&mut self) -> Option<()> {
        if self.next_past_whitespace()? != b':' {
            return None;
        }
        self.skip_whitespace();
        Some(())
    }

    /// Reads a string, and says whether it is free of escapes.
    #[inline]
    fn string(&mut self) -> Option<bool> {
        self.expect(b'"')?;
        self.at = plain_end(self.text.as_bytes(), self.at);
        if self.next()? == b'"' {
            return Some(true);
        }
        self.at -= 1;
        self.rest_of_string()
    }

    /// Reads a string from its first escape on.
    fn rest_of_string(&mut self) -> Option<bool> {
        loop {
            match self.next()? {
                b'"' => return Some(false),
                b'\\' => self.escape()?,
                _ => return None,
            }
            self.at = plain_end(self.text.as_bytes(), self.at);
        }
    }

    /// Reads what follows a backslash. Whether surrogates come in pairs is for those who want the text.
    fn escape(&mut self) -> Option<()> {
        match self.next()? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => {
                let digits = self.text.as_bytes().get(self.at..self.at + 4)?;
                self.at += 4;
                digits.iter().all(u8::is_ascii_hexdigit).then_some(())
            }
            _ => None,
        }
    }

    /// Reads what has no quotes or brackets around it.
    fn bare(&mut self) -> Option<()> {
        match self.peek()? {
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => None,
        }
    }

    #[inline]
    fn number(&mut self) -> Option<()> {
        self.skip_one(b"-");
        match self.next()? {
            b'0' => {}
            b'1'..=b'9' => self.skip_digits(),
            _ => return None,
        }
        if self.skip_one(b".") {
            self.digits()?;
        }
        if self.skip_one(b"eE") {
            self.skip_one(b"+-");
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        self.next()?.is_ascii_digit().then(|| self.skip_digits())
    }

    #[inline]
    fn skip_digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    #[inline]
    fn skip_one(&mut self, any_of: &[u8]) -> bool {
        let found = self.peek().is_some_and(|byte| any_of.contains(&byte));
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let found = self.text.as_bytes().get(self.at..)?.starts_with(word.as_bytes());
        self.at += word.len();
        found.then_some(())
    }

    #[inline]
    fn skip_whitespace(&mut self) {
        while self.peek().is_some_and(|byte| byte <= b' ' && matches!(byte, b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    #[inline]
    fn peek_past_whitespace(&mut self) -> Option<u8> {
        self.skip_whitespace();
        self.peek()
    }

    #[inline]
    fn next_past_whitespace(&mut self) -> Option<u8> {
        self.skip_whitespace();
        self.next()
    }

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    #[inline]
    fn expect(&mut self, wanted: u8) -> Option<()> {
        (self.next()? == wanted).then_some(())
    }

    #[inline]
    fn since(&self, start: usize) -> RawJson<'a> {
        RawJson::new(&self.text[start..self.at])
    }
}

/// Where the first quote, backslash or control character stands from there on; the end if there is none.
#[inline]
fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..at + 8) {
        let special = special_bytes(u64::from_le_bytes(chunk.try_into().expect("eight bytes")));
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

/// What a key with escapes says.
#[cold]
fn decoded(key: &str) -> Option<String> {
    serde_json::from_str(key).ok()
}

fn closing(is_object: bool) -> u8 {
    if is_object { b'}' } else { b']' }
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

/// Which brackets are open: a bit for each, set for objects. The heap is needed only beyond 64 of them.
#[derive(Default)]
struct Nesting {
    innermost: u64,
    depth: usize,
    outer: Vec<u64>,
}

impl Nesting {
    fn push(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.innermost);
        }
        self.innermost = self.innermost << 1 | u64::from(is_object);
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.innermost >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.innermost = self.outer.pop().unwrap_or_default();
        }
    }

    fn innermost(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.innermost & 1 == 1)
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
        for depth in [1, 63, 64, 65, 127, 128, 129, 5000] {
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
