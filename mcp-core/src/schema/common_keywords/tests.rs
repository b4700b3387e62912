//! Comparison with jsonschema.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Returns whether the value is allowed, `None` if the schema has other keywords.
fn allows(schema: &Value, value: &Value) -> Option<bool> {
    Some(CommonKeywords::of(schema)?.allows(value))
}

fn values() -> Vec<Value> {
    let mut values = vec![json!(null), json!(true), json!("doc"), json!("né"), json!(""), json!([]), json!([1, 2, "a"])];
    values.extend([json!(0), json!(-1), json!(3), json!(2.5), json!(3.0), json!(u64::MAX), json!(i64::MIN), json!(1e300)]);
    values.extend([json!({}), json!({"a": 1}), json!({"a": "x", "b": {"kind": "doc"}}), json!({"b": {"kind": 1}, "c": []})]);
    values
}

#[test]
fn it_agrees_with_jsonschema_except_for_values_that_are_left_to_jsonschema() {
    let kind = json!({"type": "object", "properties": {"kind": {"enum": ["doc", "code"]}}, "required": ["kind"]});
    let schemas = [
        json!({}),
        json!(true),
        json!(false),
        json!({"type": "integer", "minimum": 0, "maximum": 3}),
        json!({"type": ["number", "null"], "minimum": -0.5, "description": "d", "default": 1, "format": "double"}),
        json!({"type": "number", "maximum": 9_007_199_254_740_992_u64}),
        json!({"type": "string", "minLength": 1, "maxLength": 2}),
        json!({"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2}),
        json!({"items": {"type": ["integer", "string"]}, "examples": [1]}),
        json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": kind}, "additionalProperties": false}),
        json!({"properties": {"b": kind}, "required": ["b"], "additionalProperties": {"type": "array"}}),
        json!({"anyOf": [kind, {"type": "null"}, {"enum": [3, true]}], "title": "t", "deprecated": true}),
        json!({"enum": []}),
    ];
    for (schema, value) in schemas.iter().flat_map(|schema| values().into_iter().map(move |value| (schema, value))) {
        let plainly = allows(schema, &value).unwrap_or_else(|| panic!("{schema} is plain"));
        let expected = jsonschema::validator_for(schema).unwrap().is_valid(&value);
        let is_left = value == json!(3.0) || value == json!(u64::MAX) || value == json!(i64::MIN);
        assert!(plainly == expected || (is_left && !plainly), "{value} against {schema}");
    }
}

#[test]
fn invalid_schemas_and_other_keywords_are_left_to_jsonschema() {
    for schema in [
        json!(1),
        json!({"type": "text"}),
        json!({"type": []}),
        json!({"type": ["string", "string"]}),
        json!({"enum": "a"}),
        json!({"minimum": "0"}),
        json!({"maximum": u64::MAX}),
        json!({"minLength": -1}),
        json!({"maxItems": 1.5}),
        json!({"items": [{}]}),
        json!({"properties": {"a": 1}}),
        json!({"required": ["a", "a"]}),
        json!({"required": [1]}),
        json!({"additionalProperties": null}),
        json!({"anyOf": []}),
        json!({"title": 1}),
        json!({"deprecated": "yes"}),
        json!({"examples": {}}),
        json!({"pattern": "a"}),
        json!({"$ref": "#/$defs/a"}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema"}),
        json!({"properties": {"a": {"items": {"not": {}}}}}),
    ] {
        assert!(CommonKeywords::of(&schema).is_none(), "{schema}");
    }
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(values()),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-4_i32..5).prop_map(|number| json!(f64::from(number) / 2.0)),
        "[aé]{0,3}".prop_map(Value::from),
    ]
}

fn tree(leaf: impl Strategy<Value = Value> + 'static) -> impl Strategy<Value = Value> {
    leaf.prop_recursive(2, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[ab]", inner, 0..3).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Schemas of the supported keywords, some of them invalid.
fn schema() -> impl Strategy<Value = Value> {
    let names = ["null", "boolean", "integer", "number", "string", "array", "object"];
    let one = prop::sample::select(names.to_vec());
    let rule = prop_oneof![
        one.clone().prop_map(|name| ("type", json!(name))),
        prop::collection::vec(one, 0..3).prop_map(|names| ("type", json!(names))),
        prop::collection::vec(leaf(), 0..3).prop_map(|values| ("enum", json!(values))),
        leaf().prop_map(|least| ("minimum", least)),
        leaf().prop_map(|most| ("maximum", most)),
        (0..3).prop_map(|least| ("minLength", json!(least))),
        (0..3).prop_map(|most| ("maxLength", json!(most))),
        (0..3).prop_map(|least| ("minItems", json!(least))),
        (0..3).prop_map(|most| ("maxItems", json!(most))),
        prop::collection::vec("[ab]", 0..3).prop_map(|names| ("required", json!(names))),
        any::<bool>().prop_map(|others| ("additionalProperties", json!(others))),
    ];
    let flat = prop::collection::vec(rule, 0..3)
        .prop_map(|rules| Value::Object(rules.into_iter().map(|(keyword, value)| (keyword.to_owned(), value)).collect()));
    flat.prop_recursive(2, 8, 2, |inner| {
        let nested = prop_oneof![
            inner.clone().prop_map(|items| json!({"items": items})),
            prop::collection::btree_map("[ab]", inner.clone(), 0..3).prop_map(|named| json!({"properties": named})),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|branches| json!({"anyOf": branches})),
            inner.clone().prop_map(|others| json!({"additionalProperties": others})),
        ];
        (nested, inner).prop_map(|(mut schema, beside)| {
            for (keyword, value) in beside.as_object().into_iter().flatten() {
                schema[keyword] = value.clone();
            }
            schema
        })
    })
}

proptest! {
    #[test]
    fn nothing_is_allowed_that_jsonschema_rejects(schema in schema(), values in prop::collection::vec(tree(leaf()), 8)) {
        if let Some(plain) = CommonKeywords::of(&schema) {
            let validator = jsonschema::validator_for(&schema);
            let validator = validator.unwrap_or_else(|error| panic!("{schema} is taken for a schema: {error}"));
            for value in values {
                prop_assert!(!plain.allows(&value) || validator.is_valid(&value), "{} against {}", value, schema);
            }
        }
    }
}
