//! Arguments become a type's value without being looked at once more: that they are JSON is known.
//!
//! Only what nearly all arguments are is read here, members of a struct that are numbers, texts, booleans or nothing.
//! Everything else is left to serde_json, value by value. The test below holds the two against each other.

use std::borrow::Cow;

use serde::de::value::{BorrowedStrDeserializer, CowStrDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Error;

use crate::jsonrpc::{RawJson, colon_end, space_end, value_end};

/// The value as a `T`; none if it is none, and then somebody else has to say why.
#[inline(always)]
pub(super) fn read<'de, T: Deserialize<'de>>(json: RawJson<'de>) -> Option<T> {
    T::deserialize(&mut Quick { text: json.get(), at: 0 }).ok()
}

/// Reads JSON from that place on, where a value begins.
struct Quick<'de> {
    text: &'de str,
    at: usize,
}

impl<'de> Quick<'de> {
    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Steps over a value and gives its text.
    #[inline]
    fn value(&mut self) -> Result<&'de str, Error> {
        let end = value_end(self.text.as_bytes(), self.at).ok_or_else(unreadable)?;
        let value = self.text.get(self.at..end).ok_or_else(unreadable)?;
        self.at = end;
        Ok(value)
    }

    /// Steps over an integer, unless it has so many digits that it might not fit, or is a zero with a sign, or is none.
    #[inline]
    fn small_integer(&mut self) -> Option<i64> {
        const LONGEST: usize = 18;
        let bytes = self.text.as_bytes();
        let is_negative = self.byte() == Some(b'-');
        let start = self.at + usize::from(is_negative);
        let (mut number, mut at) = (0, start);
        while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            number = i64::wrapping_add(i64::wrapping_mul(number, 10), i64::from(digit));
            at += 1;
        }
        if !matches!(bytes.get(at)?, b',' | b'}' | b']' | b' ') || at - start > LONGEST || (is_negative && number == 0) {
            return None;
        }
        self.at = at;
        Some(if is_negative { -number } else { number })
    }

    /// The text between the quotes that begin there, if it stands for itself.
    #[inline]
    fn plain_text(&mut self) -> Option<&'de str> {
        let start = self.at + 1;
        let end = start + self.text.as_bytes().get(start..)?.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        let text = self.text.get(start..end).filter(|_| self.text.as_bytes()[end] == b'"')?;
        self.at = end + 1;
        Some(text)
    }
}

fn unreadable() -> Error {
    Error::custom("this is read elsewhere")
}

/// Leaves a value to serde_json.
macro_rules! left {
    ($($method:ident($($argument:ident: $type:ty),*)),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, Error> {
            let mut left = serde_json::Deserializer::from_str(self.value()?);
            let value = left.$method($($argument,)* visitor)?;
            left.end().map(|()| value)
        }
    )*};
}

macro_rules! integers {
    ($($method:ident),*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            if let Some(number) = self.small_integer() {
                return visitor.visit_i64(number);
            }
            let mut left = serde_json::Deserializer::from_str(self.value()?);
            let value = left.$method(visitor)?;
            left.end().map(|()| value)
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Quick<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.byte() != Some(b'{') {
            return Err(unreadable());
        }
        self.at += 1;
        visitor.visit_map(Members(self))
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.byte() != Some(b'n') {
            return visitor.visit_some(self);
        }
        self.value()?;
        visitor.visit_none()
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value()? {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(unreadable()),
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.byte() == Some(b'"')
            && let Some(text) = self.plain_text()
        {
            return visitor.visit_borrowed_str(text);
        }
        serde_json::Deserializer::from_str(self.value()?).deserialize_string(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    integers!(
        deserialize_i8,
        deserialize_i16,
        deserialize_i32,
        deserialize_i64,
        deserialize_u8,
        deserialize_u16,
        deserialize_u32,
        deserialize_u64
    );

    left!(
        deserialize_any(),
        deserialize_i128(),
        deserialize_u128(),
        deserialize_f32(),
        deserialize_f64(),
        deserialize_char(),
        deserialize_str(),
        deserialize_bytes(),
        deserialize_byte_buf(),
        deserialize_unit(),
        deserialize_seq(),
        deserialize_map(),
        deserialize_identifier(),
        deserialize_ignored_any(),
        deserialize_unit_struct(name: &'static str),
        deserialize_tuple(length: usize),
        deserialize_tuple_struct(name: &'static str, length: usize),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
    );
}

/// The members of an object whose bracket is behind us.
struct Members<'a, 'de>(&'a mut Quick<'de>);

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let bytes = self.0.text.as_bytes();
        self.0.at = space_end(bytes, self.0.at);
        match self.0.byte() {
            Some(b'}') => {
                self.0.at += 1;
                return Ok(None);
            }
            Some(b',') => self.0.at = space_end(bytes, self.0.at + 1),
            _ => {}
        }
        if let Some(key) = self.0.plain_text() {
            return seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some);
        }
        let key: Cow<'de, str> = serde_json::from_str(self.0.value()?)?;
        seed.deserialize(CowStrDeserializer::new(key)).map(Some)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        self.0.at = colon_end(self.0.text.as_bytes(), self.0.at).ok_or_else(unreadable)?;
        seed.deserialize(&mut *self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::value::RawValue;
    use serde_json::{Map, Value, json};

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        small: Option<i8>,
        unsigned: Option<u64>,
        signed: Option<i64>,
        huge: Option<i128>,
        float: Option<f64>,
        text: Option<String>,
        letter: Option<char>,
        yes: Option<bool>,
        list: Option<Vec<i32>>,
        map: Option<BTreeMap<u8, i64>>,
        wrapped: Option<Wrapped>,
        choice: Option<Choice>,
        inner: Option<Box<Arguments>>,
        any: Option<Value>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Wrapped(i16);

    #[derive(Debug, Deserialize, PartialEq)]
    enum Choice {
        One,
        Two(u8),
    }

    fn same_as_serde(text: &str) {
        let Ok(raw) = serde_json::from_str::<&RawValue>(text) else { panic!("{text} is JSON") };
        let quick: Option<Arguments> = read(RawJson::from(raw));
        // serde takes an array for a struct, field by field.
        let serde = serde_json::from_str(raw.get()).ok().filter(|_| raw.get().starts_with('{'));
        assert_eq!(quick, serde, "{text}");
    }

    #[test]
    fn numbers_at_their_limits_spaces_escapes_and_repetitions_are_read_as_serde_json_reads_them() {
        let values = [
            "0",
            "-0",
            "-1",
            "1.0",
            "1e2",
            "127",
            "128",
            "-128",
            "-129",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "18446744073709551615",
            "18446744073709551616",
            "999999999999999999",
            "null",
            "true",
            "\"\"",
            "\"\\u0061\"",
            "\"é\"",
            "\"\\ud83d\\ude00\"",
            "[]",
            "[1, 2]",
            "{}",
            "{\"1\": 2}",
            "\"One\"",
            "{\"Two\": 3}",
        ];
        for name in
            ["small", "unsigned", "signed", "huge", "float", "text", "letter", "yes", "list", "map", "wrapped", "choice"]
        {
            for value in values {
                same_as_serde(&format!("{{\"{name}\":{value}}}"));
                same_as_serde(&format!("{{ \"{name}\"\t:\n{value} , \"yes\" :true\r}}"));
                same_as_serde(&format!("{{\"inner\":{{\"{name}\":{value}}},\"an\\u0079\":{value}}}"));
            }
        }
        for text in ["{}", "{ }", "[]", "7", "{\"yes\":true,\"yes\":true}", "{\"other\":1}", "{\"\":1}"] {
            same_as_serde(text);
        }
    }

    proptest! {
        #[test]
        fn whatever_is_sent_is_read_as_serde_json_reads_it(
            members in prop::collection::vec((0_usize..14, value()), 0..6),
            pretty: bool,
        ) {
            const NAMES: [&str; 14] = [
                "small", "unsigned", "signed", "huge", "float", "text", "letter", "yes", "list", "map", "wrapped", "choice",
                "inner", "any",
            ];
            let object: Map<String, Value> = members.into_iter().map(|(name, value)| (NAMES[name].into(), value)).collect();
            let text = if pretty { serde_json::to_string_pretty(&object) } else { serde_json::to_string(&object) };
            same_as_serde(&text.unwrap());
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (-200_i64..200).prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            prop::collection::vec(-9_i64..9, 0..3).prop_map(Value::from),
            (0_u8..99).prop_map(|key| json!({ key.to_string(): 1 })),
            (-200_i64..200).prop_map(|number| json!({ "signed": number })),
            Just(json!({"Two": 2})),
        ]
    }
}
