//! The arguments of a function as a list of types, for parameters that say nothing but their name, type and doc comment.
//!
//! What a derive would write for each function anew stands here once, so that there is less to compile. The list is nested
//! pairs, `(A, (B, ()))`, so that it has any length; the names are values, so that functions of the same types share code.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::property;

/// What a list of types does not tell about the arguments of a function.
#[derive(Debug)]
pub struct Names {
    pub names: &'static [&'static str],
    /// The doc comment of each, empty for none.
    pub docs: &'static [&'static str],
}

/// Who has arguments of these names.
pub trait Named: 'static {
    const NAMES: Names;
}

/// The arguments of `N`, whose types are in the list `L`.
#[allow(missing_debug_implementations, reason = "taken apart by generated code")]
pub struct Listed<N, L> {
    pub list: L,
    of: PhantomData<N>,
}

impl<'de, N: Named, L: Read<'de>> Deserialize<'de> for Listed<N, L> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Listed<N, L>, D::Error> {
        let names = N::NAMES.names;
        let list = deserializer.deserialize_struct("arguments", names, Reader { names, list: PhantomData })?;
        Ok(Listed { list, of: PhantomData })
    }
}

impl<N: Named, L: Describe> JsonSchema for Listed<N, L> {
    fn schema_name() -> Cow<'static, str> {
        "arguments".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = schemars::json_schema!({"type": "object", "additionalProperties": false});
        L::describe(&mut schema, generator, N::NAMES.names, N::NAMES.docs);
        schema
    }
}

/// A list whose types have schemas.
pub trait Describe {
    fn describe(schema: &mut Schema, generator: &mut SchemaGenerator, names: &[&str], docs: &[&str]);
}
impl Describe for () {
    fn describe(_: &mut Schema, _: &mut SchemaGenerator, _: &[&str], _: &[&str]) {}
}
impl<A: JsonSchema, L: Describe> Describe for (A, L) {
    fn describe(schema: &mut Schema, generator: &mut SchemaGenerator, names: &[&str], docs: &[&str]) {
        property::add::<A>(schema, generator, names[0], docs[0]);
        L::describe(schema, generator, &names[1..], &docs[1..]);
    }
}

/// A list whose types can be read.
pub trait Read<'de>: Sized {
    /// What has been read.
    type Slots: Default;

    /// Reads the value of the argument at this place of the list.
    fn fill<M: MapAccess<'de>>(
        slots: &mut Self::Slots,
        place: usize,
        map: &mut M,
        name: &'static str,
    ) -> Result<(), M::Error>;

    /// The list, of what has been read.
    fn finish<E: de::Error>(slots: Self::Slots, names: &[&'static str]) -> Result<Self, E>;
}
impl<'de> Read<'de> for () {
    type Slots = ();

    #[inline]
    fn fill<M: MapAccess<'de>>((): &mut (), _: usize, _: &mut M, name: &'static str) -> Result<(), M::Error> {
        unreachable!("`{name}` is among the names and not in the list")
    }

    #[inline]
    fn finish<E: de::Error>((): (), _: &[&'static str]) -> Result<(), E> {
        Ok(())
    }
}
impl<'de, A: Deserialize<'de>, L: Read<'de>> Read<'de> for (A, L) {
    type Slots = (Option<A>, L::Slots);

    #[inline]
    fn fill<M: MapAccess<'de>>(
        slots: &mut Self::Slots,
        place: usize,
        map: &mut M,
        name: &'static str,
    ) -> Result<(), M::Error> {
        let (slot, others) = slots;
        match place.checked_sub(1) {
            Some(place) => L::fill(others, place, map, name),
            None if slot.is_some() => Err(de::Error::duplicate_field(name)),
            None => map.next_value().map(|value| *slot = Some(value)),
        }
    }

    #[inline]
    fn finish<E: de::Error>((slot, others): Self::Slots, names: &[&'static str]) -> Result<(A, L), E> {
        let first = match slot {
            Some(value) => value,
            None => A::deserialize(Missing { name: names[0], error: PhantomData })?,
        };
        Ok((first, L::finish(others, &names[1..])?))
    }
}

/// Reads an object as a list.
struct Reader<L> {
    names: &'static [&'static str],
    list: PhantomData<L>,
}

impl<'de, L: Read<'de>> Visitor<'de> for Reader<L> {
    type Value = L;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("arguments")
    }

    #[inline]
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<L, M::Error> {
        let mut slots = L::Slots::default();
        while let Some(place) = map.next_key_seed(Key(self.names))? {
            L::fill(&mut slots, place, &mut map, self.names[place])?;
        }
        L::finish(slots, self.names)
    }
}

/// Finds the place of a name.
struct Key(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = usize;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an argument")
    }

    #[inline]
    fn visit_str<E: de::Error>(self, name: &str) -> Result<usize, E> {
        let place = self.0.iter().position(|known| *known == name);
        place.ok_or_else(|| de::Error::unknown_field(name, self.0))
    }
}

/// Where there is nothing to read: an `Option` is `None` then, and anything else is missed.
struct Missing<E> {
    name: &'static str,
    error: PhantomData<E>,
}

impl<'de, E: de::Error> Deserializer<'de> for Missing<E> {
    type Error = E;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::missing_field(self.name))
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
