//! Whether decoding a type enforces all that its schema says.
//!
//! True when every argument is a scalar, or an option, list or map of scalars, and nothing further is demanded. Then arguments
//! are parsed once, straight into the type, and the validator is needed only to explain a failure.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::subschemas::is_annotation;
use super::trace::{self, Shape};

/// Whether decoding a `T` enforces this schema.
///
/// That a field which the schema requires has no default is taken on trust: a derived schema is right about it.
pub(super) fn is_flat<T: DeserializeOwned>(schema: &Value) -> bool {
    let Some(root) = schema.as_object() else {
        return false;
    };
    let demands = ["type", "properties", "required", "additionalProperties"];
    if root.get("type").is_none_or(|name| name != "object") || !demands_only(root, &demands) {
        return false;
    }
    let unknown_fields_agree = match root.get("additionalProperties") {
        None | Some(Value::Bool(true)) => true,
        Some(Value::Bool(false)) => trace::refuses_unknown_fields::<T>(),
        Some(_) => false,
    };
    let required = |name: &str| {
        let names = root.get("required").and_then(Value::as_array);
        names.is_some_and(|names| names.iter().any(|required| required == name))
    };
    unknown_fields_agree
        && root.get("properties").and_then(Value::as_object).is_some_and(|properties| {
            properties.iter().all(|(name, schema)| {
                let shape = trace::field::<T>(name);
                // An optional field may be missing, whatever the schema says.
                !(required(name) && matches!(shape, Shape::Optional(_))) && enforces(&shape, schema)
            })
        })
}

/// Whether what decodes as this shape satisfies the schema.
fn enforces(shape: &Shape, schema: &Value) -> bool {
    let Some(schema) = schema.as_object() else {
        return false;
    };
    match (shape, schema.get("type")) {
        (Shape::Optional(inner), Some(Value::Array(names))) => match &names[..] {
            [name, null] if null == "null" => {
                let mut plain = schema.clone();
                plain.insert("type".into(), name.clone());
                enforces(inner, &Value::Object(plain))
            }
            _ => false,
        },
        (Shape::Boolean, Some(name)) => name == "boolean" && demands_only(schema, &["type"]),
        (Shape::String, Some(name)) => name == "string" && demands_only(schema, &["type"]),
        (Shape::Number, Some(name)) => name == "number" && demands_only(schema, &["type"]),
        (Shape::Character, Some(name)) => {
            name == "string"
                && demands_only(schema, &["type", "minLength", "maxLength"])
                && schema.get("minLength").is_none_or(|length| length == 1)
                && schema.get("maxLength").is_none_or(|length| length == 1)
        }
        (Shape::Integer { min, max }, Some(name)) => {
            name == "integer"
                && demands_only(schema, &["type", "minimum", "maximum"])
                && schema.get("minimum").is_none_or(|bound| integer(bound).is_some_and(|bound| bound <= *min))
                && schema.get("maximum").is_none_or(|bound| integer(bound).is_some_and(|bound| bound >= *max))
        }
        (Shape::List(inner), Some(name)) => {
            name == "array"
                && demands_only(schema, &["type", "items"])
                && schema.get("items").is_some_and(|items| enforces(inner, items))
        }
        (Shape::Map(inner), Some(name)) => {
            name == "object"
                && demands_only(schema, &["type", "additionalProperties"])
                && schema.get("additionalProperties").is_some_and(|values| enforces(inner, values))
        }
        _ => false,
    }
}

fn demands_only(schema: &Map<String, Value>, keywords: &[&str]) -> bool {
    schema.keys().all(|keyword| is_annotation(keyword) || keywords.contains(&keyword.as_str()))
}

fn integer(bound: &Value) -> Option<i128> {
    bound.as_i64().map(i128::from).or_else(|| bound.as_u64().map(i128::from))
}
