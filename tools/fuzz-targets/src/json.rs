//! A simple reading of JSON, for comparison.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The members of an object in order, including duplicates.
pub(crate) struct Members(pub(crate) Vec<(String, Value)>);

impl Members {
    /// The value of a key, and whether the key is duplicate.
    pub(crate) fn get(&self, key: &str) -> (Option<&Value>, bool) {
        let mut found = self.0.iter().filter(|(known, _)| known == key).map(|(_, value)| value);
        let first = found.next();
        match found.next_back() {
            Some(last) => (Some(last), true),
            None => (first, false),
        }
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members, D::Error> {
        struct Members_;

        impl<'de> Visitor<'de> for Members_ {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Members_)
    }
}

/// Whether an object at any depth has a duplicate key.
pub(crate) struct Doubles(pub(crate) bool);

impl<'de> Deserialize<'de> for Doubles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Doubles, D::Error> {
        deserializer.deserialize_any(DoublesVisitor)
    }
}

struct DoublesVisitor;

impl<'de> Visitor<'de> for DoublesVisitor {
    type Value = Doubles;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Doubles, A::Error> {
        let (mut keys, mut doubles) = (Vec::new(), false);
        while let Some((key, Doubles(inner))) = map.next_entry::<String, Doubles>()? {
            doubles |= inner || keys.contains(&key);
            keys.push(key);
        }
        Ok(Doubles(doubles))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Doubles, A::Error> {
        let mut doubles = false;
        while let Some(Doubles(inner)) = seq.next_element()? {
            doubles |= inner;
        }
        Ok(Doubles(doubles))
    }

    fn visit_unit<E>(self) -> Result<Doubles, E> {
        Ok(Doubles(false))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Doubles, E> {
        Ok(Doubles(false))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Doubles, E> {
        Ok(Doubles(false))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Doubles, E> {
        Ok(Doubles(false))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Doubles, E> {
        Ok(Doubles(false))
    }

    fn visit_str<E>(self, _: &str) -> Result<Doubles, E> {
        Ok(Doubles(false))
    }
}
