//! `$defs`: written out where that is shorter to read, and no longer there when nothing refers to them.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::subschemas::{annotated, look, visit};

const PREFIX: &str = "#/$defs/";

/// Writes definitions out that are used once or are scalars, and drops those that nothing refers to.
///
/// Most tools then have no `$ref` at all, which some model providers read better; a type that contains itself keeps its own.
pub(super) fn write_out(root: &mut Value) {
    if !root.get("$defs").is_some_and(Value::is_object) {
        return;
    }
    let Some(Value::Object(definitions)) = root.as_object_mut().and_then(|root| root.remove("$defs")) else {
        return;
    };
    let uses = uses(root, &definitions);
    let plain: HashMap<&str, &Value> = definitions
        .iter()
        .filter(|(name, schema)| is_scalar(schema) || uses.get(*name) == Some(&1))
        .filter(|(name, schema)| !reachable(schema, &definitions).contains(*name))
        .map(|(name, schema)| (name.as_str(), schema))
        .collect();
    if let Some(object) = root.as_object_mut() {
        // A reference at the root itself stays one.
        visit(object, |sub| replace(sub.schema, &plain));
    }
    let kept = kept(root, &definitions, &plain);
    if let (Some(root), false) = (root.as_object_mut(), kept.is_empty()) {
        root.insert("$defs".into(), Value::Object(kept));
    }
}

/// The schema that a local reference means.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    root.pointer(&percent_decoded(pointer)?)
}

/// The name of the definition that a schema refers to.
fn referred(schema: &Map<String, Value>) -> Option<String> {
    let name = schema.get("$ref")?.as_str()?.strip_prefix(PREFIX)?;
    Some(percent_decoded(name)?.replace("~1", "/").replace("~0", "~"))
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = (*first == b'%').then(|| tail.get(..2)).flatten().and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &tail[2..]).1,
            None => (bytes.push(*first), rest = tail).1,
        }
    }
    String::from_utf8(bytes).ok()
}

/// How often each definition is referred to, from the root or from a definition that is itself in use.
fn uses(root: &Value, definitions: &Map<String, Value>) -> HashMap<String, usize> {
    let in_use = reachable(root, definitions);
    let mut uses = HashMap::new();
    let used = definitions.iter().filter(|(name, _)| in_use.contains(*name)).map(|(_, schema)| schema);
    for schema in used.chain([root]) {
        for name in references(schema) {
            *uses.entry(name).or_default() += 1;
        }
    }
    uses
}

/// The definitions that a schema refers to, directly or through others.
fn reachable(schema: &Value, definitions: &Map<String, Value>) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut open = references(schema);
    while let Some(name) = open.pop() {
        if let Some(schema) = definitions.get(&name)
            && found.insert(name)
        {
            open.extend(references(schema));
        }
    }
    found
}

/// The names of the definitions that a schema refers to directly.
fn references(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    look(schema, &mut |schema| found.extend(referred(schema)));
    found
}

fn is_scalar(schema: &Value) -> bool {
    let scalar = |name: &Value| matches!(name.as_str(), Some("string" | "integer" | "number" | "boolean"));
    schema.get("type").is_some_and(scalar)
}

/// Puts definitions in the place of references to them.
fn replace(schema: &mut Value, plain: &HashMap<&str, &Value>) {
    let Value::Object(object) = schema else {
        return;
    };
    if let Some(definition) = referred(object).and_then(|name| plain.get(name.as_str())) {
        let mut beside = object.clone();
        beside.remove("$ref");
        if let Some(written_out) = annotated((*definition).clone(), &beside) {
            *schema = written_out;
            // No definition in `plain` contains itself, so this ends.
            return replace(schema, plain);
        }
    }
    visit(object, |sub| replace(sub.schema, plain));
}

/// The definitions that something still refers to, with the others written out in them.
fn kept(root: &Value, definitions: &Map<String, Value>, plain: &HashMap<&str, &Value>) -> Map<String, Value> {
    let (mut kept, mut open) = (Map::new(), references(root));
    while let Some(name) = open.pop() {
        if let Some(schema) = definitions.get(&name)
            && !kept.contains_key(&name)
        {
            let mut schema = schema.clone();
            replace(&mut schema, plain);
            open.extend(references(&schema));
            kept.insert(name, schema);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_definition_used_once_is_written_out_with_both_descriptions() {
        let mut root = json!({
            "properties": {"point": {"$ref": "#/$defs/Point", "description": "Where."}},
            "$defs": {"Point": {"type": "object", "description": "A place."}}
        });
        write_out(&mut root);
        assert_eq!(root, json!({"properties": {"point": {"type": "object", "description": "Where.\n\nA place."}}}));
    }

    #[test]
    fn a_definition_used_twice_stays_unless_it_is_a_scalar() {
        let mut root = json!({
            "properties": {
                "a": {"$ref": "#/$defs/Point"}, "b": {"$ref": "#/$defs/Point"},
                "c": {"$ref": "#/$defs/Word%20~1"}, "d": {"$ref": "#/$defs/Word%20~1"},
            },
            "$defs": {"Point": {"type": "object"}, "Word /": {"type": "string"}, "Unused": {"$ref": "#/$defs/Point"}}
        });
        write_out(&mut root);
        let expected = json!({
            "properties": {
                "a": {"$ref": "#/$defs/Point"}, "b": {"$ref": "#/$defs/Point"},
                "c": {"type": "string"}, "d": {"type": "string"},
            },
            "$defs": {"Point": {"type": "object"}}
        });
        assert_eq!(root, expected);
    }

    #[test]
    fn a_definition_that_contains_itself_stays() {
        let same = json!({
            "properties": {"tree": {"$ref": "#/$defs/Tree"}},
            "$defs": {"Tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}}
        });
        let mut root = same.clone();
        write_out(&mut root);
        assert_eq!(root, same);
    }
}
