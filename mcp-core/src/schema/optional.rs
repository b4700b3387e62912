//! Optional arguments, shown plainly.

use serde_json::{Map, Value, json};

use super::subschemas::{annotated, visit_all};

/// Leaves `null` out of properties that may be missing.
///
/// An `Option<u32>` reads best as an integer that is not required: `["integer", "null"]` is refused by clients that know only
/// one type at a time, and it makes models send `null` where they should send nothing. What is published is narrower than what
/// is accepted: `null` still decodes to `None`.
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

/// Leaves `null` out of what a schema allows beside other things.
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

/// The schema without the branch that is just `null`; a single branch that is left takes the place of the choice.
fn without_null_branch(schema: &Map<String, Value>, keyword: &str) -> Option<Value> {
    let branches = schema.get(keyword)?.as_array()?;
    let null = json!({"type": "null"});
    let left: Vec<Value> = branches.iter().filter(|branch| **branch != null).cloned().collect();
    if left.is_empty() || left.len() == branches.len() {
        return None;
    }
    let mut beside = schema.clone();
    beside.remove(keyword);
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
    fn null_goes_from_optional_properties_and_stays_elsewhere() {
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
