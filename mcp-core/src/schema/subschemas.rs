//! Traversal of the subschemas of a JSON Schema.

use serde_json::{Map, Value};

/// Keywords whose value is an object of schemas.
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// Keywords whose value is a list of schemas.
const LISTED: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/// Keywords whose value is a schema.
const SINGLE: [&str; 8] = ["items", "contains", "not", "if", "then", "else", "propertyNames", "contentSchema"];
/// Keywords whose value is a schema and for which all clients support a boolean.
const SINGLE_OR_BOOLEAN: [&str; 3] = ["additionalProperties", "unevaluatedProperties", "unevaluatedItems"];

/// Keywords that describe a value without constraining it.
const ANNOTATIONS: [&str; 10] =
    ["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "format", "$comment", "$schema"];

/// Returns whether the keyword describes a value without constraining it.
pub(super) fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword)
}

/// A schema directly inside another one.
pub(super) struct Subschema<'a> {
    pub(super) schema: &'a mut Value,
    /// Whether all clients support a boolean here.
    pub(super) may_be_boolean: bool,
}

/// How the value of a keyword contains schemas.
#[derive(Clone, Copy)]
enum Holds {
    Named,
    Listed,
    One { may_be_boolean: bool },
}

impl Holds {
    fn of(keyword: &str) -> Option<Holds> {
        match keyword {
            "type" | "description" | "required" => None,
            _ if NAMED.contains(&keyword) => Some(Holds::Named),
            _ if LISTED.contains(&keyword) => Some(Holds::Listed),
            _ if SINGLE.contains(&keyword) => Some(Holds::One { may_be_boolean: false }),
            _ if SINGLE_OR_BOOLEAN.contains(&keyword) => Some(Holds::One { may_be_boolean: true }),
            _ => None,
        }
    }
}

/// Visits each schema directly inside this one.
pub(super) fn visit(schema: &mut Map<String, Value>, visitor: &mut dyn FnMut(Subschema<'_>)) {
    for (keyword, value) in schema {
        match (Holds::of(keyword), value) {
            (Some(Holds::Named), Value::Object(named)) => {
                named.values_mut().for_each(|schema| visitor(Subschema { schema, may_be_boolean: false }));
            }
            (Some(Holds::Listed), Value::Array(listed)) => {
                listed.iter_mut().for_each(|schema| visitor(Subschema { schema, may_be_boolean: false }));
            }
            (Some(Holds::One { may_be_boolean }), schema) => visitor(Subschema { schema, may_be_boolean }),
            _ => {}
        }
    }
}

/// Visits this schema and all schemas in it, innermost first, without changing them.
pub(super) fn look<'a>(schema: &'a Value, looker: &mut dyn FnMut(&'a Map<String, Value>)) {
    let Value::Object(schema) = schema else {
        return;
    };
    for (keyword, value) in schema {
        match (Holds::of(keyword), value) {
            (Some(Holds::Named), Value::Object(named)) => named.values().for_each(|schema| look(schema, looker)),
            (Some(Holds::Listed), Value::Array(listed)) => listed.iter().for_each(|schema| look(schema, looker)),
            (Some(Holds::One { .. }), schema) => look(schema, looker),
            _ => {}
        }
    }
    looker(schema);
}

/// Visits this schema and all schemas in it, innermost first.
pub(super) fn visit_all(schema: &mut Value, visitor: &mut dyn FnMut(Subschema<'_>)) {
    descend(Subschema { schema, may_be_boolean: false }, visitor);
}

fn descend(sub: Subschema<'_>, visitor: &mut dyn FnMut(Subschema<'_>)) {
    if let Value::Object(schema) = &mut *sub.schema {
        visit(schema, &mut |inner| descend(inner, visitor));
    }
    visitor(sub);
}

/// Adds the annotations beside a reference to the schema that it refers to. `None` if there are other keywords beside it.
///
/// If both have a description, that of the place comes before that of the type.
pub(super) fn annotated(mut schema: Value, beside: &Map<String, Value>) -> Option<Value> {
    let target = schema.as_object_mut()?;
    if !beside.keys().all(|keyword| is_annotation(keyword)) {
        return None;
    }
    for (keyword, value) in beside {
        let both = match (keyword.as_str(), value.as_str(), target.get(keyword).and_then(Value::as_str)) {
            ("description", Some(place), Some(kind)) if !place.contains(kind) => Some(format!("{place}\n\n{kind}")),
            _ => None,
        };
        target.insert(keyword.clone(), both.map_or_else(|| value.clone(), Value::String));
    }
    Some(schema)
}
