//! Decides whether decoding a type enforces its whole schema.
//!
//! True if every argument is a scalar, or an option, list or map of scalars, and the schema has no further constraints. Then
//! arguments are parsed once, directly into the type, and the validator is used only to explain a failure.

use serde_json::{Map, Value};

use super::subschemas::is_annotation;
use super::type_trace::{Shape, TracedType};

/// Returns whether decoding the type enforces this schema.
///
/// Assumes that a field that the schema requires has no serde default, which is true for derived schemas.
pub(super) fn type_enforces_schema(asked: TracedType, schema: &Value) -> bool {
    let Some(root) = schema.as_object() else {
        return false;
    };
    let demands = ["type", "properties", "required", "additionalProperties"];
    if root.get("type").is_none_or(|name| name != "object") || !has_only_keywords(root, &demands) {
        return false;
    }
    let unknown_fields_agree = match root.get("additionalProperties") {
        None | Some(Value::Bool(true)) => true,
        Some(Value::Bool(false)) => asked.rejects_unknown_fields(),
        Some(_) => false,
    };
    let required = |name: &str| {
        let names = root.get("required").and_then(Value::as_array);
        names.is_some_and(|names| names.iter().any(|required| required == name))
    };
    unknown_fields_agree
        && root.get("properties").and_then(Value::as_object).is_some_and(|properties| {
            properties.iter().all(|(name, schema)| {
                let shape = asked.field(name);
                // Decoding accepts a missing `Option`, even if the schema requires it.
                !(required(name) && matches!(shape, Shape::Optional(_))) && enforces(&shape, schema)
            })
        })
}

/// Returns whether every value that decodes as this shape satisfies the schema.
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
        (Shape::Boolean, Some(name)) => name == "boolean" && has_only_keywords(schema, &["type"]),
        (Shape::String, Some(name)) => name == "string" && has_only_keywords(schema, &["type"]),
        (Shape::Number, Some(name)) => name == "number" && has_only_keywords(schema, &["type"]),
        (Shape::Character, Some(name)) => {
            name == "string"
                && has_only_keywords(schema, &["type", "minLength", "maxLength"])
                && schema.get("minLength").is_none_or(|length| length == 1)
                && schema.get("maxLength").is_none_or(|length| length == 1)
        }
        (Shape::Integer { min, max }, Some(name)) => {
            name == "integer"
                && has_only_keywords(schema, &["type", "minimum", "maximum"])
                && schema.get("minimum").is_none_or(|bound| integer(bound).is_some_and(|bound| bound <= *min))
                && schema.get("maximum").is_none_or(|bound| integer(bound).is_some_and(|bound| bound >= *max))
        }
        (Shape::List(inner), Some(name)) => {
            name == "array"
                && has_only_keywords(schema, &["type", "items"])
                && schema.get("items").is_some_and(|items| enforces(inner, items))
        }
        (Shape::Map(inner), Some(name)) => {
            name == "object"
                && has_only_keywords(schema, &["type", "additionalProperties"])
                && schema.get("additionalProperties").is_some_and(|values| enforces(inner, values))
        }
        _ => false,
    }
}

fn has_only_keywords(schema: &Map<String, Value>, keywords: &[&str]) -> bool {
    // A format constrains strings, so it is not an annotation here.
    schema.keys().all(|keyword| (is_annotation(keyword) && keyword != "format") || keywords.contains(&keyword.as_str()))
}

fn integer(bound: &Value) -> Option<i128> {
    bound.as_i64().map(i128::from).or_else(|| bound.as_u64().map(i128::from))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use schemars::JsonSchema;
    use serde::de::DeserializeOwned;
    use serde::{Deserialize, Deserializer};
    use serde_json::json;

    use super::*;
    use crate::schema::InputSchema;

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct One<T> {
        value: T,
    }

    fn is_enforced<T: DeserializeOwned + JsonSchema + 'static>() -> bool {
        InputSchema::of::<T>().is_enforced_by::<T>()
    }

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Name(String);

    #[test]
    fn scalars_and_options_lists_and_maps_of_them_are_flat() {
        assert!(
            is_enforced::<One<i8>>()
                && is_enforced::<One<u8>>()
                && is_enforced::<One<i64>>()
                && is_enforced::<One<u64>>()
                && is_enforced::<One<usize>>()
        );
        assert!(
            is_enforced::<One<i128>>()
                && is_enforced::<One<u128>>()
                && is_enforced::<One<f32>>()
                && is_enforced::<One<bool>>()
                && is_enforced::<One<char>>()
        );
        assert!(is_enforced::<One<String>>() && is_enforced::<One<std::path::PathBuf>>() && is_enforced::<One<Name>>());
        assert!(
            is_enforced::<One<Option<u16>>>()
                && is_enforced::<One<Vec<Option<String>>>>()
                && is_enforced::<One<Option<Vec<Vec<f64>>>>>()
        );
        assert!(is_enforced::<One<BTreeMap<String, Vec<i32>>>>() && is_enforced::<Map<String, Value>>());
    }

    #[test]
    fn a_type_for_which_serde_is_less_strict_than_the_schema_is_not_flat() {
        #[derive(Deserialize, JsonSchema)]
        enum Word {
            #[allow(dead_code)]
            Yes,
        }
        assert!(
            !is_enforced::<One<Word>>()
                && !is_enforced::<One<One<u8>>>()
                && !is_enforced::<One<(u8, u8)>>()
                && !is_enforced::<One<[u8; 2]>>()
        );
        assert!(
            !is_enforced::<One<HashSet<String>>>()
                && !is_enforced::<One<Value>>()
                && !is_enforced::<One<BTreeMap<u8, u8>>>()
        );
        assert!(!is_enforced::<One<std::num::NonZeroU8>>() && !is_enforced::<Option<One<u8>>>());
    }

    #[test]
    fn a_type_with_further_constraints_is_not_flat() {
        #[derive(Deserialize, JsonSchema)]
        #[allow(dead_code)]
        struct Narrow {
            #[schemars(range(max = 254))]
            value: u8,
        }
        #[derive(Deserialize, JsonSchema)]
        #[allow(dead_code)]
        struct Wide {
            #[schemars(range(min = -1, max = 256))]
            value: u8,
        }
        #[derive(Deserialize, JsonSchema)]
        #[allow(dead_code)]
        struct Signed {
            #[schemars(range(min = 0))]
            value: i64,
        }
        #[derive(Deserialize, JsonSchema)]
        #[allow(dead_code)]
        struct Long {
            #[schemars(length(max = 3))]
            value: String,
        }
        assert!(!is_enforced::<Narrow>() && is_enforced::<Wide>() && !is_enforced::<Signed>() && !is_enforced::<Long>());
    }

    #[test]
    fn a_type_that_accepts_more_than_its_schema_is_not_flat() {
        fn lenient<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
            let value = Value::deserialize(deserializer)?;
            Ok(value.as_u64().unwrap_or(1) as u32)
        }
        fn swallowing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
            Ok(u32::deserialize(deserializer).unwrap_or(1))
        }
        #[derive(Deserialize, JsonSchema)]
        #[allow(dead_code)]
        struct Lenient {
            #[serde(deserialize_with = "lenient")]
            value: u32,
        }
        #[derive(Deserialize, JsonSchema)]
        #[allow(dead_code)]
        struct Swallowing {
            #[serde(deserialize_with = "swallowing")]
            value: u32,
        }
        #[derive(Deserialize, JsonSchema)]
        #[schemars(deny_unknown_fields)]
        #[allow(dead_code)]
        struct Lax {
            value: u32,
        }
        #[derive(Deserialize, JsonSchema)]
        #[allow(dead_code)]
        struct Required {
            #[schemars(required)]
            value: Option<u32>,
        }
        assert!(
            !is_enforced::<Lenient>() && !is_enforced::<Swallowing>() && !is_enforced::<Lax>() && !is_enforced::<Required>()
        );
    }

    #[test]
    fn the_result_applies_only_to_the_type_that_was_analyzed() {
        let schema = InputSchema::of::<One<u8>>();
        assert!(schema.is_enforced_by::<One<u8>>());
        assert!(!schema.is_enforced_by::<One<u16>>() && !schema.is_enforced_by::<Value>());
        let by_hand = InputSchema::from_json(json!({"type": "object", "properties": {"value": {"type": "string"}}}));
        assert!(!by_hand.is_enforced_by::<Value>());
        let by_hand = InputSchema::from_json(json!({"type": "object", "properties": {"value": {"type": "string"}}}));
        assert!(by_hand.is_enforced_by::<One<String>>());
    }
}
