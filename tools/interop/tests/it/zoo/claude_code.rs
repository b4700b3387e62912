//! The Claude Code CLI with a stand-in for the model: what the model was offered, and what it saw of the results.

use std::{collections::BTreeSet, future::Future, time::Duration};

use interop::{Conversation, outputs};
use mcp_agent::{Agent, McpServer, Session};
use mcp_agent_test::{Cli, Model, Request, Sandbox, ToolResult, Turn, prompt};
use serde_json::{Value, json};
use tokio::{runtime, time};

use crate::{
    zoo::{javascript, names},
    zoo_sandbox,
};

/// What the CLI puts before the name of a tool.
const PREFIX: &str = "mcp__zoo__";

#[test]
fn claude_code_offers_the_whole_zoo_to_the_model_and_shows_it_every_output() {
    let Some(cli) = Cli::or_skip() else {
        return;
    };
    let wire = zoo_sandbox("zoo-claude-code");
    let (model, place) = (Model::start().expect("a port is free"), Sandbox::new().expect("a folder can be made"));
    let [witness, arguments @ ..] = wire.server().map(|part| part.into_string().expect("the path is text"));
    let agent = Agent::new()
        .mcp_server("zoo", McpServer::stdio(witness).args(arguments))
        .strict_mcp_config(true)
        .allow_tools(["mcp__zoo"]);

    let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
    runtime.block_on(async {
        let mut session = within(place.confine(agent, &cli, &model).open()).await.expect("the CLI starts");
        let mut turns: Vec<_> = outputs().iter().map(|output| use_of(output.tool, json!({}))).collect();
        turns.push(use_of("give_or_fail", json!({"fail": true})));
        turns.push(use_of("Vec_Point", json!({"value": [{"x": 1, "y": 2}, {"x": "1"}]})));
        within(session.send(prompt("go", turns.into_iter().chain([Turn::text("done")])))).await.expect("the CLI listens");
        within(session.finish()).await.expect("the run ends");
        assert_status(&session).await;
        within(session.close()).await.expect("the CLI ends");
    });

    let conversation = wire.conversations().pop().expect("the CLI started the server");
    conversation.check();
    assert_offered(model.requests().last().expect("the model was asked"), &conversation);
    assert_seen(&model.tool_results());
}

fn use_of(tool: &str, arguments: Value) -> Turn {
    Turn::tool(format!("{PREFIX}{tool}"), arguments)
}

async fn assert_status(session: &Session) {
    let status = within(session.handle().mcp_status()).await.expect("the CLI tells");
    let zoo = status.iter().find(|server| server.name == "zoo").expect("the CLI knows the server");
    assert_eq!(zoo.status, "connected", "{zoo:?}");
    assert_eq!(zoo.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), names());
}

/// Every tool is there, with the very schema that the server listed.
fn assert_offered(request: &Request, conversation: &Conversation) {
    let offered: BTreeSet<_> = request.tools().into_iter().filter_map(|name| name.strip_prefix(PREFIX)).collect();
    assert_eq!(offered, names().iter().map(String::as_str).collect());
    let (_, listed) =
        conversation.exchanges().find(|(request, _)| request["method"] == "tools/list").expect("the tools were listed");
    for tool in listed["result"]["tools"].as_array().expect("the list has tools") {
        let name = tool["name"].as_str().expect("a tool has a name");
        let shown = request.tool(&format!("{PREFIX}{name}")).expect("it was offered");
        assert_eq!(shown["input_schema"], javascript::written(&tool["inputSchema"]), "{name}");
        assert_eq!(shown["description"], tool["description"], "{name}");
    }
}

/// The model saw each output as JSON, unwrapped, and each failure as text.
fn assert_seen(seen: &[ToolResult]) {
    let outputs = outputs();
    assert_eq!(seen.len(), outputs.len() + 2);
    for (output, seen) in outputs.iter().zip(seen) {
        assert!(!seen.is_error, "{}: {seen:?}", output.tool);
        let shown: Value = serde_json::from_str(&seen.text).expect("structured content is shown as JSON");
        assert_eq!(shown, javascript::written(&output.value), "{}", output.tool);
    }
    let [failed, refused] = &seen[outputs.len()..] else { unreachable!("there are two more") };
    assert!(failed.is_error && failed.text.contains("as you wish"), "{failed:?}");
    let told = ["`value[1].x`: expected a number, got the string \"1\"", "`value[1].y`: missing"];
    assert!(refused.is_error && told.iter().all(|told| refused.text.contains(told)), "{refused:?}");
}

/// Bounds a wait: long enough for a loaded machine, short enough for a hang to be a failure.
async fn within<T>(future: impl Future<Output = T>) -> T {
    time::timeout(Duration::from_secs(120), future).await.expect("an answer within two minutes")
}
