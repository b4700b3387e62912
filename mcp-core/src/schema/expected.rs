//! Short descriptions of what a schema expects, for error messages.

use jsonschema::JsonType;
use jsonschema::error::TypeKind;
use serde_json::Value;

use super::definitions::resolve;
use super::formats;
use super::short_text::{counted, describe_value, listed, names, short_json};
use super::suggestion::nearest;

/// Returns the definition that a schema refers to, otherwise the schema itself.
pub(super) fn referred<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let reference = schema.get("$ref").and_then(Value::as_str);
    reference.and_then(|reference| resolve(root, reference)).unwrap_or(schema)
}

/// Describes what a schema expects.
pub(super) fn described(root: &Value, schema: &Value) -> Option<String> {
    let schema = referred(root, schema);
    if let Some(value) = schema.get("const") {
        return Some(short_json(value));
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Some(format!("one of {}", listed(values.iter().map(short_json), ", ")));
    }
    match schema.get("type")? {
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect();
            Some(names.iter().map(|name| with_article(name)).collect::<Vec<_>>().join(" or "))
        }
        name if name == "object" => {
            let properties = schema.get("properties").and_then(Value::as_object).filter(|known| !known.is_empty());
            let keys = properties.map(|known| format!(" with {}", names(known.keys().map(String::as_str))));
            Some(format!("an object{}", keys.unwrap_or_default()))
        }
        name => {
            let format = schema.get("format").and_then(Value::as_str).and_then(formats::described);
            format.map(str::to_owned).or_else(|| name.as_str().map(with_article))
        }
    }
}

fn with_article(name: &str) -> String {
    match name {
        "null" => name.into(),
        "integer" | "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

/// Describes the expected types.
pub(super) fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => with_article(kind.as_str()),
        TypeKind::Multiple(kinds) => {
            // `null` is omitted: it does not help a caller who has sent a value of the wrong type.
            let others = kinds.iter().filter(|kind| *kind != JsonType::Null);
            others.map(|kind| with_article(kind.as_str())).collect::<Vec<_>>().join(" or ")
        }
    }
}

/// Describes the allowed values, and the one that was probably intended.
pub(super) fn one_of(values: &[Value], got: &Value) -> String {
    let allowed = listed(values.iter().filter(|value| !value.is_null()).map(short_json), ", ");
    let meant = got.as_str().and_then(|got| nearest(got, values.iter().filter_map(Value::as_str)));
    let hint = meant.map(|name| format!("; did you mean \"{name}\"?"));
    format!("expected one of {allowed}, got {}{}", describe_value(got), hint.unwrap_or_default())
}

/// Describes the allowed and the actual length of a string.
pub(super) fn length(bound: &str, limit: u64, got: &Value) -> String {
    let count = got.as_str().map_or(0, |text| text.chars().count());
    format!("expected {bound} {}, got {count}: {}", counted(limit, "character"), short_json(got))
}
