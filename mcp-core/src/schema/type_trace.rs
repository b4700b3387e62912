//! Finds out which deserializer methods a type calls, by running its `Deserialize` without data.
//!
//! A schema does not contain the Rust type, and serde is in some points less strict than the schema. But a `u8` calls
//! `deserialize_u8` before it receives a value. So each field is deserialized from a deserializer that records the called
//! method and returns an error. No value is ever passed to the type, so its own code never runs on invented data.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

/// What a field requests from its deserializer.
#[derive(Debug, PartialEq)]
pub(super) enum Shape {
    Boolean,
    Integer {
        min: i128,
        /// Saturated at `i128::MAX` for types with a larger range.
        max: i128,
    },
    Number,
    String,
    Character,
    Optional(Box<Shape>),
    List(Box<Shape>),
    /// A map with string keys.
    Map(Box<Shape>),
    /// The value is ignored.
    Ignored,
    /// Anything else, or the field does not exist.
    Opaque,
}

/// The `Deserialize` of a type. It always returns an error, since it receives no value.
#[derive(Clone, Copy)]
pub(super) struct TracedType(fn(Root<'_>) -> Option<TraceEnd>);

impl TracedType {
    pub(super) fn of<T: DeserializeOwned>() -> TracedType {
        TracedType(|root| T::deserialize(root).err())
    }

    /// Returns what the field with this name requests, if the type is a struct.
    pub(super) fn field(self, name: &str) -> Shape {
        let mut shape = Shape::Opaque;
        let _ = (self.0)(Root { field: name, shape: &mut shape });
        shape
    }

    /// Returns whether the type is a struct that rejects unknown fields.
    pub(super) fn rejects_unknown_fields(self) -> bool {
        let mut shape = Shape::Opaque;
        let refusal = (self.0)(Root { field: "\0 no such field", shape: &mut shape });
        refusal.is_some_and(|refusal| refusal.unknown_field) && shape == Shape::Opaque
    }
}

/// The error that ends a trace.
#[derive(Debug, Default)]
struct TraceEnd {
    unknown_field: bool,
}

impl fmt::Display for TraceEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("enough was seen")
    }
}

impl std::error::Error for TraceEnd {}

impl de::Error for TraceEnd {
    fn custom<M: fmt::Display>(_: M) -> TraceEnd {
        TraceEnd::default()
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> TraceEnd {
        TraceEnd { unknown_field: true }
    }
}

/// The deserializer of the struct.
struct Root<'a> {
    field: &'a str,
    shape: &'a mut Shape,
}

impl<'de> Deserializer<'de> for Root<'_> {
    type Error = TraceEnd;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, TraceEnd> {
        Err(TraceEnd::default())
    }

    fn deserialize_struct<V: Visitor<'de>>(self, _: &str, _: &[&str], visitor: V) -> Result<V::Value, TraceEnd> {
        visitor.visit_map(One::new(self.field, self.shape))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, TraceEnd> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

/// Access to a map or list with one member.
struct One<'a> {
    key: &'a str,
    value: &'a mut Shape,
    asked: bool,
}

impl<'a> One<'a> {
    fn new(key: &'a str, value: &'a mut Shape) -> One<'a> {
        One { key, value, asked: false }
    }

    /// Fails on the second call: a type that continues after the error of the first member ignores errors, and would accept
    /// values that the schema does not allow.
    fn ask(&mut self) -> Result<(), TraceEnd> {
        if std::mem::replace(&mut self.asked, true) {
            *self.value = Shape::Opaque;
            return Err(TraceEnd::default());
        }
        Ok(())
    }
}

impl<'de> MapAccess<'de> for One<'_> {
    type Error = TraceEnd;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, TraceEnd> {
        self.ask()?;
        let key: StrDeserializer<'_, TraceEnd> = self.key.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, TraceEnd> {
        seed.deserialize(Member(self.value))
    }
}

impl<'de> SeqAccess<'de> for One<'_> {
    type Error = TraceEnd;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, TraceEnd> {
        self.ask()?;
        seed.deserialize(Member(self.value)).map(Some)
    }
}

/// The deserializer of a member. It records the request and returns an error.
struct Member<'a>(&'a mut Shape);

impl Member<'_> {
    fn note<T>(self, shape: Shape) -> Result<T, TraceEnd> {
        *self.0 = shape;
        Err(TraceEnd::default())
    }

    /// Records the request of the inner type.
    fn note_inner<T>(
        self,
        wrap: impl FnOnce(Box<Shape>) -> Shape,
        look: impl FnOnce(&mut Shape) -> Result<T, TraceEnd>,
    ) -> Result<T, TraceEnd> {
        let mut inner = Shape::Opaque;
        let outcome = look(&mut inner);
        *self.0 = wrap(Box::new(inner));
        outcome
    }
}

macro_rules! integers {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, _: V) -> Result<V::Value, TraceEnd> {
            let capped = |bound: $type| i128::try_from(bound).unwrap_or(i128::MAX);
            self.note(Shape::Integer { min: capped(<$type>::MIN), max: capped(<$type>::MAX) })
        }
    )*};
}

macro_rules! scalars {
    ($($method:ident: $shape:ident),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, _: V) -> Result<V::Value, TraceEnd> {
            self.note(Shape::$shape)
        }
    )*};
}

#[allow(clippy::unnecessary_fallible_conversions, reason = "one macro for integers of every width")]
impl<'de> Deserializer<'de> for Member<'_> {
    type Error = TraceEnd;

    integers! {
        deserialize_i8: i8, deserialize_i16: i16, deserialize_i32: i32, deserialize_i64: i64, deserialize_i128: i128,
        deserialize_u8: u8, deserialize_u16: u16, deserialize_u32: u32, deserialize_u64: u64, deserialize_u128: u128,
    }

    scalars! {
        deserialize_bool: Boolean, deserialize_f32: Number, deserialize_f64: Number, deserialize_char: Character,
        deserialize_str: String, deserialize_string: String, deserialize_ignored_any: Ignored, deserialize_any: Opaque,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TraceEnd> {
        self.note_inner(Shape::Optional, |inner| visitor.visit_some(Member(inner)))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TraceEnd> {
        self.note_inner(Shape::List, |inner| visitor.visit_seq(One::new("", inner)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TraceEnd> {
        self.note_inner(Shape::Map, |inner| visitor.visit_map(One::new("key", inner)))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, TraceEnd> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! { bytes byte_buf unit unit_struct tuple tuple_struct struct enum identifier }
}
