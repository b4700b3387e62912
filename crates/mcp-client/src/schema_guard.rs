//! Rejects schemas whose validation would take too long.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::schema_references::References;

/// The maximum number of steps for one value and the values that contain it.
const MOST_VISITS: u64 = 100_000;

/// The maximum number of steps for a whole output.
const MOST_STEPS: u64 = 200_000_000;

/// The maximum depth of a value: that of the JSON parser.
const DEPTH: usize = 128;

/// The maximum number of nested subschemas and references.
const MOST_NESTED: usize = 400;

/// The maximum number of subschemas that are counted, once for each depth of a value.
const MOST_COUNTED: usize = 200_000;

/// The limit on the work of validating one value. Returned by [`check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Steps(u64);

impl Steps {
    /// Checks that the validation of this output ends soon.
    ///
    /// # Errors
    /// The reason why the output is not validated.
    pub(crate) fn allow(self, output: &str) -> Result<(), String> {
        // An upper bound for the number of values.
        let values = 1 + output.bytes().filter(|byte| b",[{".contains(byte)).count();
        match self.0.saturating_mul(u64::try_from(values).unwrap_or(u64::MAX)) {
            0..=MOST_STEPS => Ok(()),
            _ => Err("the output is too large for its schema".to_owned()),
        }
    }
}

/// Checks that validation with a schema ends after a limited number of steps.
///
/// It does not end for a schema that refers to itself without going deeper into the value. It takes exponential time for a
/// schema whose references double at each level.
///
/// # Errors
/// The reason why the schema is rejected.
pub(crate) fn check(schema: &Value) -> Result<Steps, String> {
    let mut guard = Guard { references: References::of(schema), costs: HashMap::new(), nested: 0 };
    let cost = guard.cost(schema, DEPTH)?;
    if cost.steps < MOST_VISITS {
        Ok(Steps(cost.steps))
    } else {
        Err("the output schema has references that multiply without bound".to_owned())
    }
}

/// What a subschema costs at most.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    /// The steps for one value and, of the values in it, those along the most expensive path.
    steps: u64,
    /// How many subschemas are nested that apply to the same value.
    height: u64,
}

impl Cost {
    fn plus(self, other: Cost) -> Cost {
        Cost { steps: self.steps.saturating_add(other.steps), height: self.height.max(other.height) }
    }

    fn or(self, other: Cost) -> Cost {
        Cost { steps: self.steps.max(other.steps), height: self.height.max(other.height) }
    }
}

struct Guard<'a> {
    references: References<'a>,
    /// The computed costs, by the address of the schema and the depth. `None` while a cost is being computed.
    costs: HashMap<(*const Value, usize), Option<Cost>>,
    nested: usize,
}

impl<'a> Guard<'a> {
    /// Returns the cost for a value of this depth.
    fn cost(&mut self, schema: &'a Value, depth: usize) -> Result<Cost, String> {
        let Some(object) = schema.as_object() else { return Ok(Cost { steps: 1, height: 0 }) };
        let place = (std::ptr::from_ref(schema), depth);
        match self.costs.get(&place) {
            Some(Some(cost)) => return Ok(*cost),
            Some(None) => return Err("the output schema refers to itself without end".to_owned()),
            None => {}
        }
        if self.nested == MOST_NESTED {
            return Err(format!("the output schema has more than {MOST_NESTED} nested subschemas and references"));
        }
        if self.costs.len() == MOST_COUNTED {
            return Err("the output schema is too large".to_owned());
        }
        self.costs.insert(place, None);
        self.nested += 1;
        let same = self.same_value(object, depth)?;
        let inner = if depth == 0 { Cost::default() } else { self.inner_values(object, depth - 1)? };
        self.nested -= 1;
        // These keywords evaluate the subschemas for the same value again, and those that are nested in them.
        let again = ["unevaluatedProperties", "unevaluatedItems"].iter().any(|keyword| object.contains_key(*keyword));
        let times = if again { 2 + same.height } else { 1 };
        let steps = same.steps.saturating_mul(times).saturating_add(inner.steps).saturating_add(1);
        let cost = Cost { steps, height: same.height + 1 };
        self.costs.insert(place, Some(cost));
        Ok(cost)
    }

    /// Returns the cost of the keywords that apply to the value itself.
    fn same_value(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Result<Cost, String> {
        let mut cost = Cost::default();
        for (keyword, value) in schema {
            cost = cost.plus(match keyword.as_str() {
                "$ref" | "$dynamicRef" | "$recursiveRef" => {
                    let targets = self.references.targets(value)?;
                    self.fold(targets.into_iter(), depth, Cost::or)?
                }
                "allOf" | "anyOf" | "oneOf" => self.fold(value.as_array().into_iter().flatten(), depth, Cost::plus)?,
                "not" | "if" | "then" | "else" => self.cost(value, depth)?,
                "dependentSchemas" | "dependencies" => self.fold(members(value), depth, Cost::plus)?,
                "enum" | "required" | "properties" | "dependentRequired" => Cost { steps: length(value), height: 0 },
                _ => Cost::default(),
            });
        }
        Ok(cost)
    }

    /// Returns the cost of the keywords that apply to the values in the value, for the most expensive one of them.
    fn inner_values(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Result<Cost, String> {
        let mut cost = Cost::default();
        for (keyword, value) in schema {
            cost = cost.plus(match keyword.as_str() {
                // Each member applies to another value.
                "properties" => self.fold(members(value), depth, Cost::or)?,
                "items" | "prefixItems" if value.is_array() => {
                    self.fold(value.as_array().into_iter().flatten(), depth, Cost::or)?
                }
                "patternProperties" => self.fold(members(value), depth, Cost::plus)?,
                "items"
                | "additionalItems"
                | "unevaluatedItems"
                | "contains"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "propertyNames" => self.cost(value, depth)?,
                _ => Cost::default(),
            });
        }
        Ok(cost)
    }

    fn fold(
        &mut self,
        mut schemas: impl Iterator<Item = &'a Value>,
        depth: usize,
        combine: fn(Cost, Cost) -> Cost,
    ) -> Result<Cost, String> {
        schemas.try_fold(Cost::default(), |cost, schema| Ok(combine(cost, self.cost(schema, depth)?)))
    }
}

fn members(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_object().into_iter().flat_map(Map::values)
}

fn length(value: &Value) -> u64 {
    let length = value.as_array().map_or_else(|| value.as_object().map_or(0, Map::len), Vec::len);
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns a chain of definitions, each of which refers to the next one twice.
    fn doubling(levels: usize, keyword: &str) -> Value {
        let mut definitions = json!({format!("a{levels}"): {"type": "string"}});
        for level in 0..levels {
            let next = format!("#/$defs/a{}", level + 1);
            definitions[format!("a{level}")] = json!({keyword: [{"$ref": next}, {"$ref": next}]});
        }
        definitions
    }

    #[test]
    fn ordinary_and_recursive_schemas_are_accepted() {
        let one = json!({"additionalProperties": {"$ref": "#/$defs/b"}, "type": "object"});
        for schema in [
            json!(true),
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"items": {"type": "integer"}}}}),
            json!({"$ref": "#/$defs/node", "$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}}}}}),
            json!({"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}, "value": {}}}),
            json!({"anyOf": [{"type": "integer"}, {"prefixItems": [{"type": "string"}, {"$ref": "#"}, {"$ref": "#"}]}]}),
            json!({"properties": {"$ref": {"type": "string"}, "not": {"type": "string"}}}),
            json!({"properties": {"a": {"$ref": "#/$defs/a%20b%25"}}, "$defs": {"a b%": {"type": "string"}}}),
            json!({"$id": "Node", "properties": {"children": {"items": {"$ref": "Node"}}}}),
            json!({"properties": {"tree": {"$id": "T0", "properties": {"children": {"items": {"$ref": "T0"}}}}}}),
            json!({"$dynamicAnchor": "node", "properties": {"next": {"$dynamicRef": "#node"}}, "unevaluatedProperties": false}),
            json!({"$defs": {"a": one, "b": one}, "$ref": "#/$defs/a"}),
        ] {
            assert!(check(&schema).is_ok(), "{schema}: {:?}", check(&schema));
        }
    }

    #[test]
    fn schemas_that_never_end_are_rejected() {
        for schema in [
            json!({"$ref": "#"}),
            json!({"allOf": [{"$ref": "#"}]}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}}),
            json!({"$anchor": "me", "$ref": "#me"}),
            json!({"$id": "https://example.com/a", "$ref": "https://example.com/a"}),
            json!({"dependentSchemas": {"a": {"$ref": "#"}}}),
            json!({"dependencies": {"a": {"$ref": "#"}}}),
            json!({"if": {"$ref": "#"}}),
        ] {
            assert!(check(&schema).is_err_and(|error| error.contains("without end")), "{schema}");
        }
    }

    #[test]
    fn schemas_that_double_are_rejected_wherever_the_definitions_are() {
        let twice = json!({"properties": {"a": {"$ref": "#"}}});
        let a0 = json!({"$ref": "#/$defs/a0"});
        let inner = json!({"$id": "l", "$ref": "#/$defs/a0", "$defs": doubling(40, "allOf")});
        // The first levels of the value do not double.
        let mut deep = json!({"$defs": doubling(40, "allOf")});
        for level in 0..80 {
            deep["$defs"][format!("s{level}")] = json!({"properties": {"a": {"$ref": format!("#/$defs/s{}", level + 1)}}});
        }
        (deep["$defs"]["s80"], deep["$ref"]) = (a0.clone(), json!("#/$defs/s0"));
        for schema in [
            json!({"$ref": "#/$defs/a0", "$defs": doubling(40, "anyOf")}),
            json!({"allOf": [twice, twice]}),
            json!({"$ref": "#/$defs/l", "$defs": {"a0": {"type": "string"}, "l": inner}}),
            json!({"properties": {"a": {"$ref": "#/$defs/%61%30"}}, "$defs": doubling(40, "oneOf")}),
            json!({"patternProperties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}}),
            deep,
        ] {
            let rejected = check(&schema);
            assert!(rejected.as_ref().is_err_and(|error| error.contains("multiply")), "{schema}: {rejected:?}");
        }
    }

    #[test]
    fn keywords_that_evaluate_again_count_for_each_nested_subschema() {
        let mut schema = json!({"type": "string"});
        for level in 0..60 {
            schema = if level % 10 == 0 {
                json!({"allOf": [schema], "unevaluatedProperties": false})
            } else {
                json!({"anyOf": [schema]})
            };
        }
        assert!(check(&schema).is_err(), "{:?}", check(&schema));
    }

    #[test]
    fn large_schemas_are_counted_in_bounded_work_and_memory() {
        let many: Map<String, Value> =
            (0..50_000).map(|number| (number.to_string(), json!({"items": {"$ref": "#"}}))).collect();
        assert!(check(&json!({"properties": {"r": {"properties": many}}})).is_err());
        let mut nested = json!({});
        for _ in 0..500 {
            nested = json!({"not": nested});
        }
        assert!(check(&nested).is_err_and(|error| error.contains("nested")));
    }

    #[test]
    fn a_large_output_is_validated_only_with_a_small_schema() {
        let small = check(&json!({"items": {"type": "integer"}})).unwrap();
        let names: Vec<_> = (0..50_000).map(|number| number.to_string()).collect();
        let large = check(&json!({"items": {"enum": names}})).unwrap();
        let output = format!("[{}1]", "1,".repeat(1_000_000));
        assert_eq!(small.allow(&output), Ok(()));
        assert_eq!(large.allow("[1, 2]"), Ok(()));
        assert!(large.allow(&output).is_err());
    }
}
