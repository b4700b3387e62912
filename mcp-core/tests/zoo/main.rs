//! A zoo of parameter types: the schema that clients see of each, and what goes in and what does not.
//!
//! The schemas are kept in `schemas.json`; `UPDATE_ZOO=1 cargo test -p mcp-core --test zoo` writes them anew.

mod animals;
mod explanations;
mod judge;
mod lint;
mod outputs;
mod session;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::animals::Animal;

fn schemas(zoo: &[Animal]) -> impl Iterator<Item = (&'static str, Value)> {
    zoo.iter().map(|animal| (animal.name, judge::schema(animal)))
}

#[test]
fn every_type_takes_and_refuses_what_its_schema_says() {
    let problems: Vec<String> = animals::all().iter().flat_map(judge::problems).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_schema_is_portable() {
    let problems: Vec<String> = schemas(&animals::all())
        .flat_map(|(name, schema)| lint::problems(&schema).into_iter().map(move |problem| format!("{name}: {problem}")))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn schemas_are_the_same_bytes_each_time() {
    for ((name, first), (_, second)) in schemas(&animals::all()).zip(schemas(&animals::all())) {
        assert_eq!(first.to_string(), second.to_string(), "{name}");
    }
}

#[test]
fn properties_stand_in_order_of_declaration_where_serde_json_keeps_order() {
    let keeps_order = serde_json::json!({"b": 1, "a": 2}).to_string().starts_with("{\"b\"");
    let (_, schema) = schemas(&animals::all()).find(|(name, _)| *name == "arguments of a tool").unwrap();
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, if keeps_order { ["query", "limit", "tags"] } else { ["limit", "query", "tags"] });
}

#[test]
fn schemas_are_those_on_record() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/zoo/schemas.json");
    let zoo = animals::all();
    assert!(zoo.len() >= 60, "only {} types", zoo.len());
    let schemas: BTreeMap<&str, Value> = schemas(&zoo).collect();
    assert_eq!(schemas.len(), zoo.len(), "two types share a name");
    if std::env::var_os("UPDATE_ZOO").is_some() {
        // Through a map that sorts, so that the file does not depend on how serde_json was built.
        std::fs::write(&file, serde_json::to_string_pretty(&schemas).unwrap() + "\n").unwrap();
    }
    let recorded: BTreeMap<String, Value> = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    for (name, schema) in &schemas {
        assert_eq!(Some(schema), recorded.get(*name), "{name}");
    }
    assert_eq!(recorded.len(), schemas.len(), "a type on record is gone");
}
