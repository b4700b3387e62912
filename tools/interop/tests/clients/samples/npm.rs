//! Both npm clients list the sample tools, make every sample call, and check the outputs against their schemas.

use std::fs;

use interop::{Node, outputs, sample_calls};
use serde_json::{Value, json};
use test_env::needs;

use crate::{
    HANDSHAKE, STATELESS,
    client_report::ClientReport,
    samples::{javascript, names},
    samples_sandbox,
};

#[test]
fn the_npm_sdk_lists_the_sample_tools_and_makes_every_call() {
    run_client("sdk", "1.32.2", HANDSHAKE);
}

#[test]
fn the_npm_client_lists_the_sample_tools_and_makes_every_call_with_a_handshake() {
    run_client("legacy", "2.4.0", HANDSHAKE);
}

#[test]
fn the_npm_client_lists_the_sample_tools_and_makes_every_call_without_a_handshake() {
    run_client(STATELESS, "2.4.0", STATELESS);
}

fn run_client(mode: &str, version: &str, revision: &str) {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let sandbox = samples_sandbox(&format!("samples-npm-{mode}"));
    let samples: Vec<_> = sample_calls().into_iter().filter(|sample| javascript::is_exact(&sample.arguments)).collect();
    let outputs = outputs();
    let calls: Vec<Value> = samples
        .iter()
        .map(|sample| json!([sample.tool, sample.arguments]))
        .chain(outputs.iter().map(|output| json!([output.tool, {}])))
        .chain([json!(["give_or_fail", {"fail": true}])])
        .collect();
    let file = sandbox.temporary().join("calls.json");
    fs::write(&file, json!(calls).to_string()).expect("the sandbox is writable");
    let mut command = node.script("sample_calls.mjs", &sandbox);
    command.arg(mode).arg(file).args(sandbox.server());
    let report = ClientReport::run(command).into_report();

    assert_eq!((&report["client"], &report["revision"]), (&json!(version), &json!(revision)));
    let tools = report["tools"].as_array().expect("the client lists tools");
    assert_eq!(tools.iter().map(|tool| tool["name"].as_str().expect("a tool has a name")).collect::<Vec<_>>(), names());
    let results = report["results"].as_array().expect("the client reports the results");
    assert_eq!(results.len(), calls.len());
    for (sample, result) in samples.iter().zip(results) {
        let text = result["text"].as_str().expect("a result has text");
        let expected = match sample.error {
            None => result["is_error"] == false && text == "taken",
            Some(words) => result["is_error"] == true && text.contains(words),
        };
        assert!(expected, "{sample:?}: {result}");
    }
    for (output, result) in outputs.iter().zip(&results[samples.len()..]) {
        // Only the newest revision allows structured content that is not an object.
        let value = javascript::written(&output.value);
        let expected = if output.is_object || revision == STATELESS { value } else { json!({"result": value}) };
        assert_eq!(result["structured"], expected, "{}", output.tool);
        assert_eq!(result["is_error"], false, "{}: {result}", output.tool);
    }
    let failed = results.last().expect("there are results");
    assert_eq!(*failed, json!({"is_error": true, "text": "failed as requested", "structured": null}));

    let recording = sandbox.recordings().pop().expect("the client started the server");
    assert_eq!(recording.exit, Some(0));
    recording.check();
}
