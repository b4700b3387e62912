//! Patterns for JSON lines, and references to earlier lines.

use std::collections::HashMap;

use serde_json::Value;

/// Returns whether `value` matches `pattern`. An object may have more keys than its pattern; other values must be equal.
pub(crate) fn contains(value: &Value, pattern: &Value) -> bool {
    match (value, pattern) {
        (Value::Object(value), Value::Object(pattern)) => {
            pattern.iter().all(|(key, inner)| value.get(key).is_some_and(|value| contains(value, inner)))
        }
        (Value::Array(value), Value::Array(pattern)) => {
            value.len() == pattern.len() && value.iter().zip(pattern).all(|(value, inner)| contains(value, inner))
        }
        // In JSON, 1.0 and 1 are the same number.
        (Value::Number(value), Value::Number(pattern)) if value.is_f64() != pattern.is_f64() => {
            value.as_f64() == pattern.as_f64()
        }
        _ => value == pattern,
    }
}

/// Lines that the script has bound to names.
#[derive(Debug, Default)]
pub(crate) struct Bindings(HashMap<String, Value>);

impl Bindings {
    pub(crate) fn bind(&mut self, name: String, frame: Value) {
        self.0.insert(name, frame);
    }

    /// Replaces every string `$name/pointer` by the value at that JSON pointer in the named line. Keeps other strings.
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
    fn an_object_may_have_keys_that_are_not_in_the_pattern() {
        let frame = json!({"type": "user", "message": {"role": "user", "content": ["a", {"b": 1, "c": 2}]}});
        assert!(contains(&frame, &json!({"type": "user"})));
        assert!(contains(&frame, &json!({"message": {"content": ["a", {"b": 1}]}})));
        assert!(!contains(&frame, &json!({"message": {"content": ["a"]}})));
        assert!(!contains(&frame, &json!({"message": {"role": "assistant"}})));
        assert!(!contains(&frame, &json!({"missing": null})));
        assert!(contains(&json!({"n": 1.0}), &json!({"n": 1})) && !contains(&json!({"n": 1.5}), &json!({"n": 1})));
    }

    #[test]
    fn references_are_replaced_and_other_text_is_kept() {
        let mut bindings = Bindings::default();
        bindings.bind("init".into(), json!({"request_id": 7, "request": {"subtype": "initialize"}}));
        let filled = bindings.fill(&json!({"id": "$init/request_id", "of": ["$init/request/subtype"], "cost": "$5/month"}));
        assert_eq!(filled, json!({"id": 7, "of": ["initialize"], "cost": "$5/month"}));
        assert_eq!(bindings.fill(&json!("$init/nowhere")), json!("$init/nowhere"));
    }
}
