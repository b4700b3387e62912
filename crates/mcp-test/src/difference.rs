//! In what two JSON values differ.

use std::fmt;

use serde_json::{Map, Value};

/// A place where two JSON values differ.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The place, as a JSON pointer; empty for the whole.
    pub path: String,
    /// What was there, if anything.
    pub was: Option<Value>,
    /// What is there now, if anything.
    pub is: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "it" } else { &self.path };
        match (&self.was, &self.is) {
            (Some(was), Some(is)) => write!(f, "{path} was {}, is {}", short(was), short(is)),
            (Some(was), None) => write!(f, "{path} was {}, is gone", short(was)),
            (None, Some(is)) => write!(f, "{path} is new: {}", short(is)),
            (None, None) => write!(f, "{path} is the same"),
        }
    }
}

/// Every place where two values differ, as deep as possible.
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

/// Enough to recognise it by.
fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 120 { text } else { text.chars().take(119).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_difference_is_found_at_its_place() {
        let was = json!({"a": 1, "b": [1, 2], "c/d": {"x": true}, "same": [{}]});
        let is = json!({"a": 2, "b": [1], "c/d": {"x": true, "y": null}, "same": [{}]});
        let found: Vec<String> = differences(&was, &is).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["/a was 1, is 2", "/b/1 was 2, is gone", "/c~1d/y is new: null"]);
        assert_eq!(differences(&was, &was), []);
    }
}
