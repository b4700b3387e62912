//! A deserializer for JSON values whose errors contain a path.
//!
//! Arguments are decoded from their text with serde_json. This deserializer is used to explain a failure, and to find out
//! which field an unknown key is an alias of.

use std::cell::RefCell;
use std::collections::HashSet;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use super::decode_error::{DecodeError, Step};

/// What is known about parts of the value, by their addresses.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The values that the type ignored.
    pub(super) ignored: RefCell<HashSet<*const Value>>,
    /// The elements and members that are left out, as if they were absent.
    pub(super) left_out: HashSet<*const Value>,
}

/// The deserializer of a value or a part of one.
#[derive(Clone, Copy)]
pub(super) struct ValueDeserializer<'a> {
    pub(super) value: &'a Value,
    pub(super) notes: &'a Notes,
}

impl<'a> ValueDeserializer<'a> {
    fn part(self, value: &'a Value) -> ValueDeserializer<'a> {
        ValueDeserializer { value, ..self }
    }

    fn is_left_out(self, part: &Value) -> bool {
        self.notes.left_out.contains(&std::ptr::from_ref(part))
    }

    /// Returns an error for an array without one of its elements: the elements after it would be decoded as the wrong types.
    fn complete(self) -> Result<(), DecodeError> {
        match self.value {
            Value::Array(items) if items.iter().any(|item| self.is_left_out(item)) => Err(de::Error::custom("incomplete")),
            _ => Ok(()),
        }
    }
}

impl<'de, 'a> Deserializer<'de> for ValueDeserializer<'a> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::String(text) => visitor.visit_str(text),
            Value::Array(items) => {
                visitor.visit_seq(Items { node: self, items: items.iter().enumerate(), count: items.len() })
            }
            Value::Object(members) => visitor.visit_map(Members::new(self, members)),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), ..) => visitor.visit_u64(number),
                (_, Some(number), _) => visitor.visit_i64(number),
                (.., Some(number)) => visitor.visit_f64(number),
                _ => Err(de::Error::custom("the number is out of range")),
            },
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: &str, _: &[&str], visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Value::String(variant) => {
                let variant: StrDeserializer<'_, DecodeError> = variant.as_str().into_deserializer();
                visitor.visit_enum(variant)
            }
            Value::Object(members) if members.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(Members::new(self, members)))
            }
            _ => Err(de::Error::custom("expected a string, or an object with one key")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.notes.ignored.borrow_mut().insert(self.value);
        visitor.visit_unit()
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, DecodeError> {
        self.complete()?;
        self.deserialize_any(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &str, _: usize, visitor: V) -> Result<V::Value, DecodeError> {
        self.complete()?;
        self.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(self, _: &str, _: &[&str], visitor: V) -> Result<V::Value, DecodeError> {
        self.complete()?;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq map
        identifier
    }
}

struct Members<'a> {
    node: ValueDeserializer<'a>,
    members: serde_json::map::Iter<'a>,
    current: Option<(&'a String, &'a Value)>,
}

impl<'a> Members<'a> {
    fn new(node: ValueDeserializer<'a>, members: &'a Map<String, Value>) -> Members<'a> {
        Members { node, members: members.iter(), current: None }
    }
}

impl<'de> MapAccess<'de> for Members<'_> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        let node = self.node;
        self.current = self.members.by_ref().find(|(_, member)| !node.is_left_out(member));
        self.current.map(|(key, _)| seed.deserialize(Key(key))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        let (key, value) =
            self.current.take().ok_or_else(|| <DecodeError as de::Error>::custom("a value was requested before its key"))?;
        seed.deserialize(self.node.part(value)).map_err(|refusal| refusal.within(Step::Key(key.clone())))
    }
}

struct Items<'a> {
    node: ValueDeserializer<'a>,
    items: std::iter::Enumerate<std::slice::Iter<'a, Value>>,
    count: usize,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        let node = self.node;
        let Some((index, item)) = self.items.by_ref().find(|(_, item)| !node.is_left_out(item)) else {
            return Ok(None);
        };
        seed.deserialize(self.node.part(item)).map(Some).map_err(|refusal| refusal.within(Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count)
    }
}

/// The deserializer of a key: a string, or another scalar that is parsed from it, as in serde_json.
struct Key<'a>(&'a str);

macro_rules! parsed_keys {
    ($($method:ident: $visit:ident),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            match self.0.parse() {
                Ok(key) => visitor.$visit(key),
                Err(_) => visitor.visit_str(self.0),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_str(self.0)
    }

    parsed_keys! {
        deserialize_bool: visit_bool,
        deserialize_i8: visit_i8, deserialize_i16: visit_i16, deserialize_i32: visit_i32, deserialize_i64: visit_i64,
        deserialize_i128: visit_i128, deserialize_u8: visit_u8, deserialize_u16: visit_u16, deserialize_u32: visit_u32,
        deserialize_u64: visit_u64, deserialize_u128: visit_u128, deserialize_f32: visit_f32, deserialize_f64: visit_f64,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: &str, _: &[&str], visitor: V) -> Result<V::Value, DecodeError> {
        let variant: StrDeserializer<'_, DecodeError> = self.0.into_deserializer();
        visitor.visit_enum(variant)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
