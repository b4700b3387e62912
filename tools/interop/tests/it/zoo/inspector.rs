//! The Inspector's verdict on every schema.

use interop::{Node, needs};
use serde_json::Value;

use crate::{
    inspector::{assert_era, inspect},
    zoo::names,
    zoo_sandbox,
};

#[test]
fn the_inspector_finds_every_schema_of_the_zoo_portable_in_the_handshake_era() {
    lists_strictly("legacy");
}

#[test]
fn the_inspector_finds_every_schema_of_the_zoo_portable_in_the_stateless_era() {
    lists_strictly("modern");
}

fn lists_strictly(era: &str) {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let sandbox = zoo_sandbox(&format!("zoo-inspector-{era}"));
    let finished = inspect(&node, &sandbox, era, &["--method", "tools/list", "--strict"]);
    // Exit code 6 is a schema that some model provider refuses; then standard error says which and why.
    assert_eq!(finished.status.code(), Some(0), "{}", finished.stderr);
    // It warns about one thing: that who takes anything says so.
    let told = |start: &str| finished.stderr.lines().filter_map(|line| line.trim().strip_prefix(start)).collect::<Vec<_>>();
    assert_eq!(told("Warning: tool "), ["\"Value\"", "\"Option_Value\"", "\"Vec_Value\"", "\"give_anything\""]);
    assert!(told("Issue: ").iter().all(|issue| issue.contains("accepts any value")), "{}", finished.stderr);
    let listed: Value = serde_json::from_str(&finished.stdout).expect("the list is JSON");
    let tools = listed["result"]["tools"].as_array().expect("the list has tools");
    let listed: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().expect("a tool has a name")).collect();
    assert_eq!(listed, names());
    assert_era(&sandbox, era);
}
