//! Client capabilities that a tool requires. A missing one is reported before the tool runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_core::dynamic::Requirement;
use mcp_core::{Builder, Context, Server, ToolSpec, tool, tool_fn, tools};
use serde_json::{Value, json};

use crate::session::{Peer, stateless};

fn picky(runs: &Arc<AtomicUsize>) -> Builder {
    let spec = ToolSpec::new("picky", "Need a user and a model.");
    let runs = runs.clone();
    let picky = tool_fn(spec.requires([Requirement::Elicitation, Requirement::Sampling]), move |_: Value, _: Context| {
        runs.fetch_add(1, Ordering::Relaxed);
        async { "ran" }
    });
    Server::builder("picky", "1.0.0").tools(picky)
}

/// A tool that requires roots.
#[tool(requires = [roots, elicitation_url])]
async fn folders() -> &'static str {
    "ran"
}

fn stateless_call(name: &str, can: Value) -> Value {
    let mut meta = stateless();
    meta["io.modelcontextprotocol/clientCapabilities"] = can;
    json!({"name": name, "_meta": meta})
}

#[test]
fn without_a_handshake_the_error_names_all_that_is_missing_and_the_tool_does_not_run() {
    let runs = Arc::default();
    let mut peer = Peer::new(picky(&runs));
    let error = peer.ask("tools/call", stateless_call("picky", json!({"roots": {}})))["error"].take();
    let required = json!({"requiredCapabilities": {"elicitation": {}, "sampling": {}}});
    assert_eq!((&error["code"], &error["data"]), (&json!(-32021), &required));
    assert_eq!(runs.load(Ordering::Relaxed), 0);
    let can = json!({"elicitation": {}, "sampling": {}});
    assert_eq!(peer.ask("tools/call", stateless_call("picky", can))["result"]["content"][0]["text"], "ran");
}

#[test]
fn with_a_handshake_a_missing_capability_is_an_error_result() {
    let runs = Arc::default();
    let result =
        Peer::with_revision("2025-11-25", picky(&runs)).ask("tools/call", json!({"name": "picky"}))["result"].take();
    assert_eq!(result["isError"], true);
    assert_eq!(result["content"][0]["text"], "this needs a client with `elicitation` and `sampling`");
    assert_eq!(runs.load(Ordering::Relaxed), 0);
}

#[test]
fn requirements_can_be_set_by_the_attribute() {
    let server = Server::builder("folders", "1.0.0").tools(tools![folders]).build().unwrap();
    let mut peer = Peer::new(server);
    let error = peer.ask("tools/call", stateless_call("folders", json!({"elicitation": {}})))["error"].take();
    let required = json!({"elicitation": {"url": {}}, "roots": {}});
    assert_eq!(error["data"]["requiredCapabilities"], required);
    let can = json!({"elicitation": {"url": {}}, "roots": {}});
    assert_eq!(peer.ask("tools/call", stateless_call("folders", can))["result"]["content"][0]["text"], "ran");
}

#[test]
fn capabilities_that_the_revision_does_not_have_are_not_used() {
    let runs = Arc::default();
    for (revision, knows) in [("2024-11-05", false), ("2025-03-26", false), ("2025-06-18", true), ("2025-11-25", true)] {
        let mut peer = Peer::new(picky(&runs));
        let can = json!({"elicitation": {}, "sampling": {}});
        peer.ask("initialize", json!({"protocolVersion": revision, "capabilities": can}));
        let result = peer.ask("tools/call", json!({"name": "picky"}))["result"].take();
        assert_eq!(result["isError"].as_bool().unwrap_or_default(), !knows, "{revision}: {result}");
    }
}
