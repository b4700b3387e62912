//! Messages between the runner and a scripted CLI about mounted servers.

use mcp_agent::Agent;
use mcp_agent_test::{Script, ScriptedCli};
use mcp_core::{Builder, Context, Server, tool, tools};
use serde_json::{Value, json};

use crate::test_setup::within;

/// Report progress, then return.
#[tool]
async fn report(cx: &Context) -> &'static str {
    cx.progress(1, 2, "halfway");
    tokio::task::yield_now().await;
    "reported"
}

/// Wait forever.
#[tool]
async fn wait() -> &'static str {
    std::future::pending().await
}

fn server() -> Builder {
    Server::builder("calc", "1.0.0").tools(tools![report, wait])
}

fn to_server(message: Value) -> Value {
    json!({"subtype": "mcp_message", "server_name": "calc", "message": message})
}

fn call(id: u32, tool: &str) -> Value {
    let params = json!({"name": tool, "arguments": {}, "_meta": {"claudecode/toolUseId": "t", "progressToken": 7}});
    to_server(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
}

/// Runs a script with the server mounted, until the end of a run, and returns the lines that the CLI received.
async fn heard(script: Script) -> Vec<Value> {
    let cli = ScriptedCli::new(Script::new().initialize().prompt().then(script).result("done"));
    let agent = Agent::new().transport(cli.clone()).mount("calc", server());
    let mut session = within(agent.open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    while within(session.next()).await.unwrap().is_some() {}
    within(session.close()).await.unwrap();
    cli.received()
}

fn answer<'a>(heard: &'a [Value], id: &str) -> &'a Value {
    let mut answers = heard.iter().map(|frame| &frame["response"]).filter(|response| response["request_id"] == id);
    let answer = answers.next().unwrap_or_else(|| panic!("no answer to {id}"));
    assert!(answers.next().is_none(), "two answers to {id}");
    answer
}

#[tokio::test]
async fn a_mounted_server_is_announced_with_its_manifest() {
    let heard = heard(Script::new()).await;
    let initialize = &heard[0]["request"];
    assert_eq!(initialize["sdkMcpServers"], json!(["calc"]));
    let manifest = &initialize["sdkMcpServerManifests"]["calc"];
    assert_eq!(manifest["initializeResult"]["serverInfo"]["name"], "calc");
    assert_eq!(manifest["initializeResult"]["protocolVersion"], "2025-11-25");
    assert_eq!(manifest["toolsListResult"]["tools"][0]["name"], "report");
}

#[tokio::test]
async fn a_handshake_with_id_zero_gets_a_response() {
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "claude-code", "version": "2"}}});
    let script = Script::new()
        .send_request("initialize it", to_server(initialize))
        .expect_response("initialize it")
        .send_request("initialized", to_server(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})))
        .expect_response("initialized")
        .send_request("list", to_server(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})))
        .expect_response("list");
    let heard = heard(script).await;
    let reply = &answer(&heard, "initialize it")["response"]["mcp_response"];
    assert_eq!((&reply["id"], &reply["result"]["protocolVersion"]), (&json!(0), &json!("2025-11-25")));
    // Without a response, or with an error, the CLI would drop the server.
    assert_eq!(answer(&heard, "initialized")["subtype"], "success");
    assert_eq!(answer(&heard, "list")["response"]["mcp_response"]["result"]["tools"][1]["name"], "wait");
}

#[tokio::test]
async fn progress_reaches_the_cli_before_the_result() {
    let progress = json!({"request": {"subtype": "mcp_message", "server_name": "calc", "message": {
        "method": "notifications/progress", "params": {"progressToken": 7, "progress": 1}}}});
    let script = Script::new().send_request("call", call(2, "report")).expect(progress.clone()).expect_response("call");
    let heard = heard(script).await;
    let at = |found: &dyn Fn(&Value) -> bool| heard.iter().position(found).unwrap();
    let progress = at(&|frame| frame["request"]["message"]["method"] == "notifications/progress");
    assert!(progress < at(&|frame| frame["response"]["request_id"] == "call"));
    assert_eq!(answer(&heard, "call")["response"]["mcp_response"]["result"]["content"][0]["text"], "reported");
}

#[tokio::test]
async fn a_cancelled_call_gets_exactly_one_response() {
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2, "reason": "x"}});
    let script = Script::new()
        .send_request("call", call(2, "wait"))
        .send_request("cancel", to_server(cancelled))
        .expect_response("cancel")
        .expect_response("call");
    let heard = heard(script).await;
    assert_eq!(answer(&heard, "cancel")["subtype"], "success");
    assert_eq!(answer(&heard, "call")["response"]["mcp_response"]["result"], Value::Null);
}

#[tokio::test]
async fn an_unexpected_response_is_acknowledged() {
    let stray = to_server(json!({"jsonrpc": "2.0", "id": 99, "result": {}}));
    let heard = heard(Script::new().send_request("stray", stray).expect_response("stray")).await;
    assert_eq!(answer(&heard, "stray")["subtype"], "success");
}
