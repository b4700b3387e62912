//! `server.json` against the schema that the MCP registry publishes.

use std::process::{Command, Stdio};

use interop::registry_schema;
use mcp_cli::parts::registry::{SCHEMA, faults};
use serde_json::{Value, json};
use test_env::needs;

/// The validator of the schema. `None` if the schema cannot be had here.
pub(crate) fn validator() -> Option<jsonschema::Validator> {
    let schema = needs(registry_schema())?;
    assert_eq!(schema["$id"], SCHEMA, "entries name the schema that they follow");
    Some(jsonschema::options().should_validate_formats(true).build(&schema).unwrap())
}

pub(crate) fn assert_is_valid(entry: &Value) {
    let Some(validator) = validator() else { return };
    let errors: Vec<String> =
        validator.iter_errors(entry).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new(), "{entry:#}");
}

#[test]
fn the_entry_that_a_server_prints_follows_the_schema_of_the_registry() {
    let mut playground = std::env::current_exe().unwrap();
    playground.pop();
    playground.pop();
    let playground = playground.join("examples").join(format!("playground{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(playground);
    command.args(["server-json", "io.github.ada/playground", "--crate", "playground"]).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_is_valid(&serde_json::from_slice(&output.stdout).unwrap());
}

#[test]
fn each_entry_that_the_schema_of_the_registry_rejects_has_a_fault() {
    let Some(validator) = validator() else { return };
    let entry = json!({
        "$schema": SCHEMA,
        "name": "io.github.you/calc",
        "description": "Adds numbers",
        "title": "Calculator",
        "version": "1.2.3",
        "websiteUrl": "https://example.com",
        "packages": [{"registryType": "mcpb", "identifier": "https://example.com/calc.mcpb", "transport": {"type": "stdio"}}],
        "remotes": [{"type": "streamable-http", "url": "https://mcp.example.com/mcp"}],
    });
    assert!(validator.is_valid(&entry) && faults(&entry).is_empty(), "{entry:#}");
    let long = "x".repeat(300);
    for (pointer, value) in [
        ("/name", json!("calc")),
        ("/name", json!("a b/calc")),
        ("/name", json!(format!("io.github.you/{long}"))),
        ("/name", Value::Null),
        ("/description", Value::Null),
        ("/description", json!("")),
        ("/description", json!(&long[..101])),
        ("/title", json!("")),
        ("/title", json!(&long[..101])),
        ("/version", json!(long)),
        ("/websiteUrl", json!("example.com")),
        ("/packages/0/identifier", Value::Null),
        ("/remotes/0/type", json!("stdio")),
        ("/remotes/0/url", json!("mcp.example.com")),
    ] {
        let mut changed = entry.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        assert!(!validator.is_valid(&changed), "the schema accepts {pointer}: {changed:#}");
        assert_eq!(faults(&changed).len(), 1, "{pointer}: {changed:#}");
    }
}
