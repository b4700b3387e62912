//! Search for keys that a schema does not declare.

use serde_json::{Map, Value};

use super::definitions::resolve;

/// A step of a path.
#[derive(Clone, Debug)]
pub(super) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// An object with keys that no schema for it declares.
#[derive(Debug)]
pub(super) struct Undeclared<'a> {
    pub(super) path: Vec<Step<'a>>,
    pub(super) members: Vec<(&'a str, &'a Value)>,
    /// The declared names that the object does not use.
    pub(super) names: Vec<&'a str>,
}

/// Finds the objects that have undeclared keys and lack declared ones.
pub(super) fn find<'a>(schema: &'a Value, value: &'a Value) -> Vec<Undeclared<'a>> {
    let mut search = Search { root: schema, path: Vec::new(), found: Vec::new() };
    search.look(&alternatives(schema, schema), value);
    search.found
}

struct Search<'a> {
    root: &'a Value,
    path: Vec<Step<'a>>,
    found: Vec<Undeclared<'a>>,
}

impl<'a> Search<'a> {
    fn look(&mut self, schemas: &[&'a Map<String, Value>], value: &'a Value) {
        match value {
            Value::Object(members) => self.look_at_members(schemas, members),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate().filter(|(_, item)| is_compound(item)) {
                    let inner = items_schemas(self.root, schemas, index);
                    self.look_within(Step::Index(index), &inner, item);
                }
            }
            _ => {}
        }
    }

    fn look_at_members(&mut self, schemas: &[&'a Map<String, Value>], members: &'a Map<String, Value>) {
        let mut undeclared = Vec::new();
        for (key, member) in members {
            if !schemas.iter().any(|schema| declares(schema, key)) {
                undeclared.push((key.as_str(), member));
            } else if is_compound(member) {
                let inner = members_schemas(self.root, schemas, key);
                self.look_within(Step::Key(key), &inner, member);
            }
        }
        if undeclared.is_empty() {
            return;
        }
        let names = unused_names(schemas, members);
        if !names.is_empty() {
            self.found.push(Undeclared { path: self.path.clone(), members: undeclared, names });
        }
    }

    fn look_within(&mut self, step: Step<'a>, schemas: &[&'a Map<String, Value>], value: &'a Value) {
        self.path.push(step);
        self.look(schemas, value);
        self.path.pop();
    }
}

fn is_compound(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

/// Returns whether the schema declares a key, by name or with a rule for all names.
fn declares(schema: &Map<String, Value>, key: &str) -> bool {
    schema.get("properties").is_some_and(|properties| properties.get(key).is_some())
        || schema.contains_key("patternProperties")
        || schema.get("additionalProperties").is_some_and(Value::is_object)
}

fn unused_names<'a>(schemas: &[&'a Map<String, Value>], members: &Map<String, Value>) -> Vec<&'a str> {
    let known = schemas.iter().filter_map(|schema| schema.get("properties")?.as_object()).flat_map(Map::keys);
    let mut names: Vec<&str> = known.filter(|name| !members.contains_key(*name)).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the schemas of a member.
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

/// Returns the schemas of an item.
fn items_schemas<'a>(root: &'a Value, schemas: &[&'a Map<String, Value>], index: usize) -> Vec<&'a Map<String, Value>> {
    let item = |schema: &&'a Map<String, Value>| {
        let first = schema.get("prefixItems").and_then(|items| items.get(index));
        first.or_else(|| schema.get("items"))
    };
    schemas.iter().filter_map(item).flat_map(|schema| alternatives(root, schema)).collect()
}

/// Returns a schema and those that it refers to or combines, for the same value.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn undeclared_keys_are_found_at_every_depth() {
        let schema = json!({
            "properties": {
                "list": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/Item"}, {"type": "null"}]}},
                "map": {"additionalProperties": {"properties": {"inner": {}}}},
                "free": {"type": "object"},
                "full": {"properties": {"a": {}}},
            },
            "$defs": {"Item": {"properties": {"name": {}}}}
        });
        let value = json!({
            "list": [{"name": 1}, null, {"nom": 1}],
            "map": {"x": {"outer": 1}, "y": {"inner": 1}},
            "free": {"x": 1},
            "full": {"a": 1, "b": 2},
        });
        let found: Vec<_> = find(&schema, &value).into_iter().map(|found| (found.members[0].0, found.names)).collect();
        assert_eq!(found, [("nom", vec!["name"]), ("outer", vec!["inner"])]);
    }
}
