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
    let mut places = Vec::new();
    find_undeclared(schema, &alternatives(schema, schema), value, &mut Vec::new(), &mut places);
    if places.is_empty() {
        return None;
    }
    // What the type does not look at is no alias. A refusal does not matter here: it comes up again when decoding.
    let ignored = Ignored::default();
    let _ = T::deserialize(Node { value, ignored: &ignored });
    let ignored = ignored.into_inner();
    places.retain(|place| !ignored.contains(&place.address));
    let mut names = Names { known: known_only(value, &places), questions: MOST_QUESTIONS, answers: HashMap::new() };
    let unknown: Vec<Undeclared> = places.into_iter().filter_map(|place| names.rename::<T>(place)).collect();
    if names.answers.values().all(Option::is_none) {
        return None;
    }
    for place in unknown {
        insert(&mut names.known, &place.path, place.key, place.member);
    }
    Some(names.known)
}

/// The renaming as far as it has come.
struct Names {
    /// The value without the keys that still wait for a name: they could make the type stop before it sees the one in question.
    known: Value,
    questions: usize,
    /// Items of one list all have the same names, so each is asked for once.
    answers: HashMap<(Vec<Option<String>>, String), Option<String>>,
}

impl Names {
    /// Puts a key back under its name in the schema, or gives it back if it has none.
    fn rename<T: DeserializeOwned>(&mut self, place: Undeclared) -> Option<Undeclared> {
        let shape: Vec<Option<String>> = place.path.iter().map(|step| step.key().map(str::to_owned)).collect();
        let question = (shape, place.key.clone());
        if !self.answers.contains_key(&question) {
            let name = place.names.iter().find(|name| self.is_alias::<T>(&place, name)).cloned();
            self.answers.insert(question.clone(), name);
        }
        match &self.answers[&question] {
            Some(name) => {
                insert(&mut self.known, &place.path, name.clone(), place.member);
                None
            }
            None => Some(place),
        }
    }

    /// Whether the type takes key and name for the same field.
    fn is_alias<T: DeserializeOwned>(&mut self, place: &Undeclared, name: &str) -> bool {
        let Some(left) = self.questions.checked_sub(1) else {
            return false;
        };
        self.questions = left;
        let mut both = self.known.clone();
        insert(&mut both, &place.path, place.key.clone(), place.member.clone());
        insert(&mut both, &place.path, name.to_owned(), place.member.clone());
        let refusal = T::deserialize(Node { value: &both, ignored: &Ignored::default() }).err();
        refusal.is_some_and(|refusal| refusal.duplicate == Some(name))
    }
}

/// A key that the schema does not name.
struct Undeclared {
    path: Vec<Step>,
    key: String,
    member: Value,
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

/// The value without these keys.
fn known_only(value: &Value, places: &[Undeclared]) -> Value {
    let mut known = value.clone();
    for place in places {
        if let Some(object) = object_at(&mut known, &place.path) {
            object.remove(&place.key);
        }
    }
    known
}

fn insert(value: &mut Value, path: &[Step], key: String, member: Value) {
    if let Some(object) = object_at(value, path) {
        object.insert(key, member);
    }
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
                        found.push(Undeclared {
                            path: path.clone(),
                            key: key.clone(),
                            member: member.clone(),
                            address: member,
                            names,
                        });
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
