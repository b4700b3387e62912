//! Mounted servers whose tools change while the real CLI runs.

use std::net::TcpListener;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mcp_agent::{Agent, Handle, McpServer, Session};
use mcp_agent_test::Turn;
use mcp_core::{Builder, Live, Server, ToolError, tool, tools};
use serde_json::json;

use crate::test_setup::{ask, setup_or_skip, within};

/// Add two numbers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Multiply two numbers.
#[tool]
async fn multiply(a: i64, b: i64) -> i64 {
    a * b
}

/// The server of a tool, so that the tool can change it, and a handle to query the CLI.
struct Own(Arc<OnceLock<(Live, Handle)>>);

/// Replace the tools of this server by `multiply`.
#[tool]
async fn learn(own: &Own) -> Result<&'static str, ToolError> {
    let (live, handle) = own.0.get().ok_or("not open yet")?;
    live.replace(grown())?;
    until_tools_are(handle, &["multiply"]).await;
    Ok("learnt")
}

fn young() -> Builder {
    Server::builder("calc", "1.0.0").tools(tools![add])
}

fn grown() -> Builder {
    Server::builder("calc", "1.0.0").tools(tools![multiply])
}

/// Asks the CLI for its tools until they are these.
async fn until_tools_are(handle: &Handle, expected: &[&str]) {
    let asked = async {
        loop {
            let servers = handle.mcp_status().await.unwrap();
            let tools: Vec<&str> = servers.iter().flat_map(|server| &server.tools).map(|tool| tool.name.as_str()).collect();
            if tools == expected {
                break;
            }
            // The CLI requests the new list at some time and does not report when it has received it.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    within(asked).await;
}

/// A turn in which the model uses the tool that came later.
fn multiplies() -> [Turn; 2] {
    [Turn::tool("mcp__calc__multiply", json!({"a": 6, "b": 7})), Turn::text("done")]
}

#[tokio::test]
async fn a_tool_that_is_added_later_is_offered_and_called() {
    let setup = setup_or_skip!();
    let live = Live::new(young()).unwrap();
    let mut session = open(setup.agent().mount("calc", live.clone())).await;
    assert_eq!(ask(&mut session, [Turn::text("before")]).await, "before");

    live.replace(grown()).unwrap();
    until_tools_are(&session.handle(), &["multiply"]).await;

    assert_eq!(ask(&mut session, multiplies()).await, "done");
    assert_eq!(setup.model.tool_results()[0].text, "42");
    let offered: Vec<bool> =
        setup.model.requests().iter().map(|request| request.tools().contains(&"mcp__calc__multiply")).collect();
    assert_eq!(offered, [false, true, true]);
}

#[tokio::test]
async fn a_call_of_a_removed_tool_fails_even_while_the_cli_still_offers_it() {
    let setup = setup_or_skip!();
    let live = Live::new(young()).unwrap();
    let mut session = open(setup.agent().mount("calc", live.clone())).await;
    assert_eq!(ask(&mut session, [Turn::text("before")]).await, "before");
    live.replace(grown()).unwrap();
    until_tools_are(&session.handle(), &["multiply"]).await;
    let gone = Turn::tool("mcp__calc__add", json!({"a": 1, "b": 1}));
    assert_eq!(ask(&mut session, [gone, Turn::text("done")]).await, "done");
    let result = &setup.model.tool_results()[0];
    assert!(result.is_error && result.text.contains("add"), "{result:?}");
}

#[tokio::test]
async fn a_change_before_the_first_prompt_is_not_lost() {
    let setup = setup_or_skip!();
    let live = Live::new(young()).unwrap();
    let mut session = open(setup.agent().mount("calc", live.clone())).await;
    live.replace(grown()).unwrap();
    until_tools_are(&session.handle(), &["multiply"]).await;
    assert_eq!(ask(&mut session, multiplies()).await, "done");
    assert_eq!(setup.model.tool_results()[0].text, "42");
}

#[tokio::test]
async fn a_change_after_mount_and_before_open_is_in_the_manifest() {
    let setup = setup_or_skip!();
    let live = Live::new(young()).unwrap();
    let agent = setup.agent().mount("calc", live.clone());
    live.replace(grown()).unwrap();
    let mut session = open(agent).await;
    assert_eq!(ask(&mut session, multiplies()).await, "done");
    assert_eq!(setup.model.tool_results()[0].text, "42");
}

#[tokio::test]
async fn a_tool_can_add_another_tool_for_the_same_turn() {
    let setup = setup_or_skip!();
    let own = Arc::new(OnceLock::new());
    let live = Live::new(Server::builder("calc", "1.0.0").tools(tools![learn]).state(Own(Arc::clone(&own)))).unwrap();
    let mut session = open(setup.agent().mount("calc", live.clone())).await;
    own.set((live, session.handle())).unwrap();
    let learns = Turn::tool("mcp__calc__learn", json!({}));
    assert_eq!(ask(&mut session, [learns].into_iter().chain(multiplies())).await, "done");
    let texts: Vec<String> = setup.model.requests()[2].tool_results().into_iter().map(|result| result.text).collect();
    assert_eq!(texts, ["learnt", "42"]);
}

#[tokio::test]
async fn a_server_can_be_mounted_and_unmounted_while_the_session_is_open() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().mount("calc", young())).await;
    within(session.handle().mount("late", grown())).await.unwrap();
    let call = Turn::tool("mcp__late__multiply", json!({"a": 6, "b": 7}));
    assert_eq!(ask(&mut session, [call, Turn::text("done")]).await, "done");
    assert_eq!(setup.model.tool_results()[0].text, "42");
    let call = Turn::tool("mcp__calc__add", json!({"a": 2, "b": 3}));
    assert_eq!(ask(&mut session, [call, Turn::text("done")]).await, "done");
    assert_eq!(setup.model.tool_results().last().unwrap().text, "5", "the server that was there before still is");

    assert!(within(session.handle().unmount("late")).await.unwrap());
    assert!(!within(session.handle().unmount("late")).await.unwrap());
    until_tools_are(&session.handle(), &["add"]).await;
    let call = Turn::tool("mcp__calc__add", json!({"a": 1, "b": 1}));
    assert_eq!(ask(&mut session, [call, Turn::text("done")]).await, "done");
    assert_eq!(setup.model.tool_results().last().unwrap().text, "2");
}

#[tokio::test]
async fn mounting_a_server_replaces_the_server_of_the_same_name() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().mount("calc", young())).await;
    within(session.handle().mount("calc", grown())).await.unwrap();
    until_tools_are(&session.handle(), &["multiply"]).await;
    assert_eq!(ask(&mut session, multiplies()).await, "done");
    assert_eq!(setup.model.tool_results()[0].text, "42");
}

#[tokio::test]
async fn changing_external_servers_keeps_mounted_servers() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().mount("calc", young())).await;
    // Nothing listens on this port. The CLI reports the failed connection for each server.
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let servers = [
        ("program", McpServer::stdio("/nowhere/at/all")),
        ("over-http", McpServer::http(format!("http://{unused}/mcp"))),
        ("over-sse", McpServer::sse(format!("http://{unused}/sse"))),
    ];
    let changed =
        within(session.handle().set_mcp_servers(servers.map(|(name, server)| (name.to_owned(), server)))).await.unwrap();
    assert_eq!((changed.added.len(), changed.errors.len()), (3, 3), "{changed:?}");
    let status = within(session.handle().mcp_status()).await.unwrap();
    let mut tried: Vec<_> =
        status.iter().map(|server| (server.name.as_str(), server.transport.as_deref(), server.status.as_str())).collect();
    tried.sort_unstable();
    let expected = [
        ("calc", Some("sdk"), "connected"),
        ("over-http", Some("http"), "failed"),
        ("over-sse", Some("sse"), "failed"),
        ("program", Some("stdio"), "failed"),
    ];
    assert_eq!(tried, expected);
    let mut removed = within(session.handle().set_mcp_servers([])).await.unwrap().removed.clone();
    removed.sort_unstable();
    assert_eq!(removed, ["over-http", "over-sse", "program"]);
    let call = Turn::tool("mcp__calc__add", json!({"a": 1, "b": 1}));
    assert_eq!(ask(&mut session, [call, Turn::text("done")]).await, "done");
    assert_eq!(setup.model.tool_results()[0].text, "2");
}

async fn open(agent: Agent) -> Session {
    within(agent.allow_tools(["mcp__calc__*", "mcp__late__*"]).open()).await.unwrap()
}
