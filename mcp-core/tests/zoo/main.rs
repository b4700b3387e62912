//! A zoo of parameter types: the schema that clients see of each, and what goes in and what does not.
//!
//! The schemas are kept in `schemas.json`; `UPDATE_ZOO=1 cargo test -p mcp-core --test zoo` writes them anew.

mod animal;
mod attributes;
mod collections;
mod enums;
mod explanations;
mod foreign;
mod lint;
mod outputs;
mod scalars;
mod structs;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::animal::Animal;

fn zoo() -> Vec<Animal> {
    let houses = [scalars::all(), collections::all(), structs::all(), enums::all(), attributes::all(), foreign::all()];
    houses.into_iter().flatten().collect()
}

#[test]
fn every_type_takes_and_refuses_what_its_schema_says() {
    let problems: Vec<String> = zoo().iter().flat_map(Animal::problems).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_schema_is_portable() {
    let problems: Vec<String> = zoo()
        .iter()
        .flat_map(|animal| lint::problems(&animal.schema).into_iter().map(|problem| format!("{}: {problem}", animal.name)))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn schemas_are_the_same_bytes_each_time() {
    for (first, second) in zoo().iter().zip(zoo()) {
        assert_eq!(first.schema.to_string(), second.schema.to_string(), "{}", first.name);
    }
}

#[test]
fn schemas_are_those_on_record() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/zoo/schemas.json");
    let zoo = zoo();
    assert!(zoo.len() >= 60, "only {} types", zoo.len());
    let schemas: BTreeMap<&str, &Value> = zoo.iter().map(|animal| (animal.name, &animal.schema)).collect();
    assert_eq!(schemas.len(), zoo.len(), "two types share a name");
    if std::env::var_os("UPDATE_ZOO").is_some() {
        // Through a map that sorts, so that the file does not depend on how serde_json was built.
        std::fs::write(&file, serde_json::to_string_pretty(&schemas).unwrap() + "\n").unwrap();
    }
    let recorded: BTreeMap<String, Value> = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    for (name, schema) in &schemas {
        assert_eq!(Some(*schema), recorded.get(*name), "{name}");
    }
    assert_eq!(recorded.len(), schemas.len(), "a type on record is gone");
}
