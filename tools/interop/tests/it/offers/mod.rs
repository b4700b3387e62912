//! All that a server may offer besides tools, used by real clients: resources, prompts, completion, questions, changes, progress.

mod rust_rmcp;

use std::process::Command;

use interop::{Conversation, Node, Python, Sandbox, everything, needs};
use serde_json::{Value, json};

use crate::{HANDSHAKE, STATELESS, visit::Visit};

#[test]
fn the_npm_sdk_has_all_that_is_offered_after_a_handshake() {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let place = place("offers-npm-sdk");
    let mut command = node.script("offers_sdk.mjs", &place);
    command.args(place.server());
    assert_offered(&seen(command), "1.32.2", HANDSHAKE);
    assert_asked(&place, HANDSHAKE);
}

#[test]
fn the_npm_client_has_all_that_is_offered_in_both_eras() {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    for (mode, revision) in [("legacy", HANDSHAKE), ("auto", STATELESS), (STATELESS, STATELESS)] {
        let place = place(&format!("offers-npm-client-{mode}"));
        let mut command = node.script("offers_client.mjs", &place);
        command.arg(mode).args(place.server());
        assert_offered(&seen(command), "2.4.0", revision);
        assert_asked(&place, revision);
    }
}

#[test]
fn the_python_sdk_has_all_that_is_offered_in_both_eras() {
    by_python("offers_mcp.py", "2.3.0");
}

#[test]
fn the_fastmcp_client_has_all_that_is_offered_in_both_eras() {
    by_python("offers_fastmcp.py", "4.1.2");
}

fn by_python(script: &str, version: &str) {
    let Some(python) = needs(Python::clients()) else {
        return;
    };
    for (mode, revision) in [("legacy", HANDSHAKE), ("auto", STATELESS)] {
        let place = place(&format!("{script}-{mode}"));
        let mut command = python.script(script, &place);
        command.arg(mode).args(place.server());
        assert_offered(&seen(command), version, revision);
        assert_asked(&place, revision);
    }
}

/// A sandbox with the server that has one of everything.
fn place(name: &str) -> Sandbox {
    Sandbox::new(name, env!("CARGO_BIN_EXE_witness"), everything())
}

fn seen(command: Command) -> Value {
    Visit::run(command).into_report()
}

/// That a client saw everything, in the words of the scripts.
#[track_caller]
fn assert_offered(seen: &Value, client: &str, revision: &str) {
    assert_eq!((&seen["client"], &seen["revision"]), (&json!(client), &json!(revision)));
    assert_eq!(seen["resources"], json!(["test://static-text", "test://static-binary", "test://watched-resource"]));
    assert_eq!(seen["templates"], json!(["test://template/{id}/data"]));
    assert!(seen["read"].as_str().is_some_and(|text| text.contains("Data for ID: 7")), "{}", seen["read"]);
    assert!(seen["prompts"].as_array().is_some_and(|all| all.contains(&json!("test_simple_prompt"))), "{}", seen["prompts"]);
    assert_eq!(seen["prompt"], "Prompt with arguments: arg1='one', arg2='two'");
    assert_eq!(seen["completion"], json!(["paris", "park", "party"]));
    let elicited = seen["elicited"].as_str().unwrap_or_default();
    assert!(elicited.contains("action=accept") && elicited.contains("ada@example.com"), "{elicited}");
    assert_eq!(seen["sampled"], "LLM response: from the client's model");
    assert_eq!(seen["progressed"], "Tool with progress executed successfully");
    let progress: Vec<Vec<f64>> = serde_json::from_value(seen["progress"].clone()).expect("pairs of numbers");
    assert_eq!(progress.last(), Some(&vec![100.0, 100.0]), "{progress:?}");
    assert!(progress.is_sorted() && progress.len() >= 2, "{progress:?}");
    let mut changes: Vec<&str> = seen["changes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    changes.sort_unstable();
    changes.dedup();
    assert_eq!(changes, ["resource", "tools"], "{seen}");
}

/// That the server asked and told in the way of the era, and only what the schemas of the revision know.
#[track_caller]
fn assert_asked(place: &Sandbox, revision: &str) {
    let conversation: Conversation = place.conversations().pop().expect("the client started the server");
    conversation.check();
    let asked = conversation.asked().count();
    let methods: Vec<&str> = conversation.methods().collect();
    if revision < STATELESS {
        assert_eq!(asked, 2, "an elicitation and a sampling as requests");
        assert!(methods.contains(&"resources/subscribe") && !methods.contains(&"subscriptions/listen"), "{methods:?}");
    } else {
        assert_eq!(asked, 0, "no request to the client");
        assert!(methods.contains(&"subscriptions/listen") && !methods.contains(&"resources/subscribe"), "{methods:?}");
    }
}
