//! Inlining of definitions in `$defs`, and removal of unused ones.

use std::borrow::Cow;
use std::mem;

use serde_json::{Map, Value};

use super::subschemas::{annotated, look, visit};

const PREFIX: &str = "#/$defs/";

/// Definitions with their names. Other functions refer to them by index.
type Definitions<'a> = [(&'a String, &'a Value)];

/// Inlines definitions that are used once or are scalars, and removes unused ones.
///
/// Most tools then have no `$ref`, which some model providers handle poorly. Recursive types keep theirs.
pub(super) fn write_out(root: &mut Value) {
    if !root.get("$defs").is_some_and(Value::is_object) {
        return;
    }
    let Some(Value::Object(definitions)) = root.as_object_mut().and_then(|root| root.shift_remove("$defs")) else {
        return;
    };
    let all: Vec<_> = definitions.iter().collect();
    let uses = uses(root, &all);
    let is_plain = |(place, (_, schema)): (usize, &(&String, &Value))| {
        (is_scalar(schema) || uses[place] == 1) && !reachable(schema, &all)[place]
    };
    let plain: Vec<bool> = all.iter().enumerate().map(is_plain).collect();
    if let Some(object) = root.as_object_mut() {
        // A reference at the root itself is kept.
        visit(object, &mut |sub| replace(sub.schema, &all, &plain));
    }
    let kept = kept(root, &all, &plain);
    if let (Some(root), false) = (root.as_object_mut(), kept.is_empty()) {
        root.insert("$defs".into(), Value::Object(kept));
    }
}

/// Returns the schema that a local reference refers to.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    root.pointer(&percent_decoded(pointer)?)
}

/// Returns the name of the definition that a schema refers to.
fn referred(schema: &Map<String, Value>) -> Option<Cow<'_, str>> {
    let name = schema.get("$ref")?.as_str()?.strip_prefix(PREFIX)?;
    if !name.bytes().any(|byte| matches!(byte, b'%' | b'~')) {
        return Some(Cow::Borrowed(name));
    }
    Some(Cow::Owned(percent_decoded(name)?.replace("~1", "/").replace("~0", "~")))
}

/// Returns the index of the definition that a schema refers to.
fn place(schema: &Map<String, Value>, definitions: &Definitions<'_>) -> Option<usize> {
    let name = referred(schema)?;
    definitions.iter().position(|(known, _)| **known == name)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = (*first == b'%').then(|| tail.get(..2)).flatten().and_then(|code| std::str::from_utf8(code).ok());
        let (byte, after) = match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => (byte, &tail[2..]),
            None => (*first, tail),
        };
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

/// Counts the references to each definition from the root and from used definitions.
fn uses(root: &Value, definitions: &Definitions<'_>) -> Vec<usize> {
    let in_use = reachable(root, definitions);
    let mut uses = vec![0; definitions.len()];
    let used = definitions.iter().zip(in_use).filter(|(_, in_use)| *in_use).map(|((_, schema), _)| *schema);
    for schema in used.chain([root]) {
        for place in references(schema, definitions) {
            uses[place] += 1;
        }
    }
    uses
}

/// Returns which definitions a schema refers to, directly or indirectly.
fn reachable(schema: &Value, definitions: &Definitions<'_>) -> Vec<bool> {
    let mut found = vec![false; definitions.len()];
    let mut open = references(schema, definitions);
    while let Some(place) = open.pop() {
        if !mem::replace(&mut found[place], true) {
            let (_, schema) = definitions[place];
            open.extend(references(schema, definitions));
        }
    }
    found
}

/// Returns the indexes of the definitions that a schema refers to directly.
fn references(schema: &Value, definitions: &Definitions<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    look(schema, &mut |schema| found.extend(place(schema, definitions)));
    found
}

fn is_scalar(schema: &Value) -> bool {
    let scalar = |name: &Value| matches!(name.as_str(), Some("string" | "integer" | "number" | "boolean"));
    schema.get("type").is_some_and(scalar)
}

/// Replaces references to plain definitions by the definitions.
fn replace(schema: &mut Value, definitions: &Definitions<'_>, plain: &[bool]) {
    let Value::Object(object) = schema else {
        return;
    };
    if let Some(place) = place(object, definitions).filter(|place| plain[*place]) {
        let mut beside = object.clone();
        beside.shift_remove("$ref");
        if let Some(written_out) = annotated(definitions[place].1.clone(), &beside) {
            *schema = written_out;
            // Terminates: plain definitions are not recursive.
            return replace(schema, definitions, plain);
        }
    }
    visit(object, &mut |sub| replace(sub.schema, definitions, plain));
}

/// Returns the definitions that are still used, with the plain ones inlined.
fn kept(root: &Value, definitions: &Definitions<'_>, plain: &[bool]) -> Map<String, Value> {
    let (mut kept, mut open) = (Map::new(), references(root, definitions));
    while let Some(place) = open.pop() {
        let (name, schema) = definitions[place];
        if !kept.contains_key(name) {
            let mut schema = schema.clone();
            replace(&mut schema, definitions, plain);
            open.extend(references(&schema, definitions));
            kept.insert(name.clone(), schema);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_definition_used_once_is_inlined_with_both_descriptions() {
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
    fn a_recursive_definition_is_kept() {
        let same = json!({
            "properties": {"tree": {"$ref": "#/$defs/Tree"}},
            "$defs": {"Tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}}
        });
        let mut root = same.clone();
        write_out(&mut root);
        assert_eq!(root, same);
    }
}
