//! Decoding of arguments into a list, equal to `#[derive(Deserialize)]` with `deny_unknown_fields`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::argument_list::{HasArgumentInfo, WithDefault};

/// A list whose types can be deserialized.
pub trait DecodeList<'de>: Sized {
    /// The values that have been decoded so far.
    type Decoded: Default;

    /// Deserializes the value of the argument at this index of the list.
    fn fill<M: MapAccess<'de>>(
        slots: &mut Self::Decoded,
        place: usize,
        map: &mut M,
        name: &'static str,
    ) -> Result<(), M::Error>;

    /// Builds the list from the decoded values.
    fn finish<E: de::Error>(slots: Self::Decoded, names: &[&'static str]) -> Result<Self, E>;
}
impl<'de> DecodeList<'de> for () {
    type Decoded = ();

    #[inline]
    fn fill<M: MapAccess<'de>>((): &mut (), _: usize, _: &mut M, name: &'static str) -> Result<(), M::Error> {
        unreachable!("`{name}` is among the names and not in the list")
    }

    #[inline]
    fn finish<E: de::Error>((): (), _: &[&'static str]) -> Result<(), E> {
        Ok(())
    }
}
impl<'de, A: Deserialize<'de>, L: DecodeList<'de>> DecodeList<'de> for (A, L) {
    type Decoded = (Option<A>, L::Decoded);

    #[inline]
    fn fill<M: MapAccess<'de>>(
        slots: &mut Self::Decoded,
        place: usize,
        map: &mut M,
        name: &'static str,
    ) -> Result<(), M::Error> {
        WithDefault::<A, L>::fill(slots, place, map, name)
    }

    #[inline]
    fn finish<E: de::Error>((slot, others): Self::Decoded, names: &[&'static str]) -> Result<(A, L), E> {
        let first = match slot {
            Some(value) => value,
            None => A::deserialize(Missing { name: names[0], error: PhantomData })?,
        };
        Ok((first, L::finish(others, &names[1..])?))
    }
}
impl<'de, A: Deserialize<'de>, L: DecodeList<'de>> DecodeList<'de> for WithDefault<A, L> {
    type Decoded = (Option<A>, L::Decoded);

    #[inline]
    fn fill<M: MapAccess<'de>>(
        slots: &mut Self::Decoded,
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
    fn finish<E: de::Error>((slot, others): Self::Decoded, names: &[&'static str]) -> Result<WithDefault<A, L>, E> {
        Ok(WithDefault(slot, L::finish(others, &names[1..])?))
    }
}

/// Decodes an object as the arguments of `N`.
///
/// The names are a constant of the type `N`, so that an optimized build compares with constants.
#[inline]
pub(super) fn read<'de, N: HasArgumentInfo, L: DecodeList<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<L, D::Error> {
    deserializer.deserialize_struct("arguments", N::INFO.names, Reader::<N, L>(PhantomData))
}

struct Reader<N, L>(PhantomData<(N, L)>);

impl<'de, N: HasArgumentInfo, L: DecodeList<'de>> Visitor<'de> for Reader<N, L> {
    type Value = L;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("arguments")
    }

    #[inline]
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<L, M::Error> {
        let mut slots = L::Decoded::default();
        while let Some(place) = map.next_key_seed(Key::<N>(PhantomData))? {
            L::fill(&mut slots, place, &mut map, N::INFO.names[place])?;
        }
        L::finish(slots, N::INFO.names)
    }
}

/// Decodes a key into the index of the argument.
struct Key<N>(PhantomData<N>);

impl<'de, N: HasArgumentInfo> DeserializeSeed<'de> for Key<N> {
    type Value = usize;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<N: HasArgumentInfo> Visitor<'_> for Key<N> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an argument")
    }

    #[inline]
    fn visit_str<E: de::Error>(self, name: &str) -> Result<usize, E> {
        let names = N::INFO.names;
        let place = names.iter().position(|known| *known == name);
        place.ok_or_else(|| de::Error::unknown_field(name, names))
    }
}

/// The deserializer of a missing argument: an `Option` becomes `None`, other types fail with `missing field`.
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
