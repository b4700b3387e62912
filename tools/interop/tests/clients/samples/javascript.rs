//! Numbers as clients in JavaScript send and show them.

use serde_json::{Value, json};

/// JavaScript represents all integers up to this one exactly.
const EXACT: u64 = 1 << 53;

/// Whether JavaScript sends the value unchanged. It rounds large integers.
pub(super) fn is_exact(value: &Value) -> bool {
    match value {
        Value::Number(number) if number.is_f64() => true,
        Value::Number(number) => number.as_i64().is_some_and(|number| number.unsigned_abs() <= EXACT),
        Value::Array(items) => items.iter().all(is_exact),
        Value::Object(entries) => entries.values().all(is_exact),
        _ => true,
    }
}

/// The value as JavaScript writes it: 2.0 is 2.
#[expect(clippy::cast_possible_truncation, reason = "only numbers without a fraction, below 2^53")]
pub(super) fn written(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() <= EXACT as f64 => json!(float as i64),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(written).collect(),
        Value::Object(entries) => entries.iter().map(|(name, value)| (name.clone(), written(value))).collect(),
        _ => value.clone(),
    }
}
