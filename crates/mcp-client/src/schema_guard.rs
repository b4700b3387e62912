//! Rejects schemas whose validation would not end.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// The maximum number of subschemas that validation may visit for one value.
const MOST_VISITS: u64 = 100_000;

/// The assumed depth of a value.
const DEPTH: usize = 64;

/// The maximum number of nested subschemas and references.
const MOST_NESTED: usize = 400;

/// Keywords whose schemas apply to the same value.
const IN_PLACE: [&str; 10] =
    ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "$defs", "definitions"];

/// Checks that validation with a schema ends after a limited number of steps.
///
/// It does not end for a schema that refers to itself without going deeper into the value, which overflows the stack. It takes
/// exponential time for a schema whose references double at each level.
///
/// # Errors
/// The reason why the schema is rejected.
pub(crate) fn check(schema: &Value) -> Result<(), String> {
    let mut guard = Guard { root: schema, costs: HashMap::new(), nested: 0 };
    match guard.cost(schema, DEPTH)? {
        MOST_VISITS.. => Err("the output schema has references that multiply without bound".to_owned()),
        _ => Ok(()),
    }
}

struct Guard<'a> {
    root: &'a Value,
    /// The computed costs, by the address of the schema and the depth. `None` while a cost is being computed.
    costs: HashMap<(*const Value, usize), Option<u64>>,
    nested: usize,
}

impl<'a> Guard<'a> {
    /// Returns the maximum number of subschemas that are visited for a value of this depth.
    fn cost(&mut self, schema: &'a Value, depth: usize) -> Result<u64, String> {
        let Some(object) = schema.as_object() else { return Ok(1) };
        let place = (std::ptr::from_ref(schema), depth);
        match self.costs.get(&place) {
            Some(Some(cost)) => return Ok(*cost),
            Some(None) => return Err("the output schema refers to itself without end".to_owned()),
            None => {}
        }
        if self.nested == MOST_NESTED {
            return Err(format!("the output schema has more than {MOST_NESTED} nested subschemas and references"));
        }
        self.costs.insert(place, None);
        self.nested += 1;
        let cost = self.keywords(object, depth);
        self.nested -= 1;
        self.costs.insert(place, Some(*cost.as_ref().unwrap_or(&0)));
        cost
    }

    fn keywords(&mut self, object: &'a Map<String, Value>, depth: usize) -> Result<u64, String> {
        let mut cost: u64 = 1;
        for (keyword, value) in object {
            let visits = match keyword.as_str() {
                "$ref" | "$dynamicRef" | "$recursiveRef" => self.cost(self.target(value), depth)?,
                // Definitions are visited where they are referred to.
                "$defs" | "definitions" | "const" | "enum" | "default" | "examples" => 0,
                keyword if IN_PLACE.contains(&keyword) => self.sum(value, depth)?,
                _ if depth == 0 => 0,
                _ => self.sum(value, depth - 1)?,
            };
            cost = cost.saturating_add(visits);
            if cost >= MOST_VISITS {
                break;
            }
        }
        Ok(cost)
    }

    /// Returns the cost of a schema, an array of schemas or an object of schemas.
    fn sum(&mut self, value: &'a Value, depth: usize) -> Result<u64, String> {
        let schemas: Vec<&Value> = match value {
            Value::Array(schemas) => schemas.iter().collect(),
            // An object is counted both as a schema and as a map of schemas; the higher cost is used.
            Value::Object(_) => return self.members(value, depth),
            _ => return Ok(0),
        };
        schemas.into_iter().try_fold(0_u64, |sum, schema| Ok(sum.saturating_add(self.cost(schema, depth)?)))
    }

    /// Returns the higher cost of an object: as a schema, or as a map of schemas.
    fn members(&mut self, value: &'a Value, depth: usize) -> Result<u64, String> {
        let as_schema = self.cost(value, depth)?;
        let members = value.as_object().into_iter().flat_map(|object| object.values()).filter(|member| member.is_object());
        let as_map = members
            .collect::<Vec<_>>()
            .into_iter()
            .try_fold(0_u64, |sum, schema| Ok::<u64, String>(sum.saturating_add(self.cost(schema, depth)?)))?;
        Ok(as_schema.max(as_map))
    }

    /// Resolves a reference. Anything that is not a JSON pointer is treated as the root.
    fn target(&self, reference: &Value) -> &'a Value {
        let pointer = reference.as_str().and_then(|text| text.strip_prefix('#')).unwrap_or_default();
        let decoded = pointer.replace("%25", "%").replace("%24", "$");
        self.root.pointer(&decoded).unwrap_or(self.root)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ordinary_and_recursive_schemas_are_accepted() {
        for schema in [
            json!(true),
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"items": {"type": "integer"}}}}),
            json!({"$ref": "#/$defs/node", "$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}}}}}),
            json!({"properties": {"left": {"$ref": "#"}, "value": {}}}),
            json!({"properties": {"$ref": {"type": "string"}, "not": {"type": "string"}}}),
        ] {
            assert_eq!(check(&schema), Ok(()), "{schema}");
        }
    }

    #[test]
    fn schemas_that_never_end_are_rejected() {
        let mut laughs = json!({"$ref": "#/$defs/a0", "$defs": {"a40": {"type": "string"}}});
        for level in 0..40 {
            let next = format!("#/$defs/a{}", level + 1);
            laughs["$defs"][format!("a{level}")] = json!({"allOf": [{"$ref": next}, {"$ref": next}]});
        }
        let twice = json!({"properties": {"a": {"$ref": "#"}}});
        for schema in [
            json!({"$ref": "#"}),
            json!({"allOf": [{"$ref": "#"}]}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}}),
            json!({"$anchor": "me", "$ref": "#me"}),
            json!({"$id": "https://example.com/a", "$ref": "https://example.com/a"}),
            laughs,
            json!({"allOf": [twice, twice]}),
        ] {
            assert!(check(&schema).is_err(), "{schema}");
        }
    }
}
