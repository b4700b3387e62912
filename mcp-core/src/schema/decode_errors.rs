//! All errors of decoding a value that its schema allows, not only the first.
//!
//! A type reports one error. So the value is decoded again without the part that was invalid, until there is no error or
//! nothing more can be left out. An error of an object or a list in which something was left out may be a consequence of that,
//! such as a missing field. It is not reported, and the whole object or list is left out.

use serde_json::Value;

use super::decode_error::{DecodeError, Step};
use super::value_deserializer::{Notes, ValueDeserializer};

/// The maximum number of errors that are reported.
const MAX_LISTED: usize = 20;
/// The maximum number of decodings for one call.
const MAX_TRIALS: usize = 64;
/// The maximum total size of the values of all decodings for one call.
const MAX_BYTES: usize = 16 << 20;

/// Returns one line for each error. `size` is the length of the value as text.
pub(super) fn lines(decode: fn(ValueDeserializer<'_>) -> Option<DecodeError>, value: &Value, size: usize) -> Vec<String> {
    let mut notes = Notes::default();
    let mut lines = Vec::new();
    for _ in 0..(MAX_BYTES / size.max(1)).clamp(1, MAX_TRIALS) {
        let Some(error) = decode(ValueDeserializer { value, notes: &notes }) else {
            return lines;
        };
        if lines.len() == MAX_LISTED {
            lines.push("- and more".to_owned());
            return lines;
        }
        let part = part(value, error.steps());
        if part.is_none_or(|part| !has_left_out(part, &notes)) {
            lines.push(format!("- {error}"));
        }
        // The whole value cannot be left out.
        let Some(part) = part.filter(|part| !std::ptr::eq(*part, value)) else {
            return lines;
        };
        if !notes.left_out.insert(std::ptr::from_ref(part)) {
            return lines;
        }
    }
    lines
}

/// Returns the part of the value at a path.
fn part<'a, 's>(value: &'a Value, mut steps: impl Iterator<Item = &'s Step>) -> Option<&'a Value> {
    steps.try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    })
}

/// Returns whether a part of the value was left out.
fn has_left_out(value: &Value, notes: &Notes) -> bool {
    let is_or_has = |part: &Value| notes.left_out.contains(&std::ptr::from_ref(part)) || has_left_out(part, notes);
    match value {
        Value::Array(items) => items.iter().any(is_or_has),
        Value::Object(members) => members.values().any(is_or_has),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    /// An even number. The schema of a type cannot always say such a thing.
    #[derive(Debug)]
    struct Even;

    impl<'de> Deserialize<'de> for Even {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Even, D::Error> {
            match i64::deserialize(deserializer)? {
                number if number % 2 == 0 => Ok(Even),
                number => Err(serde::de::Error::custom(format!("{number} is odd"))),
            }
        }
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only decoded")]
    struct Inner {
        x: Even,
        y: Even,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only decoded")]
    struct Outer {
        a: Even,
        list: Vec<Even>,
        inner: Inner,
        map: BTreeMap<String, Even>,
        pair: (Even, String),
        b: Option<Even>,
    }

    fn all(value: &Value) -> Vec<String> {
        lines(|node| Outer::deserialize(node).err(), value, 100)
    }

    #[test]
    fn each_argument_element_and_field_has_its_own_line() {
        let value = json!({"a": 1, "list": [2, 3, 4, 5], "inner": {"x": 7, "y": 9}, "map": {"p": 11, "q": 12, "r": 13},
            "pair": [15, "text"], "b": 17});
        let expected = [
            "- `a`: 1 is odd",
            "- `list[1]`: 3 is odd",
            "- `list[3]`: 5 is odd",
            "- `inner.x`: 7 is odd",
            "- `inner.y`: 9 is odd",
            "- `map.p`: 11 is odd",
            "- `map.r`: 13 is odd",
            "- `pair[0]`: 15 is odd",
            "- `b`: 17 is odd",
        ];
        assert_eq!(all(&value), expected);
    }

    #[test]
    fn a_consequence_of_another_error_is_not_reported() {
        let value = json!({"a": 2, "list": [], "inner": {"x": 7, "y": 2}, "map": {}, "pair": [2, "text"], "b": null});
        assert_eq!(all(&value), ["- `inner.x`: 7 is odd"]);
    }

    #[test]
    fn the_number_of_lines_is_limited() {
        let value = json!({"a": 2, "list": vec![1; 100], "inner": {"x": 2, "y": 2}, "map": {}, "pair": [2, ""]});
        let lines = all(&value);
        assert_eq!((lines.len(), lines[20].as_str()), (21, "- and more"));
    }
}
