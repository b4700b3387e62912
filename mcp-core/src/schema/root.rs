//! The root of an input schema, which must be an object.

use serde_json::{Map, Value, json};

use super::definitions::resolve;
use super::optional::leave_null_out;
use super::subschemas::{annotated, is_annotation, look};

/// Keywords that combine schemas.
const COMBINATORS: [&str; 3] = ["oneOf", "anyOf", "allOf"];

/// Rewrites the root as `"type": "object"` with properties, where this does not change its meaning for arguments.
///
/// Arguments are always an object, so other types that the root allows can be removed.
pub(super) fn settle(schema: &mut Value) {
    leave_null_out(schema);
    if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|name| resolve(schema, name)).cloned()
        && let Some(root) = schema.as_object()
        && let Some(mut written_out) = annotated(target, &without(root, &["$ref", "$defs"]))
    {
        if let (Some(definitions), Some(root)) = (root.get("$defs"), written_out.as_object_mut()) {
            root.insert("$defs".into(), definitions.clone());
        }
        *schema = written_out;
    }
    let Some(root) = schema.as_object_mut() else {
        return;
    };
    join_plain_objects(root);
    let object_too = root.get("type").and_then(Value::as_array).is_some_and(|names| names.contains(&json!("object")));
    let says_nothing = root.keys().all(|keyword| is_annotation(keyword) || keyword == "$defs" || keyword == "properties");
    if object_too || says_nothing {
        root.insert("type".into(), json!("object"));
    }
    if is_object(root) {
        root.entry("properties").or_insert_with(|| json!({}));
    }
}

/// Rejects undeclared properties, unless the root already has a rule for them.
pub(super) fn close(schema: &mut Value) {
    if let Some(root) = schema.as_object_mut()
        && !root.contains_key("unevaluatedProperties")
    {
        root.entry("additionalProperties").or_insert(Value::Bool(false));
    }
}

/// Returns the reason why some client or model would reject a tool with this root, if there is one.
pub(super) fn fault(schema: &Value) -> Option<String> {
    let Some(root) = schema.as_object() else {
        return Some("the input schema is no JSON object".into());
    };
    if let Some(combinator) = COMBINATORS.into_iter().find(|keyword| root.contains_key(*keyword)) {
        return Some(format!(
            "the input schema has `{combinator}` at its root, and clients drop such a tool or refuse all of them; an enum that \
             is flattened into the arguments does that: make it an argument of its own"
        ));
    }
    if let Some(reason) = illegal(schema) {
        return Some(reason);
    }
    let mut outside = None;
    look(schema, &mut |sub| {
        let reference = sub.get("$ref").and_then(Value::as_str);
        outside = outside.or(reference.filter(|name| !name.starts_with('#')));
    });
    outside.map(|name| format!("the input schema has the external reference `{name}`, which clients do not fetch"))
}

/// Returns the reason why the protocol forbids this root, if there is one.
pub(super) fn illegal(schema: &Value) -> Option<String> {
    match schema.get("type") {
        Some(name) if name == "object" => None,
        Some(other) => Some(format!("arguments are a JSON object, but the input schema is of type {other}")),
        None => Some("the input schema does not say `\"type\": \"object\"` at its root".into()),
    }
}

fn is_object(root: &Map<String, Value>) -> bool {
    root.get("type").is_some_and(|name| name == "object")
}

fn without(schema: &Map<String, Value>, keywords: &[&str]) -> Map<String, Value> {
    let kept = schema.iter().filter(|(keyword, _)| !keywords.contains(&keyword.as_str()));
    kept.map(|(keyword, value)| (keyword.clone(), value.clone())).collect()
}

/// Merges the branches of an `allOf` into the root if they only add properties that no other branch declares.
fn join_plain_objects(root: &mut Map<String, Value>) {
    let Some(branches) = root.get("allOf").and_then(Value::as_array).cloned() else {
        return;
    };
    let mut joined = without(root, &["allOf"]);
    let is_plain = |schema: &Map<String, Value>| {
        schema.keys().all(|keyword| is_annotation(keyword) || ["type", "properties", "required"].contains(&keyword.as_str()))
            && schema.get("type").is_none_or(|name| name == "object")
    };
    if !is_plain(&without(&joined, &["$defs"])) {
        return;
    }
    for branch in &branches {
        let Some(branch) = branch.as_object().filter(|branch| is_plain(branch)) else {
            return;
        };
        let new = branch.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let Some(properties) = joined.entry("properties").or_insert_with(|| json!({})).as_object_mut() else {
            return;
        };
        if new.iter().any(|(name, schema)| properties.get(name).is_some_and(|known| known != schema)) {
            return;
        }
        properties.extend(new);
        if let Some(Value::Array(new)) = branch.get("required")
            && let Some(required) = joined.entry("required").or_insert_with(|| json!([])).as_array_mut()
        {
            required.extend(new.iter().cloned());
        }
    }
    joined.insert("type".into(), json!("object"));
    *root = joined;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(mut schema: Value) -> Value {
        settle(&mut schema);
        schema
    }

    #[test]
    fn a_root_that_can_only_be_an_object_gets_the_type_object() {
        let object = json!({"type": "object", "properties": {}});
        assert_eq!(settled(json!({})), object);
        assert_eq!(settled(json!({"type": ["object", "null"]})), object);
        assert_eq!(settled(json!({"type": "object"})), object);
        assert_eq!(fault(&settled(json!({}))), None);
    }

    #[test]
    fn a_reference_at_the_root_is_inlined() {
        let schema = json!({"$ref": "#/$defs/Tree", "$defs": {"Tree": {
            "type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}}});
        let settled = settled(schema.clone());
        assert_eq!(settled["properties"], schema["$defs"]["Tree"]["properties"]);
        assert_eq!(settled["$defs"], schema["$defs"]);
        assert_eq!(fault(&settled), None);
    }

    #[test]
    fn plain_objects_under_all_of_are_joined() {
        let joined = settled(json!({
            "properties": {"a": {"type": "string"}},
            "required": ["a"],
            "allOf": [{"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}, {"properties": {"c": {}}}]
        }));
        let expected = json!({
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {}},
            "required": ["a", "b"]
        });
        assert_eq!(joined, expected);
    }

    #[test]
    fn branches_that_cannot_be_merged_are_rejected() {
        for branch in [
            json!({"properties": {"a": {"type": "integer"}}}),
            json!({"additionalProperties": false}),
            json!({"oneOf": [{}, {}]}),
            json!({"type": "array"}),
        ] {
            let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "allOf": [branch]});
            assert!(fault(&settled(schema)).is_some_and(|reason| reason.contains("`allOf`")));
        }
    }

    #[test]
    fn a_root_that_is_not_an_object_is_rejected_with_its_type() {
        assert!(fault(&settled(json!({"type": "string"}))).is_some_and(|reason| reason.contains("\"string\"")));
        assert!(fault(&settled(json!(true))).is_some());
        assert!(fault(&settled(json!({"enum": [1]}))).is_some());
        let outside = json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/a"}}});
        assert!(fault(&outside).is_some_and(|reason| reason.contains("example.com")));
    }
}
