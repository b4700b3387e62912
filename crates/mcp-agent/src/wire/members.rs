//! The members of a JSON object, with duplicate keys resolved.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::view::decode;

/// The members of a JSON object: one value for each key.
///
/// When a key occurs more than once, the last value is kept, as most JSON parsers do. Serde's derived implementations
/// reject such an object instead.
#[derive(Clone)]
pub(crate) struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), *value))
    }

    /// Returns whether there is a member with this name whose value cannot be decoded as a `T`.
    pub(crate) fn is_mistyped<T: DeserializeOwned>(&self, name: &str) -> bool {
        self.iter().any(|(key, value)| key == name && decode::<T>(value).is_none())
    }

    /// Returns a deserializer that yields each key once.
    pub(crate) fn into_deserializer(
        self,
    ) -> MapDeserializer<'a, std::vec::IntoIter<(String, &'a RawValue)>, serde_json::Error> {
        MapDeserializer::new(self.0.into_iter())
    }
}

/// Decodes a JSON object into a struct. The last value of a duplicate key is used.
pub(crate) fn from_object<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, serde_json::Error> {
    T::deserialize(serde_json::from_str::<Members<'a>>(json)?.into_deserializer())
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LastWins;

        impl<'de> Visitor<'de> for LastWins {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members: Vec<(String, &'de RawValue)> = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
                    // Objects of this protocol have few keys, so a linear search is cheaper than a hash map.
                    match members.iter_mut().find(|(known, _)| *known == key) {
                        Some(member) => member.1 = value,
                        None => members.push((key, value)),
                    }
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(LastWins)
    }
}
