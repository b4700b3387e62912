//! Conversion of floats without a fraction to integers.

use serde_json::{Number, Value};

/// Replaces numbers such as `1.0` by `1` at every depth. `None` if there are none.
///
/// In JSON Schema and in JavaScript both are the same integer. In serde they are not.
pub(super) fn with_integers(value: &Value) -> Option<Value> {
    has_some(value).then(|| {
        let mut mended = value.clone();
        mend(&mut mended);
        mended
    })
}

fn has_some(value: &Value) -> bool {
    match value {
        Value::Number(number) => integer(number).is_some(),
        Value::Array(items) => items.iter().any(has_some),
        Value::Object(members) => members.values().any(has_some),
        _ => false,
    }
}

fn mend(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(integer) = integer(number) {
                *number = integer;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mend),
        Value::Object(members) => members.values_mut().for_each(mend),
        _ => {}
    }
}

/// Converts a float to the equal integer, if there is one that fits into 64 bits.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
fn integer(number: &Number) -> Option<Number> {
    const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
    if !number.is_f64() {
        return None;
    }
    let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
    if (-TWO_TO_63..TWO_TO_63).contains(&float) {
        Some(Number::from(float as i64))
    } else if (0.0..2.0 * TWO_TO_63).contains(&float) {
        Some(Number::from(float as u64))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn floats_without_a_fraction_become_integers_at_every_depth() {
        let value = json!({"a": 1.0, "b": [2.0, 2.5, -0.0, {"c": -3e3}], "d": "1.0"});
        assert_eq!(with_integers(&value), Some(json!({"a": 1, "b": [2, 2.5, 0, {"c": -3000}], "d": "1.0"})));
    }

    #[test]
    fn a_number_that_no_integer_type_can_hold_stays_a_float() {
        assert_eq!(with_integers(&json!([1e19, 2.0])), Some(json!([10_000_000_000_000_000_000_u64, 2])));
        assert_eq!(with_integers(&json!([1e20, -1e19, 0.5])), None);
        assert_eq!(with_integers(&json!({"a": [1, "x", null, true]})), None);
    }
}
