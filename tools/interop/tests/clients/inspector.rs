//! npm `@modelcontextprotocol/inspector` on its command line, with and without a handshake.

use std::time::Duration;

use interop::{Node, Sandbox};
use serde_json::{Value, json};
use test_env::{Finished, needs, run};

use crate::sandbox;

const LAUNCHER: &str = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
/// The exit code for a result with `isError` and for an unknown tool.
const TOOL_FAILED: i32 = 5;

#[test]
fn the_inspector_has_no_warning_about_a_schema_with_a_handshake() {
    lists_strictly("legacy");
}

#[test]
fn the_inspector_has_no_warning_about_a_schema_without_a_handshake() {
    lists_strictly("modern");
}

#[test]
fn the_inspector_calls_tools_with_a_handshake() {
    calls("legacy");
}

#[test]
fn the_inspector_calls_tools_without_a_handshake() {
    calls("modern");
}

fn lists_strictly(era: &str) {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let sandbox = sandbox(&format!("inspector-list-{era}"));
    let finished = inspect(&node, &sandbox, era, &["--method", "tools/list", "--strict"]);
    // Exit code 6 means that some model provider rejects a schema; stderr then names the schema and the reason.
    assert_eq!((finished.status.code(), finished.stderr.as_str()), (Some(0), ""));
    let listed: Value = serde_json::from_str(&finished.stdout).expect("the list is JSON");
    let tools = listed["result"]["tools"].as_array().expect("the list has tools");
    let names: Vec<_> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["add", "divide", "statistics"]);
    assert_era(&sandbox, era);
}

fn calls(era: &str) {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let sandbox = sandbox(&format!("inspector-call-{era}"));
    let call = |tool: &str, arguments: &[&str]| {
        let mut options = vec!["--method", "tools/call", "--tool-name", tool];
        for argument in arguments {
            options.extend(["--tool-arg", argument]);
        }
        let finished = inspect(&node, &sandbox, era, &options);
        let printed = serde_json::from_str::<Value>(&finished.stdout).unwrap_or(Value::Null);
        (finished.status.code(), printed["result"].clone())
    };

    let (code, sum) = call("add", &["a=2", "b=3"]);
    assert_eq!((code, &sum["content"]), (Some(0), &json!([{"type": "text", "text": "5"}])));
    let (code, statistics) = call("statistics", &["numbers=[1,2,6]"]);
    assert_eq!((code, &statistics["structuredContent"]["count"]), (Some(0), &json!(3)), "{statistics}");
    let (code, failed) = call("divide", &["a=1", "b=0"]);
    assert_eq!((code, &failed["isError"]), (Some(TOOL_FAILED), &json!(true)), "{failed}");
    let (code, _) = call("no_such_tool", &[]);
    assert_eq!(code, Some(TOOL_FAILED));
    assert_era(&sandbox, era);
}

pub(crate) fn inspect(node: &Node, sandbox: &Sandbox, era: &str, options: &[&str]) -> Finished {
    let mut command = node.program(LAUNCHER, sandbox);
    command.arg("--cli").args(sandbox.server()).args(options);
    command.args(["--protocol-era", era, "--format", "json", "--quiet"]);
    run(command, Duration::from_secs(180)).expect("the inspector finishes")
}

#[track_caller]
pub(crate) fn assert_era(sandbox: &Sandbox, era: &str) {
    let first_method = if era == "modern" { "server/discover" } else { "initialize" };
    let recordings = sandbox.recordings();
    assert!(!recordings.is_empty());
    for recording in recordings {
        assert_eq!(recording.client_methods().next(), Some(first_method));
        assert_eq!(recording.exit, Some(0));
        recording.check();
    }
}
