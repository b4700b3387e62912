//! Arguments under another of their names.
//!
//! `#[serde(alias = "q")]` lets a type take a key that its schema does not know, so the schema would refuse the key, or would let
//! its value pass unseen. Before validation such keys get the name that the schema knows. Which one that is only the type can
//! tell: given both names at once, it complains that the field is there twice.
//!
//! Known limit: an untagged enum swallows that complaint, so aliases inside of one are unknown keys.

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::definitions::resolve;
use super::node::{Ignored, Node};

/// The most questions that one call may put to its type; a type that keeps whatever it does not know invites any number.
const MOST_QUESTIONS: usize = 256;

/// The value with every alias replaced by the name in the schema, if there are any.
pub(super) fn with_schema_names<T: DeserializeOwned>(schema: &Value, value: &Value) -> Option<Value> {
    let mut undeclared = Vec::new();
    find_undeclared(schema, &alternatives(schema, schema), value, &mut Vec::new(), &mut undeclared);
    if undeclared.is_empty() {
        return None;
    }
    let ignored = Ignored::default();
    // Only what is ignored matters here; a refusal comes up again when the arguments are decoded.
    let _ = T::deserialize(Node { value, ignored: &ignored });
    let ignored = ignored.into_inner();
    let mut renamed = None;
    let mut questions = MOST_QUESTIONS;
    let mut answers: HashMap<(Vec<Option<String>>, String), Option<String>> = HashMap::new();
    for place in undeclared.into_iter().filter(|place| !ignored.contains(&place.address)) {
        let shape = place.path.iter().map(|step| step.key().map(str::to_owned)).collect();
        let name = answers
            .entry((shape, place.key.clone()))
            .or_insert_with(|| place.names.iter().find(|name| is_alias::<T>(value, &place, name, &mut questions)).cloned());
        if let Some(name) = name
            && let Some(object) = object_at(renamed.get_or_insert_with(|| value.clone()), &place.path)
            && let Some(member) = object.remove(&place.key)
        {
            object.insert(name.clone(), member);
        }
    }
    renamed
}

/// A key that the schema does not name.
struct Undeclared {
    path: Vec<Step>,
    key: String,
    address: *const Value,
    /// The names that the schema knows there and that are not in use.
    names: Vec<String>,
}

#[derive(Clone)]
enum Step {
    Key(String),
    Index(usize),
}

impl Step {
    fn key(&self) -> Option<&str> {
        match self {
            Step::Key(key) => Some(key),
            Step::Index(_) => None,
        }
    }
}

/// Whether the type takes key and name for the same field.
fn is_alias<T: DeserializeOwned>(value: &Value, place: &Undeclared, name: &str, questions: &mut usize) -> bool {
    let Some(left) = questions.checked_sub(1) else {
        return false;
    };
    *questions = left;
    let mut both = value.clone();
    let Some(object) = object_at(&mut both, &place.path) else {
        return false;
    };
    let Some(member) = object.get(&place.key).cloned() else {
        return false;
    };
    object.insert(name.to_owned(), member);
    let refusal = T::deserialize(Node { value: &both, ignored: &Ignored::default() }).err();
    refusal.is_some_and(|refusal| refusal.duplicate == Some(name))
}

fn object_at<'a>(value: &'a mut Value, path: &[Step]) -> Option<&'a mut Map<String, Value>> {
    let found = path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Index(index) => value.get_mut(index),
    });
    found?.as_object_mut()
}

/// Collects the keys of objects that have a name in no schema that applies there.
fn find_undeclared(
    root: &Value,
    schemas: &[&Map<String, Value>],
    value: &Value,
    path: &mut Vec<Step>,
    found: &mut Vec<Undeclared>,
) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                let inner = members_schemas(root, schemas, key);
                if inner.is_empty() {
                    let known = schemas.iter().filter_map(|schema| schema.get("properties")?.as_object());
                    let mut names: Vec<String> = known.flat_map(|properties| properties.keys().cloned()).collect();
                    names.retain(|name| !members.contains_key(name));
                    names.dedup();
                    if !names.is_empty() {
                        found.push(Undeclared { path: path.clone(), key: key.clone(), address: member, names });
                    }
                } else if member.is_object() || member.is_array() {
                    path.push(Step::Key(key.clone()));
                    find_undeclared(root, &inner, member, path, found);
                    path.pop();
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate().filter(|(_, item)| item.is_object() || item.is_array()) {
                path.push(Step::Index(index));
                find_undeclared(root, &items_schemas(root, schemas, index), item, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

/// The schemas that speak of a member.
fn members_schemas<'a>(root: &'a Value, schemas: &[&'a Map<String, Value>], key: &str) -> Vec<&'a Map<String, Value>> {
    let property = |schema: &&'a Map<String, Value>| schema.get("properties").and_then(|properties| properties.get(key));
    let named: Vec<_> = schemas.iter().filter_map(property).flat_map(|schema| alternatives(root, schema)).collect();
    if !named.is_empty() {
        return named;
    }
    let others = schemas.iter().flat_map(|schema| {
        let by_pattern = schema.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::values);
        by_pattern.chain(schema.get("additionalProperties").filter(|rest| rest.is_object()))
    });
    others.flat_map(|schema| alternatives(root, schema)).collect()
}

/// The schemas that speak of an item.
fn items_schemas<'a>(root: &'a Value, schemas: &[&'a Map<String, Value>], index: usize) -> Vec<&'a Map<String, Value>> {
    let item = |schema: &&'a Map<String, Value>| {
        let first = schema.get("prefixItems").and_then(|items| items.get(index));
        first.or_else(|| schema.get("items"))
    };
    schemas.iter().filter_map(item).flat_map(|schema| alternatives(root, schema)).collect()
}

/// A schema and those that it refers to, joins or chooses from, for the same value.
fn alternatives<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Map<String, Value>> {
    let mut found: Vec<&Map<String, Value>> = Vec::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop().and_then(Value::as_object) {
        if found.iter().any(|known| std::ptr::eq(*known, schema)) {
            continue;
        }
        found.push(schema);
        open.extend(schema.get("$ref").and_then(Value::as_str).and_then(|name| resolve(root, name)));
        let branches = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array());
        open.extend(branches.flatten());
    }
    found
}
