//! Tests that decoding by type and decoding by schema agree for random arguments.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use super::{InputSchema, decode};
use crate::jsonrpc::RawJson;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Scalars {
    a: i8,
    b: Option<u64>,
    c: f64,
    #[serde(default)]
    d: bool,
    e: Option<char>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Lists {
    a: Vec<u8>,
    b: Option<Vec<Option<String>>>,
    c: Option<BTreeMap<String, i32>>,
    d: Option<Vec<Vec<bool>>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Aliased {
    #[serde(alias = "c", alias = "d")]
    a: u8,
    #[serde(alias = "e")]
    b: Option<String>,
}

/// Values similar to those that the types above accept.
fn values() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        select(vec![-129_i64, -128, -1, 0, 1, 127, 128, 255, 256, i64::MIN, i64::MAX]).prop_map(Value::from),
        Just(json!(u64::MAX)),
        select(vec![0.0, 1.0, -0.0, 1.5, 255.0, 1e19, 1e20, 1e300]).prop_map(Value::from),
        select(vec!["", "x", "xy", "1", "\u{1F980}", "null"]).prop_map(Value::from),
    ];
    scalar.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(select(vec!["a", "b", "k"]), inner, 0..3).prop_map(|members| Value::Object(
                members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            )),
        ]
    })
}

/// Arguments that one of the types accepts, with a few members changed, added or removed; or any other value.
fn arguments() -> impl Strategy<Value = Value> {
    let taken = select(vec![
        json!({"a": 1, "b": 2, "c": 0.5, "d": true, "e": "x"}),
        json!({"a": [1, 2], "b": ["x", null], "c": {"k": 1}, "d": [[true], []]}),
        json!({"a": 1, "b": "x"}),
        json!({"d": 1, "e": "x"}),
        json!({}),
    ]);
    let changes =
        prop::collection::vec((select(vec!["a", "b", "c", "d", "e", "z"]), prop::option::weighted(0.8, values())), 0..3);
    let changed = (taken, changes).prop_map(|(mut arguments, changes)| {
        for (key, value) in changes {
            match value {
                Some(value) => arguments[key] = value,
                None => drop(arguments.as_object_mut().and_then(|members| members.remove(key))),
            }
        }
        arguments
    });
    prop_oneof![9 => changed, 1 => values()]
}

/// Decodes by type and by schema, and compares the errors.
///
/// Only for objects: other arguments are rejected before they are decoded. Serde would decode a struct from an array too.
fn agree<T: DeserializeOwned + 'static>(schema: &InputSchema, arguments: &Value) -> Result<(), TestCaseError> {
    prop_assert!(schema.is_enforced_by::<T>());
    if !arguments.is_object() {
        return Ok(());
    }
    let raw = to_raw_value(arguments).unwrap();
    let fast = decode::by_type::<T>(&schema.accepted, RawJson::from(&*raw));
    let slow = decode::by_schema::<T>(&schema.accepted, RawJson::from(&*raw));
    prop_assert_eq!(fast.err(), slow.err());
    Ok(())
}

/// Checks that the schema allows what the type accepts, except for aliases.
fn allowed<T: DeserializeOwned>(schema: &InputSchema, arguments: &Value) -> Result<(), TestCaseError> {
    if arguments.is_object() && T::deserialize(arguments).is_ok() {
        prop_assert_eq!(schema.accepted.check(arguments), Ok(()));
    }
    Ok(())
}

fn for_any_arguments(test: impl Fn(Value) -> Result<(), TestCaseError>) {
    let config = ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config).run(&arguments(), test).unwrap();
}

#[test]
fn decoding_by_type_and_by_schema_agree() {
    let (scalars, lists) = (InputSchema::of::<Scalars>(), InputSchema::of::<Lists>());
    let aliased = InputSchema::of::<Aliased>();
    for_any_arguments(|arguments| {
        agree::<Scalars>(&scalars, &arguments)?;
        agree::<Lists>(&lists, &arguments)?;
        agree::<Aliased>(&aliased, &arguments)?;
        allowed::<Scalars>(&scalars, &arguments)?;
        allowed::<Lists>(&lists, &arguments)
    });
}

#[test]
fn any_arguments_yield_a_value_or_an_explanation_of_bounded_size() {
    let schema = InputSchema::from_json(json!({
        "type": "object",
        "properties": {
            "a": {"oneOf": [{"type": "integer"}, {"type": "object", "properties": {"k": {"const": 1}}, "required": ["k"]}]},
            "b": {"type": "array", "items": {"type": "string", "pattern": "^x"}, "uniqueItems": true, "maxItems": 1},
            "c": {"enum": ["x", 1, null]},
            "d": {"not": {"type": "boolean"}},
        },
        "required": ["a", "e"],
        "additionalProperties": false,
        "minProperties": 2,
    }));
    for_any_arguments(|arguments| {
        if let Err(explanation) =
            decode::by_schema::<Value>(&schema.accepted, RawJson::from(&*to_raw_value(&arguments).unwrap()))
        {
            prop_assert!(explanation.starts_with("invalid arguments:\n- "), "{}", explanation);
            prop_assert!(explanation.len() < 5000, "{}", explanation);
        }
        Ok(())
    });
}
