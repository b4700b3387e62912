//! Mounted servers whose tools change while the real CLI runs.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mcp_agent::{Agent, Handle, Session};
use mcp_agent_test::Turn;
use mcp_core::{Builder, Live, Server, ToolError, tool, tools};
use serde_json::json;

use crate::rig::{ask, rig_or_skip, within};

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

/// What a tool needs to change its own server, and to know that the CLI knows.
struct Own(Arc<OnceLock<(Live, Handle)>>);

/// Learn to multiply.
#[tool]
async fn learn(own: &Own) -> Result<&'static str, ToolError> {
    let (live, handle) = own.0.get().ok_or("not open yet")?;
    live.replace(grown())?;
    until_tools_are(handle, &["multiply"]).await;
    Ok("learnt")
}

fn young() -> Builder {
    Server::new("calc", "1.0.0").tools(tools![add])
}

fn grown() -> Builder {
    Server::new("calc", "1.0.0").tools(tools![multiply])
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
            // The CLI asks for the list when it gets to it, and tells nobody.
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
async fn a_tool_that_comes_later_is_offered_and_called() {
    let rig = rig_or_skip!();
    let live = Live::new(young()).unwrap();
    let mut session = open(rig.agent().mount("calc", live.clone())).await;
    assert_eq!(ask(&mut session, [Turn::text("before")]).await, "before");

    live.replace(grown()).unwrap();
    until_tools_are(&session, &["multiply"]).await;

    assert_eq!(ask(&mut session, multiplies()).await, "done");
    assert_eq!(rig.model.tool_results()[0].text, "42");
    let offered: Vec<bool> =
        rig.model.requests().iter().map(|request| request.tools().contains(&"mcp__calc__multiply")).collect();
    assert_eq!(offered, [false, true, true]);
}

#[tokio::test]
async fn a_tool_that_went_is_refused_though_the_cli_goes_on_offering_it() {
    let rig = rig_or_skip!();
    let live = Live::new(young()).unwrap();
    let mut session = open(rig.agent().mount("calc", live.clone())).await;
    assert_eq!(ask(&mut session, [Turn::text("before")]).await, "before");
    live.replace(grown()).unwrap();
    until_tools_are(&session, &["multiply"]).await;
    let gone = Turn::tool("mcp__calc__add", json!({"a": 1, "b": 1}));
    assert_eq!(ask(&mut session, [gone, Turn::text("done")]).await, "done");
    let result = &rig.model.tool_results()[0];
    assert!(result.is_error && result.text.contains("add"), "{result:?}");
}

#[tokio::test]
async fn a_change_before_the_first_prompt_is_not_lost() {
    let rig = rig_or_skip!();
    let live = Live::new(young()).unwrap();
    let mut session = open(rig.agent().mount("calc", live.clone())).await;
    live.replace(grown()).unwrap();
    until_tools_are(&session, &["multiply"]).await;
    assert_eq!(ask(&mut session, multiplies()).await, "done");
    assert_eq!(rig.model.tool_results()[0].text, "42");
}

#[tokio::test]
async fn a_change_between_mounting_and_opening_is_in_the_manifest() {
    let rig = rig_or_skip!();
    let live = Live::new(young()).unwrap();
    let agent = rig.agent().mount("calc", live.clone());
    live.replace(grown()).unwrap();
    let mut session = open(agent).await;
    assert_eq!(ask(&mut session, multiplies()).await, "done");
    assert_eq!(rig.model.tool_results()[0].text, "42");
}

#[tokio::test]
async fn a_tool_brings_another_one_for_the_same_turn() {
    let rig = rig_or_skip!();
    let own = Arc::new(OnceLock::new());
    let live = Live::new(Server::new("calc", "1.0.0").tools(tools![learn]).state(Own(Arc::clone(&own)))).unwrap();
    let mut session = open(rig.agent().mount("calc", live.clone())).await;
    own.set((live, session.handle())).unwrap();
    let learns = Turn::tool("mcp__calc__learn", json!({}));
    assert_eq!(ask(&mut session, [learns].into_iter().chain(multiplies())).await, "done");
    let texts: Vec<String> = rig.model.requests()[2].tool_results().into_iter().map(|result| result.text).collect();
    assert_eq!(texts, ["learnt", "42"]);
}

async fn open(agent: Agent) -> Session {
    within(agent.allow_tools(["mcp__calc__*"]).open()).await.unwrap()
}
