//! Closes nested objects: in a schema that was generated from a type, keys that the type does not have are rejected.
//!
//! serde ignores such keys, so a misspelt optional key would have no effect and nobody would notice. The objects that a type
//! describes are closed unless their schema has a rule for other keys, as with a flattened map or `#[json_type(open)]`. An
//! object that several schemas describe together, such as a struct with a flattened enum, stays open: none of them knows all keys.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::subschemas::{is_annotation, look};

/// Keywords that apply schemas to the value itself and of which exactly one applies.
const CHOICES: [&str; 2] = ["anyOf", "oneOf"];
/// Keywords whose value is a schema of a part of the value.
const PARTS: [&str; 2] = ["items", "additionalProperties"];
/// Keywords with a rule for keys that are not declared.
const RULES: [&str; 3] = ["additionalProperties", "unevaluatedProperties", "patternProperties"];

/// Closes the objects inside of the root. The root itself is not changed.
pub(super) fn close(root: &mut Value) {
    let mut search = Search::default();
    // Only definitions can be described together with other schemas in several places.
    while root.get("$defs").is_some() && search.walk_all(root) {}
    search.may_write = true;
    search.walk_all(root);
}

#[derive(Default)]
struct Search {
    /// The references to schemas that do not describe their values alone.
    shared: BTreeSet<String>,
    may_write: bool,
}

impl Search {
    /// Visits the root and its definitions. Returns whether more shared references were found.
    fn walk_all(&mut self, root: &mut Value) -> bool {
        let before = self.shared.len();
        // The root is not closed here, but the objects in it are.
        self.shared.insert("#".to_owned());
        self.walk(root, false);
        if let Some(Value::Object(definitions)) = root.get_mut("$defs") {
            for (name, schema) in definitions {
                let alone = !self.shared.contains(&format!("#/$defs/{name}"));
                self.walk(schema, alone);
            }
        }
        self.shared.len() > before
    }

    /// `alone`: whether no other schema describes the same value.
    fn walk(&mut self, schema: &mut Value, alone: bool) {
        let Value::Object(object) = schema else {
            return;
        };
        let only_choice = alone && is_only_a_choice(object);
        if let Some(Value::String(target)) = object.get("$ref")
            && !only_choice
        {
            self.shared.insert(target.clone());
        }
        if self.may_write && alone && describes_an_object(object) {
            object.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        for (keyword, value) in object {
            match (keyword.as_str(), value) {
                ("properties" | "patternProperties", Value::Object(parts)) => {
                    parts.values_mut().for_each(|part| self.walk(part, true));
                }
                ("prefixItems", Value::Array(parts)) => parts.iter_mut().for_each(|part| self.walk(part, true)),
                (keyword, part) if part.is_object() && PARTS.contains(&keyword) => self.walk(part, true),
                (keyword, Value::Array(branches)) if CHOICES.contains(&keyword) => {
                    branches.iter_mut().for_each(|branch| self.walk(branch, only_choice));
                }
                ("allOf", Value::Array(branches)) => branches.iter_mut().for_each(|branch| self.walk(branch, false)),
                // Such schemas test the value, so they are not changed.
                ("not" | "if" | "then" | "else" | "contains", test) => look(test, &mut |schema| {
                    self.shared.extend(schema.get("$ref").and_then(Value::as_str).map(str::to_owned));
                }),
                _ => {}
            }
        }
    }
}

/// Returns whether the schema is one reference or one choice, with nothing beside it but annotations.
fn is_only_a_choice(schema: &Map<String, Value>) -> bool {
    let mut rest = schema.keys().filter(|keyword| !is_annotation(keyword) && *keyword != "type");
    let is_choice = rest.next().is_some_and(|keyword| keyword == "$ref" || CHOICES.contains(&keyword.as_str()));
    is_choice && rest.next().is_none()
}

/// Returns whether the schema lists the keys of an object and has no rule for others.
fn describes_an_object(schema: &Map<String, Value>) -> bool {
    let is_plain = |keyword: &String| {
        is_annotation(keyword) || ["type", "properties", "required"].contains(&keyword.as_str()) || keyword.starts_with("x-")
    };
    schema.contains_key("properties")
        && !RULES.iter().any(|keyword| schema.contains_key(*keyword))
        && schema.keys().all(is_plain)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn closed(mut schema: Value) -> Value {
        close(&mut schema);
        schema
    }

    #[test]
    fn objects_inside_of_the_root_are_closed_and_the_root_is_not() {
        let point = || json!({"type": "object", "properties": {"x": {"type": "number"}}});
        let closed_point =
            || json!({"type": "object", "properties": {"x": {"type": "number"}}, "additionalProperties": false});
        assert_eq!(closed(point()), point());
        let schema = json!({"properties": {"a": point(), "list": {"type": "array", "items": point()},
            "either": {"anyOf": [point(), {"type": "null"}]}, "map": {"type": "object", "additionalProperties": point()}}});
        let expected = json!({"properties": {"a": closed_point(), "list": {"type": "array", "items": closed_point()},
            "either": {"anyOf": [closed_point(), {"type": "null"}]},
            "map": {"type": "object", "additionalProperties": closed_point()}}});
        assert_eq!(closed(schema), expected);
    }

    #[test]
    fn an_object_that_several_schemas_describe_stays_open() {
        for part in [
            json!({"properties": {"x": {}}, "additionalProperties": true}),
            json!({"properties": {"x": {}}, "additionalProperties": {"type": "string"}}),
            json!({"properties": {"x": {}}, "oneOf": [{"properties": {"y": {}}}, {"properties": {"z": {}}}]}),
            json!({"allOf": [{"properties": {"x": {}}}, {"properties": {"y": {}}}]}),
            json!({"properties": {"x": {}}, "patternProperties": {"^y": {}}}),
        ] {
            let schema = json!({"properties": {"part": part}});
            assert_eq!(closed(schema.clone()), schema);
        }
    }

    #[test]
    fn a_definition_is_closed_unless_it_is_used_together_with_other_keywords() {
        let schema = |reference: Value| {
            json!({"properties": {"part": reference}, "$defs": {"Outer": {"$ref": "#/$defs/Point"},
                "Point": {"properties": {"x": {}}}}})
        };
        let is_closed = |reference: Value| closed(schema(reference))["$defs"]["Point"].get("additionalProperties").is_some();
        assert!(is_closed(json!({"$ref": "#/$defs/Point", "description": "where"})));
        assert!(is_closed(json!({"anyOf": [{"$ref": "#/$defs/Outer"}, {"type": "null"}]})));
        assert!(!is_closed(json!({"$ref": "#/$defs/Point", "properties": {"kind": {"const": "point"}}})));
        assert!(!is_closed(json!({"$ref": "#/$defs/Outer", "properties": {"kind": {"const": "point"}}})));
    }
}
