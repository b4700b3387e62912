//! Structured output: derives a schema that the CLI accepts from a type, and reads the output as that type.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// The property that holds a value which is not an object.
const VALUE: &str = "value";

/// Returns the schema of a type, with an object at its root.
///
/// The CLI produces structured output with a tool call, and the arguments of a tool are always an object. Any other
/// type is wrapped into an object with the single property [`VALUE`].
pub(crate) fn schema_of<T: JsonSchema>() -> Map<String, Value> {
    // The CLI silently ignores schemas of later drafts.
    let root = SchemaSettings::draft07().into_generator().into_root_schema_for::<T>().to_value();
    match root {
        Value::Object(root) if is_plain_object(&root) => root,
        Value::Object(mut root) => {
            let schema = root.remove("$schema");
            let definitions = root.remove("definitions");
            let mut wrapped = Map::new();
            wrapped.insert("type".to_owned(), json!("object"));
            wrapped.insert("properties".to_owned(), json!({VALUE: root}));
            wrapped.insert("required".to_owned(), json!([VALUE]));
            wrapped.extend(schema.map(|schema| ("$schema".to_owned(), schema)));
            wrapped.extend(definitions.map(|definitions| ("definitions".to_owned(), definitions)));
            wrapped
        }
        // The schema is a boolean.
        other => match json!({"type": "object", "properties": {VALUE: other}, "required": [VALUE]}) {
            Value::Object(wrapped) => wrapped,
            _ => Map::new(),
        },
    }
}

/// Removes `$schema` if it names a draft that the CLI would ignore.
pub(crate) fn acceptable(mut schema: Map<String, Value>) -> Map<String, Value> {
    if schema.get("$schema").and_then(Value::as_str).is_some_and(|draft| !draft.contains("draft-07")) {
        schema.remove("$schema");
    }
    schema
}

/// Deserializes a `T` from structured output that follows the schema of [`schema_of`].
pub(crate) fn value_of<T: JsonSchema + DeserializeOwned>(output: &RawValue) -> Result<T, serde_json::Error> {
    let root = SchemaSettings::draft07().into_generator().into_root_schema_for::<T>().to_value();
    if root.as_object().is_some_and(is_plain_object) {
        return serde_json::from_str(output.get());
    }
    let mut wrapped: Map<String, Value> = serde_json::from_str(output.get())?;
    serde_json::from_value(wrapped.remove(VALUE).unwrap_or_default())
}

/// Returns whether a schema can be used as the root: the API rejects combinators there.
fn is_plain_object(schema: &Map<String, Value>) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
        && !["oneOf", "anyOf", "allOf", "$ref"].iter().any(|key| schema.contains_key(*key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Person {
        name: String,
        pet: Option<Pet>,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase", tag = "kind")]
    enum Pet {
        Cat { lives: u8 },
        Dog,
    }

    fn raw(value: &Value) -> Box<RawValue> {
        serde_json::value::to_raw_value(value).unwrap()
    }

    #[test]
    fn the_schema_of_a_struct_is_not_wrapped() {
        let schema = schema_of::<Person>();
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["properties"]["name"]["type"], "string");
        let person = value_of::<Person>(&raw(&json!({"name": "bob", "pet": {"kind": "dog"}}))).unwrap();
        assert_eq!(person, Person { name: "bob".to_owned(), pet: Some(Pet::Dog) });
    }

    #[test]
    fn types_other_than_plain_objects_are_wrapped() {
        for schema in [schema_of::<Vec<Person>>(), schema_of::<Pet>(), schema_of::<i64>(), schema_of::<Value>()] {
            assert_eq!(schema["type"], "object");
            assert!(schema["properties"].get(VALUE).is_some(), "{schema:?}");
        }
        assert!(
            schema_of::<Vec<Person>>()["definitions"]["Pet"].is_object(),
            "definitions stay at the root, where references find them"
        );
        assert_eq!(value_of::<Pet>(&raw(&json!({"value": {"kind": "cat", "lives": 9}}))).unwrap(), Pet::Cat { lives: 9 });
        assert_eq!(value_of::<Vec<u8>>(&raw(&json!({"value": [1, 2]}))).unwrap(), [1, 2]);
        assert!(value_of::<i64>(&raw(&json!({"other": 1}))).is_err());
    }

    #[test]
    fn only_drafts_that_the_cli_ignores_are_removed() {
        let of = |draft: &str| acceptable(schema_with(draft)).contains_key("$schema");
        assert!(of("http://json-schema.org/draft-07/schema#"));
        assert!(!of("https://json-schema.org/draft/2020-12/schema"));
    }

    fn schema_with(draft: &str) -> Map<String, Value> {
        Map::from_iter([("$schema".to_owned(), json!(draft)), ("type".to_owned(), json!("object"))])
    }
}
