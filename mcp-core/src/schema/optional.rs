//! Removal of `null` from optional arguments in the published schema.

use serde_json::{Map, Value, json};

use super::subschemas::{annotated, visit_all};

/// Removes `null` from the types of properties that are not required.
///
/// An `Option<u32>` is published as an integer that is not required. Clients that support only a single type reject
/// `["integer", "null"]`, and models tend to send `null` instead of omitting the argument. The published schema is narrower
/// than what is accepted: `null` still decodes to `None`.
pub(super) fn show_plainly(schema: &mut Value) {
    visit_all(schema, &mut |sub| {
        let Value::Object(schema) = sub.schema else {
            return;
        };
        let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let Some(Value::Object(properties)) = schema.get_mut("properties") else {
            return;
        };
        for (name, property) in properties {
            if !required.iter().any(|required| required == name) {
                leave_null_out(property);
            }
        }
    });
}

/// Removes `null` from a schema that allows other values too.
pub(super) fn leave_null_out(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    if let Some(Value::Array(names)) = object.get_mut("type")
        && names.len() > 1
    {
        names.retain(|name| name != "null");
        if let [name] = &names[..] {
            let name = name.clone();
            object.insert("type".into(), name);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum")
        && values.len() > 1
    {
        values.retain(|value| !value.is_null());
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(plain) = without_null_branch(object, keyword) {
            *schema = plain;
            return;
        }
    }
}

/// Returns the schema without the branch that is only `null`. If one branch remains, it replaces the choice.
fn without_null_branch(schema: &Map<String, Value>, keyword: &str) -> Option<Value> {
    let branches = schema.get(keyword)?.as_array()?;
    let null = json!({"type": "null"});
    let left: Vec<Value> = branches.iter().filter(|branch| **branch != null).cloned().collect();
    if left.is_empty() || left.len() == branches.len() {
        return None;
    }
    let mut beside = schema.clone();
    beside.shift_remove(keyword);
    if let [only] = &left[..]
        && let Some(plain) = annotated(only.clone(), &beside)
    {
        return Some(plain);
    }
    let mut plain = schema.clone();
    plain.insert(keyword.into(), Value::Array(left));
    Some(Value::Object(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_removed_from_optional_properties_only() {
        let mut schema = json!({
            "properties": {
                "count": {"type": ["integer", "null"], "description": "How many."},
                "day": {"type": ["string", "null"], "enum": ["Mon", null]},
                "place": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}], "description": "Where."},
                "either": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
                "list": {"type": ["array", "null"], "items": {"type": ["integer", "null"]}},
                "must": {"type": ["integer", "null"]},
                "nothing": {"type": "null"},
            },
            "required": ["must"]
        });
        show_plainly(&mut schema);
        let expected = json!({
            "properties": {
                "count": {"type": "integer", "description": "How many."},
                "day": {"type": "string", "enum": ["Mon"]},
                "place": {"$ref": "#/$defs/Place", "description": "Where."},
                "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                "list": {"type": "array", "items": {"type": ["integer", "null"]}},
                "must": {"type": ["integer", "null"]},
                "nothing": {"type": "null"},
            },
            "required": ["must"]
        });
        assert_eq!(schema, expected);
    }
}
