//! Arguments that are written plainly, read with next to no effort.
//!
//! Nearly all are: an object of whole numbers, words and texts without escapes. What this reads, serde_json reads in the same
//! way; whatever else there is it leaves to serde_json.

use std::fmt;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::jsonrpc::lex::{colon_end, expect, plain_end, space_end, value_end};

/// Lists in lists in lists are not plain: so the stack is safe, whatever the type.
const DEEPEST: u8 = 4;

/// More digits might be more than 64 bits.
const MOST_DIGITS: usize = 18;

/// The value, if it is written plainly and is a `T`.
#[inline]
pub(super) fn decode<T: DeserializeOwned>(text: &str) -> Option<T> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let value = T::deserialize(&mut reader).ok()?;
    (reader.at == text.len()).then_some(value)
}

/// Not plain, or not what the type wants. Whoever needs to know more asks serde_json.
#[derive(Debug)]
struct NotPlain;

struct Reader<'de> {
    text: &'de str,
    at: usize,
    depth: u8,
}

impl<'de> Reader<'de> {
    #[inline]
    fn bytes(&self) -> &'de [u8] {
        self.text.as_bytes()
    }

    #[inline]
    fn peek(&self) -> Result<u8, NotPlain> {
        self.bytes().get(self.at).copied().ok_or(NotPlain)
    }

    /// Moves to a place that was found.
    #[inline]
    fn go(&mut self, place: Option<usize>) -> Result<(), NotPlain> {
        self.at = place.ok_or(NotPlain)?;
        Ok(())
    }

    /// Steps over a word, if it is the next.
    #[inline]
    fn word(&mut self, word: &str) -> bool {
        let found = self.bytes().get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes()));
        self.at += if found { word.len() } else { 0 };
        found
    }

    #[inline]
    fn string(&mut self) -> Result<&'de str, NotPlain> {
        let start = expect(self.bytes(), self.at, b'"').ok_or(NotPlain)?;
        let end = plain_end(self.bytes(), start);
        self.go(expect(self.bytes(), end, b'"'))?;
        self.text.get(start..end).ok_or(NotPlain)
    }

    /// A whole number, without its sign.
    #[inline]
    fn digits(&mut self) -> Result<u64, NotPlain> {
        let (start, mut number) = (self.at, 0);
        while let Some(byte @ b'0'..=b'9') = self.bytes().get(self.at) {
            if self.at - start == MOST_DIGITS {
                return Err(NotPlain);
            }
            number = number * 10 + u64::from(byte - b'0');
            self.at += 1;
        }
        let is_whole = !matches!(self.bytes().get(self.at), Some(b'.' | b'e' | b'E'));
        if self.at > start && is_whole { Ok(number) } else { Err(NotPlain) }
    }

    #[inline]
    fn number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, NotPlain> {
        if self.peek()? != b'-' {
            return visitor.visit_u64(self.digits()?);
        }
        self.at += 1;
        match self.digits()? {
            // There is a float of this name, and no integer.
            0 => Err(NotPlain),
            number => visitor.visit_i64(-i64::try_from(number).map_err(|_| NotPlain)?),
        }
    }

    #[inline]
    fn enter(&mut self, bracket: u8) -> Result<(), NotPlain> {
        self.go(expect(self.bytes(), self.at, bracket))?;
        self.depth += 1;
        if self.depth > DEEPEST { Err(NotPlain) } else { Ok(()) }
    }

    /// Steps to the next of several values; false at their end.
    #[inline]
    fn goes_on(&mut self, is_first: bool, closing: u8) -> Result<bool, NotPlain> {
        self.at = space_end(self.bytes(), self.at);
        match self.peek()? {
            byte if byte == closing => {
                self.at += 1;
                self.depth -= 1;
                return Ok(false);
            }
            b',' if !is_first => self.at = space_end(self.bytes(), self.at + 1),
            _ if is_first => {}
            _ => return Err(NotPlain),
        }
        Ok(true)
    }
}

/// The rest of an object or a list.
struct Rest<'a, 'de> {
    reader: &'a mut Reader<'de>,
    is_first: bool,
}

impl<'de> MapAccess<'de> for Rest<'_, 'de> {
    type Error = NotPlain;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, NotPlain> {
        if !self.reader.goes_on(std::mem::take(&mut self.is_first), b'}')? {
            return Ok(None);
        }
        let key = self.reader.string()?;
        self.reader.go(colon_end(self.reader.bytes(), self.reader.at))?;
        seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, NotPlain> {
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de> SeqAccess<'de> for Rest<'_, 'de> {
    type Error = NotPlain;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, NotPlain> {
        if !self.reader.goes_on(std::mem::take(&mut self.is_first), b']')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

/// Methods for types that are all read in one way.
macro_rules! read {
    ($how:ident: $($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotPlain> {
            self.$how(visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de> {
    type Error = NotPlain;

    /// What a type does with whatever comes is between it and serde_json.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NotPlain> {
        Err(NotPlain)
    }

    read! { number: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 }
    read! { number: deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 }
    read! { deserialize_str: deserialize_string deserialize_char }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotPlain> {
        visitor.visit_borrowed_str(self.string()?)
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotPlain> {
        let value = self.word("true");
        if value || self.word("false") { visitor.visit_bool(value) } else { Err(NotPlain) }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotPlain> {
        if self.word("null") { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotPlain> {
        self.enter(b'[')?;
        visitor.visit_seq(Rest { reader: self, is_first: true })
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotPlain> {
        self.enter(b'{')?;
        visitor.visit_map(Rest { reader: self, is_first: true })
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NotPlain> {
        self.deserialize_map(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotPlain> {
        self.go(value_end(self.bytes(), self.at))?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i128 u128 bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct enum identifier
    }
}

impl de::Error for NotPlain {
    #[cold]
    fn custom<T: fmt::Display>(_: T) -> NotPlain {
        NotPlain
    }
}

impl std::error::Error for NotPlain {}

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not plain")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Arguments {
        a: Option<i64>,
        b: Option<u8>,
        c: Option<String>,
        d: Option<bool>,
        e: Option<Vec<f64>>,
        f: Option<BTreeMap<String, Vec<char>>>,
    }

    fn same_as_serde(text: &str) {
        let theirs: Option<Arguments> = serde_json::from_str(text).ok();
        let ours: Option<Arguments> = decode(text);
        assert!(ours.is_none() || ours == theirs, "{text}: {ours:?} is not {theirs:?}");
    }

    #[test]
    fn what_is_plain_is_read() {
        for text in [
            r#"{}"#,
            r#"{"a":-7,"b":255,"c":"héllo","d":true,"e":[1,2],"f":{"x":["y"]},"unknown":[{"\n":1.5}]}"#,
            r#"{ "a" : null , "c" : "" , "e" : [ ] , "f" : { } , "d" : false }"#,
            r#"{"a":999999999999999999}"#,
        ] {
            assert!(decode::<Arguments>(text).is_some(), "{text}");
            same_as_serde(text);
        }
    }

    #[test]
    fn what_is_not_plain_or_does_not_fit_is_left_to_others() {
        for text in [
            r#"{"a":-0}"#,
            r#"{"a":1.0}"#,
            r#"{"a":1e2}"#,
            r#"{"a":9223372036854775807}"#,
            r#"{"b":256}"#,
            r#"{"b":-1}"#,
            r#"{"c":"\n"}"#,
            r#"{"\u0061":1}"#,
            r#"{"a":1,"a":2}"#,
            r#"{"a":1,}"#,
            r#"{,"a":1}"#,
            r#"{"a":1"b":2}"#,
            r#"{"a":1} "#,
            r#"{"a":tru}"#,
            r#"[1,2,"x",true,[],{}]"#,
            r#""#,
            r#"{"e":[1}"#,
        ] {
            assert!(decode::<Arguments>(text).is_none(), "{text}");
        }
    }

    #[test]
    fn depth_is_bounded_whatever_the_type() {
        #[derive(Deserialize)]
        struct Deep(#[allow(dead_code)] Vec<Vec<Vec<Vec<Vec<u8>>>>>);
        assert!(decode::<Vec<Vec<Vec<Vec<u8>>>>>("[[[[1]]]]").is_some());
        assert!(decode::<Vec<Vec<Vec<Vec<Vec<u8>>>>>>("[[[[[1]]]]]").is_none());
        assert!(decode::<Deep>("[[[[[1]]]]]").is_none());
    }

    proptest! {
        #[test]
        fn whatever_it_reads_serde_json_reads_in_the_same_way(
            members in prop::collection::vec((
                prop::sample::select(vec!["a", "b", "c", "d", "e", "f", "g", "\\u0061"]),
                r#"null|true|false|"[a-z\\né]{0,9}"|-?[0-9]{1,20}|-?[0-9]\.[0-9]e?[0-9]?|\[[0-9,]{0,5}\]|\{"x":\["[a-z]"\]\}"#,
            ), 0..5),
        ) {
            let members: Vec<String> = members.iter().map(|(key, value)| format!(r#""{key}":{value}"#)).collect();
            same_as_serde(&format!("{{{}}}", members.join(",")));
        }
    }
}
