//! Types become JSON Schemas, and arguments are checked against them: the only file that names schemars and jsonschema.

use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::result::ToolResult;

/// What a tool takes: a JSON Schema whose root is an object, and the means to decode what it allows.
#[derive(Clone, Debug)]
pub struct InputSchema {
    json: Arc<Value>,
    /// Typed decoding enforces all that the schema says, so the validator is needed only to explain a failure.
    decoding_is_enough: bool,
    /// Takes milliseconds to make, so it is made on first need.
    validator: Arc<OnceLock<Result<Validator, String>>>,
}

impl InputSchema {
    /// The schema of a type's fields.
    pub fn of<T: JsonSchema>() -> InputSchema {
        let schema = InputSchema::from_json(generate::<T>(SchemaSettings::draft2020_12().for_deserialize()));
        InputSchema { decoding_is_enough: is_flat(&schema.json), ..schema }
    }

    /// This schema.
    pub fn from_json(json: Value) -> InputSchema {
        InputSchema { json: Arc::new(json), decoding_is_enough: false, validator: Arc::default() }
    }

    /// No arguments.
    pub fn empty() -> InputSchema {
        InputSchema::from_json(json!({"type": "object", "properties": {}, "additionalProperties": false}))
    }

    /// The schema as JSON.
    pub fn as_json(&self) -> &Value {
        &self.json
    }

    /// Why no client would accept this schema, if so.
    pub(crate) fn fault(&self) -> Option<String> {
        let Value::Object(root) = &*self.json else {
            return Some("the input schema is no object".into());
        };
        if root.get("type") != Some(&json!("object")) {
            return Some("the input schema does not have `\"type\": \"object\"` at its root".into());
        }
        let combinator = ["oneOf", "anyOf", "allOf"].into_iter().find(|key| root.contains_key(*key))?;
        Some(format!("the input schema has `{combinator}` at its root, which makes some clients refuse all tools"))
    }

    /// The arguments as a `T`.
    pub(crate) fn decode<T: DeserializeOwned>(&self, arguments: &RawValue) -> Result<T, ToolResult> {
        if self.decoding_is_enough
            && let Ok(decoded) = serde_json::from_str(arguments.get())
        {
            return Ok(decoded);
        }
        let value: Value = serde_json::from_str(arguments.get())
            .map_err(|error| ToolResult::error(format!("the arguments cannot be read: {error}")))?;
        self.check(&value)?;
        match serde_json::from_value(value) {
            Ok(decoded) => Ok(decoded),
            Err(error) => Err(ToolResult::error(format!("invalid arguments: {error}"))),
        }
    }

    fn check(&self, value: &Value) -> Result<(), ToolResult> {
        let validator =
            self.validator.get_or_init(|| jsonschema::draft202012::new(&self.json).map_err(|error| error.to_string()));
        let Ok(validator) = validator else {
            return Ok(());
        };
        let violations: Vec<String> =
            validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        if violations.is_empty() {
            Ok(())
        } else {
            Err(ToolResult::error(format!("invalid arguments:\n{}", violations.join("\n"))))
        }
    }
}

/// What a tool's structured output looks like.
#[derive(Clone, Debug)]
pub struct OutputSchema {
    json: Arc<Value>,
}

impl OutputSchema {
    /// The schema of a type as it is serialised.
    pub fn of<T: JsonSchema>() -> OutputSchema {
        OutputSchema::from_json(generate::<T>(SchemaSettings::draft2020_12().for_serialize()))
    }

    /// This schema.
    pub fn from_json(json: Value) -> OutputSchema {
        OutputSchema { json: Arc::new(json) }
    }

    /// The schema as JSON.
    pub fn as_json(&self) -> &Value {
        &self.json
    }

    /// Revisions before 2026-07-28 know only objects; there, other output is wrapped in one.
    pub(crate) fn needs_wrap(&self) -> bool {
        self.json.get("type") != Some(&json!("object"))
    }

    /// The schema of the wrapped output.
    pub(crate) fn wrapped(&self) -> Value {
        let mut inner = (*self.json).clone();
        let defs = inner.as_object_mut().and_then(|root| root.remove("$defs"));
        let mut root = Map::from_iter([
            ("type".to_owned(), json!("object")),
            ("properties".to_owned(), json!({"result": inner})),
            ("required".to_owned(), json!(["result"])),
        ]);
        root.extend(defs.map(|defs| ("$defs".to_owned(), defs)));
        Value::Object(root)
    }
}

fn generate<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let schema = settings.with(|settings| settings.meta_schema = None).into_generator().into_root_schema_for::<T>();
    let mut json = schema.to_value();
    if let Some(root) = json.as_object_mut() {
        root.remove("title");
    }
    json
}

/// Whether every argument is a scalar, or an option, list or map of scalars, with no further rule.
fn is_flat(schema: &Value) -> bool {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return false;
    };
    let known = ["type", "properties", "required", "additionalProperties", "description"];
    schema.as_object().is_some_and(|root| root.keys().all(|key| known.contains(&key.as_str())))
        && properties.values().all(is_scalar)
}

fn is_scalar(schema: &Value) -> bool {
    let scalar = |name: &Value| matches!(name.as_str(), Some("string" | "integer" | "number" | "boolean" | "null"));
    let Some(schema) = schema.as_object() else {
        return false;
    };
    let typed = match schema.get("type") {
        Some(Value::Array(names)) => names.iter().all(scalar),
        Some(name) => scalar(name),
        None => false,
    };
    typed && schema.keys().all(|key| ["type", "description", "default", "title"].contains(&key.as_str()))
}
