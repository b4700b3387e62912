//! The schema of structured output.

use std::sync::Arc;

use schemars::JsonSchema;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::lazy_validator::LazyValidator;
use super::subschemas::visit_all;
use super::{generate, nullable, portable};

/// The schema of a tool's structured output.
#[derive(Clone, Debug)]
pub struct OutputSchema {
    check: LazyValidator,
}

impl OutputSchema {
    /// Creates the schema of the serialized form of a type.
    pub fn of<T: JsonSchema>() -> OutputSchema {
        let mut json = generate::output_of::<T>();
        nullable::split(&mut json);
        OutputSchema { check: LazyValidator::new(Arc::new(json)) }
    }

    /// Uses this schema. Parts that some clients reject are rewritten without changing their meaning, such as `true` to `{}`.
    pub fn from_json(mut json: Value) -> OutputSchema {
        portable::make_portable(&mut json);
        OutputSchema { check: LazyValidator::new(Arc::new(json)) }
    }

    /// Returns the schema as JSON.
    pub fn as_json(&self) -> &Value {
        self.check.schema()
    }

    /// Validates output against the schema.
    ///
    /// # Errors
    /// One line for each violation, with its path, what was expected and what was found.
    ///
    /// ```
    /// use mcp_core::schema::OutputSchema;
    /// use mcp_core::serde_json::{json, value::to_raw_value};
    ///
    /// let schema = OutputSchema::from_json(json!({"type": "object", "properties": {"celsius": {"type": "number"}}}));
    /// let output = to_raw_value(&json!({"celsius": "warm"}))?;
    /// assert_eq!(schema.check(&output).unwrap_err(), "- `celsius`: expected a number, got the string \"warm\"");
    /// # Ok::<(), mcp_core::serde_json::Error>(())
    /// ```
    pub fn check(&self, output: &RawValue) -> Result<(), String> {
        let value: Value =
            serde_json::from_str(output.get()).map_err(|error| format!("- the output cannot be parsed: {error}"))?;
        self.check.check(&value)
    }

    /// Returns whether the output is not an object. Revisions before 2026-07-28 allow only objects, so it is wrapped for them.
    pub(crate) fn needs_wrap(&self) -> bool {
        self.as_json().get("type").is_none_or(|name| name != "object")
    }

    /// Returns the schema of the wrapped output.
    pub(crate) fn wrapped(&self) -> Value {
        let mut inner = self.as_json().clone();
        let definitions = inner.as_object_mut().and_then(|root| root.shift_remove("$defs"));
        let mut root = Map::from_iter([
            ("type".to_owned(), json!("object")),
            ("properties".to_owned(), json!({"result": inner})),
            ("required".to_owned(), json!(["result"])),
        ]);
        root.extend(definitions.map(|definitions| ("$defs".to_owned(), definitions)));
        let mut wrapped = Value::Object(root);
        visit_all(&mut wrapped, &mut |sub| {
            if let Some(Value::String(reference)) = sub.schema.get_mut("$ref") {
                *reference = moved(reference);
            }
        });
        wrapped
    }
}

/// Adjusts a reference after the root, except its definitions, was moved into the property `result`.
fn moved(reference: &str) -> String {
    match reference.strip_prefix('#') {
        Some(pointer) if pointer.is_empty() || (pointer.starts_with('/') && !pointer.starts_with("/$defs/")) => {
            format!("#/properties/result{pointer}")
        }
        _ => reference.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_valid_after_wrapping() {
        let schema = OutputSchema::from_json(json!({
            "anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#"}}, {"$ref": "#/$defs/Word"}],
            "$defs": {"Word": {"type": "string"}}
        }));
        assert!(schema.needs_wrap());
        let wrapped = LazyValidator::new(Arc::new(schema.wrapped()));
        assert_eq!(wrapped.check(&json!({"result": [1, ["a", [2]]]})), Ok(()));
        assert!(wrapped.check(&json!({"result": [1, [true]]})).is_err());
        assert!(wrapped.check(&json!([1])).is_err());
    }
}
