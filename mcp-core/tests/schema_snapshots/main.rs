//! Snapshots of the schemas of many parameter types, with arguments that must be accepted and rejected.
//!
//! The schemas are stored in `schemas.json`. To update them, run `UPDATE_SCHEMA_SNAPSHOTS=1 cargo test -p mcp-core --test schema_snapshots`.

mod check_samples;
mod explanations;
mod lint;
mod outputs;
mod sample_types;
mod session;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::sample_types::SampleType;

fn schemas(types: &[SampleType]) -> impl Iterator<Item = (&'static str, Value)> {
    types.iter().map(|sample| (sample.name, check_samples::schema(sample)))
}

#[test]
fn every_type_accepts_and_rejects_what_its_schema_allows_and_forbids() {
    let problems: Vec<String> = sample_types::all().iter().flat_map(check_samples::problems).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_schema_is_accepted_by_all_known_clients() {
    let problems: Vec<String> = schemas(&sample_types::all())
        .flat_map(|(name, schema)| lint::problems(&schema).into_iter().map(move |problem| format!("{name}: {problem}")))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn schemas_are_the_same_bytes_each_time() {
    for ((name, first), (_, second)) in schemas(&sample_types::all()).zip(schemas(&sample_types::all())) {
        assert_eq!(first.to_string(), second.to_string(), "{name}");
    }
}

#[test]
fn properties_are_in_declaration_order() {
    let (_, schema) = schemas(&sample_types::all()).find(|(name, _)| *name == "arguments of a tool").unwrap();
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["query", "limit", "tags"]);
}

#[test]
fn schemas_match_the_snapshots() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schema_snapshots/schemas.json");
    let types = sample_types::all();
    assert!(types.len() >= 60, "only {} types", types.len());
    let schemas: BTreeMap<&str, Value> = schemas(&types).collect();
    assert_eq!(schemas.len(), types.len(), "two types share a name");
    if std::env::var_os("UPDATE_SCHEMA_SNAPSHOTS").is_some() {
        // Sorted, so that the file does not depend on the feature `preserve_order` of serde_json.
        std::fs::write(&file, serde_json::to_string_pretty(&schemas).unwrap() + "\n").unwrap();
    }
    let recorded: BTreeMap<String, Value> = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    for (name, schema) in &schemas {
        assert_eq!(Some(schema), recorded.get(*name), "{name}");
    }
    assert_eq!(recorded.len(), schemas.len(), "a type on record is gone");
}
