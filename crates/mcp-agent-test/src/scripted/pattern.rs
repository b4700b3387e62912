//! What a script says about JSON: patterns, and references to lines it has seen.

use std::collections::HashMap;

use serde_json::Value;

/// Whether `value` contains `pattern`: objects by the keys that the pattern bindings, all else as a whole.
pub(crate) fn contains(value: &Value, pattern: &Value) -> bool {
    match (value, pattern) {
        (Value::Object(value), Value::Object(pattern)) => {
            pattern.iter().all(|(key, inner)| value.get(key).is_some_and(|value| contains(value, inner)))
        }
        (Value::Array(value), Value::Array(pattern)) => {
            value.len() == pattern.len() && value.iter().zip(pattern).all(|(value, inner)| contains(value, inner))
        }
        // JSON has one kind of number: 1.0 is 1.
        (Value::Number(value), Value::Number(pattern)) if value.is_f64() != pattern.is_f64() => {
            value.as_f64() == pattern.as_f64()
        }
        _ => value == pattern,
    }
}

/// The lines that a script has given bindings.
#[derive(Debug, Default)]
pub(crate) struct Bindings(HashMap<String, Value>);

impl Bindings {
    pub(crate) fn bind(&mut self, name: String, frame: Value) {
        self.0.insert(name, frame);
    }

    /// Replaces every string `$name/pointer` by what that line holds there; other strings stay.
    pub(crate) fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.resolve(text).unwrap_or(value).clone(),
            Value::Array(items) => items.iter().map(|item| self.fill(item)).collect(),
            Value::Object(fields) => fields.iter().map(|(key, field)| (key.clone(), self.fill(field))).collect(),
            _ => value.clone(),
        }
    }

    fn resolve(&self, text: &str) -> Option<&Value> {
        let reference = text.strip_prefix('$')?;
        let at = reference.find('/').unwrap_or(reference.len());
        let (name, pointer) = reference.split_at(at);
        self.0.get(name)?.pointer(pointer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_pattern_names_only_the_keys_it_cares_about() {
        let frame = json!({"type": "user", "message": {"role": "user", "content": ["a", {"b": 1, "c": 2}]}});
        assert!(contains(&frame, &json!({"type": "user"})));
        assert!(contains(&frame, &json!({"message": {"content": ["a", {"b": 1}]}})));
        assert!(!contains(&frame, &json!({"message": {"content": ["a"]}})));
        assert!(!contains(&frame, &json!({"message": {"role": "assistant"}})));
        assert!(!contains(&frame, &json!({"missing": null})));
        assert!(contains(&json!({"n": 1.0}), &json!({"n": 1})) && !contains(&json!({"n": 1.5}), &json!({"n": 1})));
    }

    #[test]
    fn references_are_filled_in_and_other_text_is_left_alone() {
        let mut bindings = Bindings::default();
        bindings.bind("init".into(), json!({"request_id": 7, "request": {"subtype": "initialize"}}));
        let filled = bindings.fill(&json!({"id": "$init/request_id", "of": ["$init/request/subtype"], "cost": "$5/month"}));
        assert_eq!(filled, json!({"id": 7, "of": ["initialize"], "cost": "$5/month"}));
        assert_eq!(bindings.fill(&json!("$init/nowhere")), json!("$init/nowhere"));
    }
}
