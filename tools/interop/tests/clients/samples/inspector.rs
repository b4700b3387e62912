//! The Inspector checks every schema of the sample tools.

use interop::Node;
use serde_json::Value;
use test_env::needs;

use crate::{
    inspector::{assert_era, inspect},
    samples::names,
    samples_sandbox,
};

#[test]
fn the_inspector_accepts_every_sample_schema_with_a_handshake() {
    lists_strictly("legacy");
}

#[test]
fn the_inspector_accepts_every_sample_schema_without_a_handshake() {
    lists_strictly("modern");
}

fn lists_strictly(era: &str) {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let sandbox = samples_sandbox(&format!("samples-inspector-{era}"));
    let finished = inspect(&node, &sandbox, era, &["--method", "tools/list", "--strict"]);
    // Exit code 6 means that some model provider rejects a schema; stderr then names the schema and the reason.
    assert_eq!(finished.status.code(), Some(0), "{}", finished.stderr);
    // The only warning is for schemas that accept any value.
    let lines_after =
        |start: &str| finished.stderr.lines().filter_map(|line| line.trim().strip_prefix(start)).collect::<Vec<_>>();
    assert_eq!(lines_after("Warning: tool "), ["\"Value\"", "\"Option_Value\"", "\"Vec_Value\"", "\"give_anything\""]);
    assert!(lines_after("Issue: ").iter().all(|issue| issue.contains("accepts any value")), "{}", finished.stderr);
    let listed: Value = serde_json::from_str(&finished.stdout).expect("the list is JSON");
    let tools = listed["result"]["tools"].as_array().expect("the list has tools");
    let listed: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().expect("a tool has a name")).collect();
    assert_eq!(listed, names());
    assert_era(&sandbox, era);
}
