//! An argument in the schema of a function's arguments, as `#[derive(JsonSchema)]` writes it.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

/// Lets the derive say what a field of this type looks like, and whether it must be there.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "asked for its schema alone")]
struct One<T> {
    value: T,
}

/// Adds an argument of this name and type; nothing is told about it if `doc` is empty.
pub(super) fn add<T: JsonSchema>(
    schema: &mut Schema,
    generator: &mut SchemaGenerator,
    name: &str,
    doc: &str,
    default: Option<Value>,
) {
    insert(schema, One::<T>::json_schema(generator), name, doc, default);
}

/// Apart from the type, so that it is compiled once.
fn insert(schema: &mut Schema, mut one: Schema, name: &str, doc: &str, default: Option<Value>) {
    let value = one.pointer_mut("/properties/value").map(Value::take);
    let mut property = Schema::try_from(value.unwrap_or_default()).unwrap_or_default();
    let (title, description) = title_and_description(doc);
    for (keyword, text) in [("title", title), ("description", description)] {
        if !text.is_empty() {
            property.insert(keyword.to_owned(), text.into());
        }
    }
    let is_required = default.is_none() && one.get("required").is_some();
    if let Some(default) = default {
        property.insert("default".to_owned(), default);
    }
    let object = schema.ensure_object();
    object.entry("properties").or_insert_with(|| json!({}))[name] = property.into();
    if is_required && let Value::Array(required) = object.entry("required").or_insert_with(|| json!([])) {
        required.push(name.into());
    }
}

/// A heading in the first line is a title.
fn title_and_description(doc: &str) -> (&str, &str) {
    let doc = doc.trim_ascii();
    if !doc.starts_with('#') {
        return ("", doc);
    }
    let (title, description) = doc.split_once('\n').unwrap_or((doc, ""));
    (title.trim_start_matches('#').trim_ascii(), description.trim_ascii())
}
