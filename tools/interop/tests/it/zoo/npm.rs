//! Both npm clients list the zoo, make every call of its samples, and hold the outputs against their schemas.

use std::fs;

use interop::{Node, needs, outputs, samples};
use serde_json::{Value, json};

use crate::{
    HANDSHAKE, STATELESS,
    visit::Visit,
    zoo::{javascript, names},
    zoo_sandbox,
};

#[test]
fn the_npm_sdk_lists_the_zoo_and_makes_every_call() {
    visited("sdk", "1.32.2", HANDSHAKE);
}

#[test]
fn the_npm_client_lists_the_zoo_and_makes_every_call_in_the_handshake_era() {
    visited("legacy", "2.4.0", HANDSHAKE);
}

#[test]
fn the_npm_client_lists_the_zoo_and_makes_every_call_in_the_stateless_era() {
    visited(STATELESS, "2.4.0", STATELESS);
}

fn visited(mode: &str, version: &str, revision: &str) {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let sandbox = zoo_sandbox(&format!("zoo-npm-{mode}"));
    let samples: Vec<_> = samples().into_iter().filter(|sample| javascript::is_exact(&sample.arguments)).collect();
    let outputs = outputs();
    let calls: Vec<Value> = samples
        .iter()
        .map(|sample| json!([sample.tool, sample.arguments]))
        .chain(outputs.iter().map(|output| json!([output.tool, {}])))
        .chain([json!(["give_or_fail", {"fail": true}])])
        .collect();
    let file = sandbox.temporary().join("calls.json");
    fs::write(&file, json!(calls).to_string()).expect("the sandbox is writable");
    let mut command = node.script("zoo.mjs", &sandbox);
    command.arg(mode).arg(file).args(sandbox.server());
    let report = Visit::run(command).into_report();

    assert_eq!((&report["client"], &report["revision"]), (&json!(version), &json!(revision)));
    let tools = report["tools"].as_array().expect("the client lists tools");
    assert_eq!(tools.iter().map(|tool| tool["name"].as_str().expect("a tool has a name")).collect::<Vec<_>>(), names());
    let answers = report["answers"].as_array().expect("the client tells the answers");
    assert_eq!(answers.len(), calls.len());
    for (sample, answer) in samples.iter().zip(answers) {
        let text = answer["text"].as_str().expect("an answer has text");
        let right = match sample.refusal {
            None => answer["is_error"] == false && text == "taken",
            Some(words) => answer["is_error"] == true && text.contains(words),
        };
        assert!(right, "{sample:?}: {answer}");
    }
    for (output, answer) in outputs.iter().zip(&answers[samples.len()..]) {
        // Only the newest revision knows structured content that is no object.
        let value = javascript::written(&output.value);
        let expected = if output.is_object || revision == STATELESS { value } else { json!({"result": value}) };
        assert_eq!(answer["structured"], expected, "{}", output.tool);
        assert_eq!(answer["is_error"], false, "{}: {answer}", output.tool);
    }
    let failed = answers.last().expect("there are answers");
    assert_eq!(*failed, json!({"is_error": true, "text": "as you wish", "structured": null}));

    let conversation = sandbox.conversations().pop().expect("the client started the server");
    assert_eq!(conversation.exit, Some(0));
    conversation.check();
}
