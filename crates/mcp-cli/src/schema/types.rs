//! The types that a JSON schema allows.

use serde_json::Value;

/// How many references are followed: schemas may be recursive.
const MAX_DEPTH: usize = 8;

/// Returns the names of the types that a schema allows, in the order of the schema. Empty if it allows every type.
pub fn types(root: &Value, schema: &Value) -> Vec<String> {
    let mut types = Vec::new();
    collect(root, schema, MAX_DEPTH, &mut types);
    types
}

/// Returns the schema of an array's elements.
pub fn items<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    &resolved(root, schema)["items"]
}

/// Follows `$ref`.
pub fn resolved<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    for _ in 0..MAX_DEPTH {
        match schema["$ref"].as_str().and_then(|name| root.pointer(name.strip_prefix('#')?)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

/// Returns the values that a schema allows if it lists all of them. Otherwise returns none.
pub(crate) fn choices(root: &Value, schema: &Value) -> Vec<Value> {
    let schema = resolved(root, schema);
    if let Some(values) = schema["enum"].as_array() {
        return values.clone();
    }
    if let Some(constant) = schema.get("const") {
        return vec![constant.clone()];
    }
    let several = ["oneOf", "anyOf"].into_iter().find_map(|keyword| schema[keyword].as_array());
    let each: Vec<Vec<Value>> = several.into_iter().flatten().map(|one| choices(root, one)).collect();
    if each.iter().any(Vec::is_empty) { Vec::new() } else { each.concat() }
}

fn collect(root: &Value, schema: &Value, deep: usize, types: &mut Vec<String>) {
    if deep == 0 {
        return;
    }
    let schema = resolved(root, schema);
    let mut add = |name: &str| {
        if !types.iter().any(|known| known == name) {
            types.push(name.to_owned());
        }
    };
    match &schema["type"] {
        Value::String(name) => return add(name),
        Value::Array(names) => return names.iter().filter_map(Value::as_str).for_each(add),
        _ => {}
    }
    let constants = schema["enum"].as_array().into_iter().flatten().chain(schema.get("const"));
    constants.for_each(|value| add(type_of(value)));
    for keyword in ["anyOf", "oneOf", "allOf"] {
        for one in schema[keyword].as_array().into_iter().flatten() {
            collect(root, one, deep - 1, types);
        }
    }
}

/// Returns the JSON Schema type of a value.
pub(crate) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_are_found_behind_references_and_choices() {
        let root = json!({"$defs": {"Colour": {"enum": ["red", "blue"]}, "Loop": {"$ref": "#/$defs/Loop"}}});
        for (schema, expected) in [
            (json!({"type": "integer"}), &["integer"][..]),
            (json!({"type": ["string", "null"]}), &["string", "null"]),
            (json!({"$ref": "#/$defs/Colour"}), &["string"]),
            (json!({"anyOf": [{"$ref": "#/$defs/Colour"}, {"type": "null"}]}), &["string", "null"]),
            (json!({"$ref": "#/$defs/Loop"}), &[]),
            (json!(true), &[]),
        ] {
            assert_eq!(types(&root, &schema), expected, "{schema}");
        }
    }
}
