//! The Claude Code CLI with a scripted model: the tools that the model gets, and the results that it gets.

use std::{collections::BTreeSet, future::Future, time::Duration};

use interop::{Recording, outputs};
use mcp_agent::{Agent, McpServer, Session};
use mcp_agent_test::{Model, Request, Sandbox, ToolResult, Turn, prompt};
use serde_json::{Value, json};
use tokio::{runtime, time};

use crate::{
    samples::{javascript, names},
    samples_sandbox,
};

/// The CLI puts this before the name of a tool.
const PREFIX: &str = "mcp__samples__";

#[test]
fn claude_code_passes_every_sample_tool_and_every_output_to_the_model() {
    let Some(cli) = crate::claude_code_cli() else {
        return;
    };
    let server = samples_sandbox("samples-claude-code");
    let (model, place) = (Model::start().expect("a port is free"), Sandbox::new().expect("a folder can be made"));
    let [recorder, arguments @ ..] = server.server().map(|part| part.into_string().expect("the path is text"));
    let agent = Agent::new()
        .mcp_server("samples", McpServer::stdio(recorder).args(arguments))
        .strict_mcp_config(true)
        .allow_tools(["mcp__samples"]);

    let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
    runtime.block_on(async {
        let mut session = within(place.confine(agent, &cli, &model).open()).await.expect("the CLI starts");
        let mut turns: Vec<_> = outputs().iter().map(|output| use_of(output.tool, json!({}))).collect();
        turns.push(use_of("give_or_fail", json!({"fail": true})));
        turns.push(use_of("Vec_Point", json!({"value": [{"x": 1, "y": 2}, {"x": "1"}]})));
        within(session.send(prompt("go", turns.into_iter().chain([Turn::text("done")])))).await.expect("the CLI listens");
        within(session.finish()).await.expect("the turn ends");
        assert_status(&session).await;
        within(session.close()).await.expect("the CLI ends");
    });

    let recording = server.recordings().pop().expect("the CLI started the server");
    recording.check();
    assert_offered(model.requests().last().expect("the model was asked"), &recording);
    assert_results(&model.tool_results());
}

fn use_of(tool: &str, arguments: Value) -> Turn {
    Turn::tool(format!("{PREFIX}{tool}"), arguments)
}

async fn assert_status(session: &Session) {
    let status = within(session.handle().mcp_status()).await.expect("the CLI responds");
    let server = status.iter().find(|server| server.name == "samples").expect("the CLI knows the server");
    assert_eq!(server.status, "connected", "{server:?}");
    assert_eq!(server.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), names());
}

/// Checks that the model got every tool with the schema that the server listed.
fn assert_offered(request: &Request, recording: &Recording) {
    let offered: BTreeSet<_> = request.tools().into_iter().filter_map(|name| name.strip_prefix(PREFIX)).collect();
    assert_eq!(offered, names().iter().map(String::as_str).collect());
    let (_, listed) =
        recording.exchanges().find(|(request, _)| request["method"] == "tools/list").expect("the tools were listed");
    for tool in listed["result"]["tools"].as_array().expect("the list has tools") {
        let name = tool["name"].as_str().expect("a tool has a name");
        let shown = request.tool(&format!("{PREFIX}{name}")).expect("it was offered");
        assert_eq!(shown["input_schema"], javascript::written(&tool["inputSchema"]), "{name}");
        assert_eq!(shown["description"], tool["description"], "{name}");
    }
}

/// Checks that the model got each output as JSON, and each error as text.
fn assert_results(results: &[ToolResult]) {
    let outputs = outputs();
    assert_eq!(results.len(), outputs.len() + 2);
    for (output, result) in outputs.iter().zip(results) {
        assert!(!result.is_error, "{}: {result:?}", output.tool);
        let shown: Value = serde_json::from_str(&result.text).expect("the model gets structured content as JSON");
        assert_eq!(shown, javascript::written(&output.value), "{}", output.tool);
    }
    let [failed, invalid] = &results[outputs.len()..] else { unreachable!("there are two more") };
    assert!(failed.is_error && failed.text.contains("failed as requested"), "{failed:?}");
    let violations = ["`value[1].x`: expected a number, got the string \"1\"", "`value[1].y`: missing"];
    assert!(invalid.is_error && violations.iter().all(|text| invalid.text.contains(text)), "{invalid:?}");
}

/// A time limit. Generous, because CI machines are slow under load.
async fn within<T>(future: impl Future<Output = T>) -> T {
    time::timeout(Duration::from_secs(120), future).await.expect("a response within two minutes")
}
