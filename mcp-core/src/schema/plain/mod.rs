//! Arguments that are written plainly, read with next to no effort.
//!
//! Nearly all are: an object of whole numbers, words and texts without escapes. What this reads, serde_json reads in the same
//! way; whatever else there is it leaves to serde_json.

mod reader;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use self::reader::{NotPlain, Reader};

/// The value, if it is written plainly and is a `T`.
#[inline]
pub(super) fn decode<T: DeserializeOwned>(text: &str) -> Option<T> {
    let mut reader = Reader::new(text);
    let value = T::deserialize(&mut reader).ok()?;
    reader.is_done().then_some(value)
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
        self.reader.colon()?;
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
        self.skip()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i128 u128 bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct enum identifier
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
