//! The schema of one argument, equal to what `#[derive(JsonSchema)]` generates.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

/// A struct whose derived schema shows how a field of this type is described and whether it is required.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "asked for its schema alone")]
struct One<T> {
    value: T,
}

/// Adds an argument with this name and type. If `doc` is empty, it has no description.
pub(super) fn add<T: JsonSchema>(
    schema: &mut Schema,
    generator: &mut SchemaGenerator,
    name: &str,
    doc: &str,
    default: Option<Value>,
) {
    insert(schema, One::<T>::json_schema(generator), name, doc, default);
}

/// Not generic, so that it is compiled once.
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

/// Splits a doc comment: a heading in the first line is the title.
fn title_and_description(doc: &str) -> (&str, &str) {
    let doc = doc.trim_ascii();
    if !doc.starts_with('#') {
        return ("", doc);
    }
    let (title, description) = doc.split_once('\n').unwrap_or((doc, ""));
    (title.trim_start_matches('#').trim_ascii(), description.trim_ascii())
}
