//! Finds the differences between two JSON values.

use std::fmt;

use serde_json::{Map, Value};

/// A position at which two JSON values differ.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The position, as a JSON pointer. Empty for the root.
    pub path: String,
    /// The old value, or `None` if there was none.
    pub was: Option<Value>,
    /// The new value, or `None` if there is none.
    pub is: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the whole value" } else { &self.path };
        match (&self.was, &self.is) {
            (Some(was), Some(is)) => write!(f, "{path} changed from {} to {}", short(was), short(is)),
            (Some(was), None) => write!(f, "{path} was removed: {}", short(was)),
            (None, Some(is)) => write!(f, "{path} was added: {}", short(is)),
            (None, None) => write!(f, "{path} is unchanged"),
        }
    }
}

/// Returns all positions at which two values differ, each as deep in the value as possible.
pub(crate) fn differences(was: &Value, is: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(String::new(), Some(was), Some(is), &mut found);
    found
}

fn compare(path: String, was: Option<&Value>, is: Option<&Value>, found: &mut Vec<Difference>) {
    match (was, is) {
        (Some(was), Some(is)) if was == is => {}
        (Some(Value::Object(was)), Some(Value::Object(is))) => {
            for key in keys(was, is) {
                compare(format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")), was.get(key), is.get(key), found);
            }
        }
        (Some(Value::Array(was)), Some(Value::Array(is))) => {
            for index in 0..was.len().max(is.len()) {
                compare(format!("{path}/{index}"), was.get(index), is.get(index), found);
            }
        }
        (was, is) => found.push(Difference { path, was: was.cloned(), is: is.cloned() }),
    }
}

fn keys<'a>(was: &'a Map<String, Value>, is: &'a Map<String, Value>) -> impl Iterator<Item = &'a String> {
    was.keys().chain(is.keys().filter(|key| !was.contains_key(*key)))
}

/// Returns the JSON text of a value, shortened to 120 characters.
fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 120 { text } else { text.chars().take(119).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_difference_is_found_at_its_position() {
        let was = json!({"a": 1, "b": [1, 2], "c/d": {"x": true}, "same": [{}]});
        let is = json!({"a": 2, "b": [1], "c/d": {"x": true, "y": null}, "same": [{}]});
        let found: Vec<String> = differences(&was, &is).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["/a changed from 1 to 2", "/b/1 was removed: 2", "/c~1d/y was added: null"]);
        assert_eq!(differences(&was, &was), []);
    }
}
