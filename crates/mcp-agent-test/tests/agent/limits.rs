//! Limits that the CLI reads from its environment.

use std::time::Duration;

use mcp_agent::builtin::output::BuiltinOutput;
use mcp_agent::fold::Fold;
use mcp_agent::{Agent, McpServer};
use mcp_agent_test::Turn;
use mcp_core::{Server, tool, tools};
use serde_json::{Value, json};

use crate::test_setup::{TestSetup, ask, read_run, send, setup_or_skip, within};

/// Wait forever.
#[tool]
async fn wait() {
    std::future::pending().await
}

/// Say a lot.
#[tool]
async fn talk() -> String {
    "word ".repeat(2000)
}

/// Lets the CLI run a tool, and returns the text of the result that the model gets.
async fn result_of(setup: &TestSetup, agent: Agent, tool: &str, input: Value) -> String {
    let mut session = within(agent.allow_tools(["Bash", "mcp__calc__*"]).open()).await.unwrap();
    ask(&mut session, [Turn::tool(tool, input), Turn::text("done")]).await;
    within(session.close()).await.unwrap();
    setup.model.requests().pop().unwrap().tool_results().pop().unwrap().text
}

fn with_server(agent: Agent) -> Agent {
    agent.mount("calc", Server::builder("calc", "1.0.0").tools(tools![wait, talk]))
}

#[tokio::test]
async fn a_command_is_limited_in_time_also_if_the_model_asks_for_more() {
    let setup = setup_or_skip!();
    let second = Duration::from_secs(1);
    for (agent, input) in [
        (setup.agent().command_timeout(second), json!({"command": "sleep 600"})),
        (
            setup.agent().command_timeout(second).max_command_timeout(second),
            json!({"command": "sleep 600", "timeout": 500_000}),
        ),
    ] {
        let mut session = within(agent.allow_tools(["Bash"]).open()).await.unwrap();
        send(&session, [Turn::tool("Bash", input), Turn::text("done")]).await;
        let mut fold = Fold::new();
        while !fold.calls().any(|call| call.outcome.is_some()) {
            fold.feed(&within(session.next()).await.unwrap().unwrap());
        }
        let call = fold.calls().next().unwrap();
        // The CLI moves such a command to the background, or ends it.
        match call.output() {
            Some(BuiltinOutput::Bash(bash)) => assert_eq!(bash.timed_out_after_ms, Some(1000.0), "{bash:?}"),
            _ => assert!(call.outcome.as_ref().unwrap().is_error, "{call:?}"),
        }
    }
}

#[tokio::test]
async fn the_output_of_commands_and_of_mcp_tools_is_limited() {
    let setup = setup_or_skip!();
    let count = || json!({"command": "seq 1 2000"});
    let whole = result_of(&setup, setup.agent(), "Bash", count()).await;
    let limited = result_of(&setup, setup.agent().max_command_output(300), "Bash", count()).await;
    assert!(whole.contains("\n2000") && !limited.contains("\n1000\n"), "{limited}");
    let whole = result_of(&setup, with_server(setup.agent()), "mcp__calc__talk", json!({})).await;
    let limited =
        result_of(&setup, with_server(setup.agent().max_mcp_output_tokens(100)), "mcp__calc__talk", json!({})).await;
    assert!(whole.len() >= 10_000 && limited.len() < 5_000, "{} and {}", whole.len(), limited.len());
}

#[tokio::test]
async fn mcp_servers_are_limited_in_time() {
    let setup = setup_or_skip!();
    let agent = with_server(setup.agent().mcp_tool_timeout(Duration::from_secs(1))).allow_tools(["mcp__calc__*"]);
    let silent = McpServer::stdio("/bin/sh").args(["-c", "cat > /dev/null"]);
    let agent = agent.mcp_server("silent", silent).mcp_connect_timeout(Duration::from_millis(500));
    let mut session = within(agent.open()).await.unwrap();
    send(&session, [Turn::tool("mcp__calc__wait", json!({})), Turn::text("done")]).await;
    read_run(&mut session).await;
    assert!(setup.model.tool_results()[0].is_error, "{:?}", setup.model.tool_results());
    let status = within(session.handle().mcp_status()).await.unwrap();
    let silent = status.iter().find(|server| server.name == "silent").unwrap();
    assert_eq!(silent.status, "failed", "{silent:?}");
}
