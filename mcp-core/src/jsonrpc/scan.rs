//! One pass over a line: whether it is JSON, and where its values stand.
//!
//! A message is read three times at least if serde_json is asked for raw values: the whole line, then `params`, then
//! `arguments`. This reads it once and allocates nothing. What is JSON is what serde_json takes for JSON, no more and no less;
//! the fuzz target `envelope` and the tests below hold the two against each other.

use super::RawJson;
use super::lex::{behind, colon_end, escaped_end, expect, plain_end, space_end, value_end};

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
    #[inline]
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

    /// Reads an object: `known` says which key a text begins with, and `member` reads the value that belongs to it.
    #[inline]
    pub(crate) fn object<K>(
        &mut self,
        known: impl Fn(&[u8]) -> Option<Known<K>>,
        mut member: impl FnMut(&mut Scanner<'a>, Option<K>) -> Option<()>,
    ) -> Option<RawJson<'a>> {
        let start = self.at;
        let mut more = self.enter(b'{', b'}')?;
        while more {
            let key = self.key(&known)?;
            member(self, key)?;
            more = self.goes_on(b'}')?;
        }
        self.since(start)
    }

    /// Reads an array; `item` reads each value.
    pub(crate) fn array(&mut self, mut item: impl FnMut(&mut Scanner<'a>) -> Option<()>) -> Option<()> {
        let mut more = self.enter(b'[', b']')?;
        while more {
            self.at = space_end(self.bytes(), self.at);
            item(self)?;
            more = self.goes_on(b']')?;
        }
        Some(())
    }

    /// Steps over an opening bracket. False if the closing one follows, which is then behind us too.
    #[inline]
    fn enter(&mut self, opening: u8, closing: u8) -> Option<bool> {
        self.at = space_end(self.bytes(), expect(self.bytes(), self.at, opening)?);
        let more = self.peek()? != closing;
        self.at += usize::from(!more);
        Some(more)
    }

    /// Steps over the comma before another value; false if it is the closing bracket instead.
    #[inline]
    fn goes_on(&mut self, closing: u8) -> Option<bool> {
        let at = space_end(self.bytes(), self.at);
        match *self.bytes().get(at)? {
            b',' => {
                self.at = at + 1;
                Some(true)
            }
            byte if byte == closing => {
                self.at = at + 1;
                Some(false)
            }
            _ => None,
        }
    }

    /// Reads a key and its colon; gives it if it is known.
    #[inline]
    fn key<K>(&mut self, known: impl Fn(&[u8]) -> Option<Known<K>>) -> Option<Option<K>> {
        let bytes = self.bytes();
        let start = behind(bytes, self.at, b'"')?;
        let (key, end) = match known(bytes.get(start..)?) {
            Some(Known { key, length }) => (Some(key), start + length + 1),
            None => self.odd_key(start, known)?,
        };
        self.at = colon_end(bytes, end)?;
        Some(key)
    }

    /// Reads a key that is not known, or is spelt with escapes and may be known all the same; and says where it ends.
    #[inline(never)]
    fn odd_key<K>(&self, start: usize, known: impl Fn(&[u8]) -> Option<Known<K>>) -> Option<(Option<K>, usize)> {
        let plain = plain_end(self.bytes(), start);
        if *self.bytes().get(plain)? == b'"' {
            return Some((None, plain + 1));
        }
        let end = escaped_end(self.bytes(), plain)?;
        let mut key: String = serde_json::from_str(self.text.get(start - 1..end)?).ok()?;
        key.push('"');
        let found = known(key.as_bytes()).filter(|known| known.length + 1 == key.len());
        Some((found.map(|known| known.key), end))
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

/// A key that a text begins with.
pub(crate) struct Known<K> {
    key: K,
    length: usize,
}

impl<K> Known<K> {
    /// This key, if the text begins with it and the quote behind it.
    #[inline]
    pub(crate) fn at(text: &[u8], name: &str, key: K) -> Option<Known<K>> {
        let length = name.len();
        (text.get(length) == Some(&b'"') && text.starts_with(name.as_bytes())).then_some(Known { key, length })
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
