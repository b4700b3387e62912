//! The features besides tools, used by published clients: resources, prompts, completion, elicitation, sampling, subscriptions, progress.

mod rust_rmcp;

use std::process::Command;

use interop::{Node, Python, Recording, Sandbox, everything};
use serde_json::{Value, json};
use test_env::needs;

use crate::{HANDSHAKE, STATELESS, client_report::ClientReport};

#[test]
fn the_npm_sdk_uses_every_feature_with_a_handshake() {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let sandbox = everything_sandbox("offers-npm-sdk");
    let mut command = node.script("features_sdk.mjs", &sandbox);
    command.args(sandbox.server());
    assert_features(&report(command), "1.32.2", HANDSHAKE);
    assert_requests(&sandbox, HANDSHAKE);
}

#[test]
fn the_npm_client_uses_every_feature_with_and_without_a_handshake() {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    for (mode, revision) in [("legacy", HANDSHAKE), ("auto", STATELESS), (STATELESS, STATELESS)] {
        let sandbox = everything_sandbox(&format!("offers-npm-client-{mode}"));
        let mut command = node.script("features_client.mjs", &sandbox);
        command.arg(mode).args(sandbox.server());
        assert_features(&report(command), "2.4.0", revision);
        assert_requests(&sandbox, revision);
    }
}

#[test]
fn the_python_sdk_uses_every_feature_with_and_without_a_handshake() {
    by_python("features_mcp.py", "2.3.0");
}

#[test]
fn the_fastmcp_client_uses_every_feature_with_and_without_a_handshake() {
    by_python("features_fastmcp.py", "4.1.2");
}

fn by_python(script: &str, version: &str) {
    let Some(python) = needs(Python::clients()) else {
        return;
    };
    for (mode, revision) in [("legacy", HANDSHAKE), ("auto", STATELESS)] {
        let sandbox = everything_sandbox(&format!("{script}-{mode}"));
        let mut command = python.script(script, &sandbox);
        command.arg(mode).args(sandbox.server());
        assert_features(&report(command), version, revision);
        assert_requests(&sandbox, revision);
    }
}

/// A sandbox with the `everything` example.
fn everything_sandbox(name: &str) -> Sandbox {
    Sandbox::new(name, env!("CARGO_BIN_EXE_recorder"), everything())
}

fn report(command: Command) -> Value {
    ClientReport::run(command).into_report()
}

/// Checks that a client used every feature. The scripts in `clients/` define the names of the members.
#[track_caller]
fn assert_features(report: &Value, client: &str, revision: &str) {
    assert_eq!((&report["client"], &report["revision"]), (&json!(client), &json!(revision)));
    assert_eq!(report["resources"], json!(["test://static-text", "test://static-binary", "test://watched-resource"]));
    assert_eq!(report["templates"], json!(["test://template/{id}/data"]));
    assert!(report["read"].as_str().is_some_and(|text| text.contains("Data for ID: 7")), "{}", report["read"]);
    assert!(
        report["prompts"].as_array().is_some_and(|all| all.contains(&json!("test_simple_prompt"))),
        "{}",
        report["prompts"]
    );
    assert_eq!(report["prompt"], "Prompt with arguments: arg1='one', arg2='two'");
    assert_eq!(report["completion"], json!(["paris", "park", "party"]));
    let elicited = report["elicited"].as_str().unwrap_or_default();
    assert!(elicited.contains("action=accept") && elicited.contains("ada@example.com"), "{elicited}");
    assert_eq!(report["sampled"], "LLM response: from the client's model");
    assert_eq!(report["progressed"], "Tool with progress executed successfully");
    let progress: Vec<Vec<f64>> = serde_json::from_value(report["progress"].clone()).expect("pairs of numbers");
    assert_eq!(progress.last(), Some(&vec![100.0, 100.0]), "{progress:?}");
    assert!(progress.is_sorted() && progress.len() >= 2, "{progress:?}");
    let mut changes: Vec<&str> = report["changes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    changes.sort_unstable();
    changes.dedup();
    assert_eq!(changes, ["resource", "tools"], "{report}");
}

/// Checks that the messages of the server are valid in the revision, and that it sent requests only if the revision has them.
#[track_caller]
fn assert_requests(sandbox: &Sandbox, revision: &str) {
    let recording: Recording = sandbox.recordings().pop().expect("the client started the server");
    recording.check();
    let requests = recording.server_requests().count();
    let methods: Vec<&str> = recording.client_methods().collect();
    if revision < STATELESS {
        assert_eq!(requests, 2, "one elicitation and one sampling");
        assert!(methods.contains(&"resources/subscribe") && !methods.contains(&"subscriptions/listen"), "{methods:?}");
    } else {
        assert_eq!(requests, 0, "no request to the client");
        assert!(methods.contains(&"subscriptions/listen") && !methods.contains(&"resources/subscribe"), "{methods:?}");
    }
}
