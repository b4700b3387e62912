//! Compares single keywords of two schemas.

use serde_json::Value;

use super::resolve::Plain;

/// Keywords that other code compares.
const STRUCTURE: [&str; 10] =
    ["type", "enum", "anyOf", "oneOf", "allOf", "properties", "required", "additionalProperties", "items", "prefixItems"];

/// Returns the keywords of `wide` that some value of `narrow` may not satisfy.
pub(super) fn unsatisfied<'a>(wide: &'a Plain, narrow: &Plain) -> Vec<&'a str> {
    let names = wide.iter().filter(|(name, _)| !STRUCTURE.contains(&name.as_str()) && applies(name, narrow));
    names.filter(|(name, rule)| !is_implied(name, rule, narrow)).map(|(name, _)| name.as_str()).collect()
}

/// Returns whether a keyword can reject any value of the type of `narrow`. A rule for numbers does not concern texts.
fn applies(keyword: &str, narrow: &Plain) -> bool {
    let Some(kind) = narrow.get("type").and_then(Value::as_str) else {
        return true;
    };
    let kinds: &[&str] = match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => &["integer", "number"],
        "minLength" | "maxLength" | "pattern" | "contentEncoding" | "contentMediaType" => &["string"],
        "minItems" | "maxItems" | "uniqueItems" | "contains" | "minContains" | "maxContains" => &["array"],
        "minProperties"
        | "maxProperties"
        | "patternProperties"
        | "propertyNames"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties" => &["object"],
        _ => return true,
    };
    kinds.contains(&kind)
}

/// Returns whether all values of `narrow` satisfy a rule. `false` if that cannot be decided.
fn is_implied(name: &str, rule: &Value, narrow: &Plain) -> bool {
    let own = narrow.get(name);
    // A schema with a reference may mean something else in the other document.
    if own == Some(rule) {
        return !rule.to_string().contains("\"$ref\"");
    }
    let bound = rule.as_f64();
    let own_number = own.and_then(Value::as_f64);
    let (low, high) = range(narrow);
    match name {
        "minimum" => bound <= Some(low),
        "maximum" => bound >= Some(high),
        "exclusiveMinimum" => bound < Some(low) || own_number >= bound,
        "exclusiveMaximum" => bound > Some(high) || own_number.is_some_and(|own| Some(own) <= bound),
        "minLength" | "minItems" | "minProperties" => bound <= Some(0.0) || own_number >= bound,
        "maxLength" | "maxItems" | "maxProperties" => own_number.is_some_and(|own| Some(own) <= bound),
        "multipleOf" => match (rule.as_u64(), own.and_then(Value::as_u64)) {
            (Some(rule), Some(own)) if rule > 0 => own % rule == 0,
            _ => false,
        },
        "uniqueItems" => rule == false,
        "format" => match (rule.as_str(), own.and_then(Value::as_str)) {
            (Some("double"), Some("float")) => true,
            (Some(rule), Some(_)) => range_of_format(rule).is_some_and(|(least, most)| least <= low && high <= most),
            _ => false,
        },
        _ => false,
    }
}

/// Returns a range that has all numbers of a schema.
fn range(schema: &Plain) -> (f64, f64) {
    let number = |name: &str| schema.get(name).and_then(Value::as_f64);
    let format = schema.get("format").and_then(Value::as_str).and_then(range_of_format);
    let (mut low, mut high) = format.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    if let Some(numbers) = schema.get("enum").and_then(Value::as_array)
        && let Some(numbers) = numbers.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>()
    {
        low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    }
    for bound in ["minimum", "exclusiveMinimum"].into_iter().filter_map(number) {
        low = low.max(bound);
    }
    for bound in ["maximum", "exclusiveMaximum"].into_iter().filter_map(number) {
        high = high.min(bound);
    }
    (low, high)
}

/// Returns the least and the greatest number of a format of schemars.
#[expect(clippy::cast_precision_loss, reason = "the order of the bounds stays right")]
fn range_of_format(format: &str) -> Option<(f64, f64)> {
    Some(match format {
        "uint8" => (0.0, f64::from(u8::MAX)),
        "uint16" => (0.0, f64::from(u16::MAX)),
        "uint32" => (0.0, f64::from(u32::MAX)),
        "uint64" | "uint" => (0.0, u64::MAX as f64),
        "int8" => (f64::from(i8::MIN), f64::from(i8::MAX)),
        "int16" => (f64::from(i16::MIN), f64::from(i16::MAX)),
        "int32" => (f64::from(i32::MIN), f64::from(i32::MAX)),
        "int64" | "int" => (i64::MIN as f64, i64::MAX as f64),
        _ => return None,
    })
}
