//! Which strings a property allows, for the arguments of prompts and the variables of URIs, which are always text.

use serde_json::Value;

use super::definitions::resolve;

/// The maximum depth to which references are followed, which also stops at cyclic ones.
const MAX_DEPTH: usize = 16;

/// Returns whether a property may be a string. A property without a type may be.
pub(super) fn allows_string(root: &Value, property: &Value) -> bool {
    alternatives(root, property, MAX_DEPTH).into_iter().any(|schema| {
        match (&schema["type"], &schema["enum"], &schema["const"]) {
            (Value::String(name), ..) => name == "string",
            (Value::Array(names), ..) => names.iter().any(|name| name == "string"),
            (_, Value::Array(values), _) => values.iter().any(Value::is_string),
            (_, _, Value::Null) => true,
            (_, _, value) => value.is_string(),
        }
    })
}

/// Returns the allowed strings of an enum property, otherwise an empty list.
pub(super) fn choices<'a>(root: &'a Value, property: &'a Value) -> Vec<&'a str> {
    let named = alternatives(root, property, MAX_DEPTH).into_iter().flat_map(|schema| match schema["enum"].as_array() {
        Some(values) => values.iter().collect(),
        None => vec![&schema["const"]],
    });
    named.filter_map(Value::as_str).collect()
}

/// Returns the alternatives of a property, with references and choices resolved.
fn alternatives<'a>(root: &'a Value, schema: &'a Value, depth: usize) -> Vec<&'a Value> {
    if depth == 0 {
        return Vec::new();
    }
    if let Some(target) = schema["$ref"].as_str().and_then(|reference| resolve(root, reference)) {
        return alternatives(root, target, depth - 1);
    }
    match schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        Some(branches) => branches.iter().flat_map(|branch| alternatives(root, branch, depth - 1)).collect(),
        None => vec![schema],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_property_takes_text_unless_it_says_otherwise() {
        let root = json!({"$defs": {"Number": {"type": "integer"}, "Round": {"$ref": "#/$defs/Round"}}});
        for texts in [
            json!({}),
            json!({"type": ["string", "null"]}),
            json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
            json!({"enum": ["a"]}),
        ] {
            assert!(allows_string(&root, &texts), "{texts}");
        }
        for other in
            [json!({"type": "object"}), json!({"$ref": "#/$defs/Number"}), json!({"const": 1}), json!({"enum": [1]})]
        {
            assert!(!allows_string(&root, &other), "{other}");
        }
        assert!(!allows_string(&root, &json!({"$ref": "#/$defs/Round"})));
    }

    #[test]
    fn choices_are_found_behind_references_and_any_of() {
        let root = json!({"$defs": {"Tone": {"oneOf": [{"const": "kind"}, {"enum": ["strict", 1]}]}}});
        assert_eq!(choices(&root, &json!({"anyOf": [{"$ref": "#/$defs/Tone"}, {"type": "null"}]})), ["kind", "strict"]);
        assert_eq!(choices(&root, &json!({"type": "string"})), [""; 0]);
    }
}
