//! What the JSON Schema of an argument allows, for people.

pub(crate) mod fields;
pub(crate) mod sample;
pub(crate) mod shape;
pub(crate) mod types;

use serde_json::Value;

/// Returns the properties of the schema of an object, in declared order, each with whether it is required.
pub(crate) fn properties(schema: &Value) -> Vec<(&str, &Value, bool)> {
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties.map(|(name, property)| (name.as_str(), property, required.iter().any(|one| one == name))).collect()
}
