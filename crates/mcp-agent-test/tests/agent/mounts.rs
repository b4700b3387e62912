//! In-process servers, mounted in a session of the real CLI.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_agent::hook::PreToolUse;
use mcp_agent::{Agent, Decision, Hook, Session, TurnFailure};
use mcp_agent_test::{Block, ToolResult, Turn};
use mcp_core::{Builder, Context, Json, Live, Server, tool, tools};
use serde_json::json;
use tokio::sync::{Barrier, mpsc};

use crate::test_setup::{TestSetup, ask, failed, send, setup_or_skip, within};

/// Add two numbers.
#[tool]
async fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> String {
    format!("sum={}", a + b)
}

/// Divide two numbers.
#[tool]
async fn divide(a: i64, b: i64) -> Result<i64, String> {
    a.checked_div(b).ok_or_else(|| "division by zero".to_owned())
}

/// Panic.
#[tool]
async fn burst() -> String {
    panic!("secret panic message")
}

/// A place.
#[derive(serde::Serialize, schemars::JsonSchema)]
struct Place {
    city: String,
}

/// Say where we are.
#[tool]
async fn locate() -> Json<Place> {
    Json(Place { city: "Bern".into() })
}

/// Wait until all callers have arrived.
#[tool(read_only)]
async fn meet(barrier: &Barrier) -> &'static str {
    barrier.wait().await;
    "met"
}

/// Reports to the test how a call ends.
struct Log(mpsc::UnboundedSender<&'static str>);

struct OnDrop(mpsc::UnboundedSender<&'static str>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

/// Wait forever.
#[tool]
async fn wait(log: &Log) -> &'static str {
    let _on_drop = OnDrop(log.0.clone());
    let _ = log.0.send("called");
    std::future::pending().await
}

/// Wait for the end of the call, on a thread.
#[tool]
fn block(log: &Log, cx: &Context) -> &'static str {
    let _ = log.0.send("called");
    while !cx.is_cancelled() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = log.0.send("cancelled");
    "cancelled"
}

#[derive(Default)]
struct Calls(AtomicUsize);

/// Count the calls of this session.
#[tool]
async fn count(calls: &Calls) -> usize {
    calls.0.fetch_add(1, Ordering::SeqCst) + 1
}

fn calc() -> Builder {
    Server::builder("calc", "1.0.0").tools(tools![add, divide, burst, locate])
}

/// Opens a session in which all tools are allowed.
async fn open(agent: Agent) -> Session {
    within(agent.allow_tools(["mcp__calc__*", "mcp__other__*"]).open()).await.unwrap()
}

/// Lets the model use one tool of `calc` and returns the result that the model received.
async fn used(setup: &TestSetup, session: &mut Session, tool: &str, input: serde_json::Value) -> ToolResult {
    assert_eq!(ask(session, [Turn::tool(format!("mcp__calc__{tool}"), input), Turn::text("done")]).await, "done");
    setup.model.tool_results().pop().expect("a result")
}

#[tokio::test]
async fn the_model_can_call_a_mounted_tool_and_gets_its_result() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().mount("calc", calc())).await;
    let result = used(&setup, &mut session, "add", json!({"a": 2, "b": 3})).await;
    assert_eq!((result.text.as_str(), result.is_error), ("sum=5", false));
    let request = &setup.model.requests()[0];
    let offered = request.tool("mcp__calc__add").unwrap();
    assert_eq!(offered["description"], "Add two numbers.");
    assert_eq!(offered["input_schema"]["properties"]["a"]["description"], "left addend");
    assert_eq!(offered["input_schema"]["required"], json!(["a", "b"]));
}

#[tokio::test]
async fn a_value_of_a_session_belongs_to_one_session_of_the_agent() {
    let setup = setup_or_skip!();
    let server = Live::new(Server::builder("calc", "1.0.0").session_state(Calls::default).tools(tools![count])).unwrap();
    let mut one = open(setup.agent().mount("calc", server.clone())).await;
    let mut two = open(setup.agent().mount("calc", server)).await;
    for (session, expected) in [(&mut one, "1"), (&mut two, "1")] {
        assert_eq!(used(&setup, session, "count", json!({})).await.text, expected);
    }
    assert_eq!(used(&setup, &mut one, "count", json!({})).await.text, "2");
}

#[tokio::test]
async fn the_model_gets_the_structured_output_of_a_tool() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().mount("calc", calc())).await;
    let result = used(&setup, &mut session, "locate", json!({})).await;
    assert_eq!(serde_json::from_str::<serde_json::Value>(&result.text).unwrap(), json!({"city": "Bern"}));
}

#[tokio::test]
async fn the_model_gets_the_error_of_a_failed_tool_and_of_invalid_arguments() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().mount("calc", calc())).await;
    let failed = used(&setup, &mut session, "divide", json!({"a": 1, "b": 0})).await;
    assert_eq!((failed.text.as_str(), failed.is_error), ("division by zero", true));
    let wrong = used(&setup, &mut session, "add", json!({"a": "two"})).await;
    assert!(
        wrong.is_error && wrong.text.contains("`a`: expected an integer") && wrong.text.contains("`b`: missing"),
        "{wrong:?}"
    );
}

#[tokio::test]
async fn a_panic_in_a_tool_gives_an_error_without_the_panic_message() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().mount("calc", calc())).await;
    let burst = used(&setup, &mut session, "burst", json!({})).await;
    assert!(burst.is_error && !burst.text.contains("secret"), "{burst:?}");
    assert_eq!(used(&setup, &mut session, "add", json!({"a": 1, "b": 1})).await.text, "sum=2");
}

#[tokio::test]
async fn read_only_tools_run_concurrently() {
    let setup = setup_or_skip!();
    let server = Server::builder("calc", "1.0.0").tools(tools![meet]).state(Barrier::new(3));
    let mut session = open(setup.agent().mount("calc", server)).await;
    let meeting = Turn::of((0..3).map(|_| Block::tool("mcp__calc__meet", json!({}))));
    assert_eq!(ask(&mut session, [meeting, Turn::text("done")]).await, "done");
    let texts: Vec<String> = setup.model.tool_results().into_iter().map(|result| result.text).collect();
    assert_eq!(texts, ["met", "met", "met"]);
}

#[tokio::test]
async fn two_servers_can_have_a_tool_of_the_same_name() {
    struct Name(String);
    /// Say who this is.
    #[tool]
    async fn who(name: &Name) -> String {
        name.0.clone()
    }
    let setup = setup_or_skip!();
    let server = |name: &str| Server::builder(name, "1.0.0").tools(tools![who]).state(Name(format!("I am {name}")));
    let mut session = open(setup.agent().mount("calc", server("calc")).mount("other", server("other"))).await;
    let both = Turn::of([Block::tool("mcp__other__who", json!({})), Block::tool("mcp__calc__who", json!({}))]);
    ask(&mut session, [both, Turn::text("done")]).await;
    let texts: Vec<String> = setup.model.tool_results().into_iter().map(|result| result.text).collect();
    assert_eq!(texts, ["I am other", "I am calc"]);
    let status = within(session.handle().mcp_status()).await.unwrap();
    let connected = status.iter().filter(|server| server.status == "connected").map(|server| server.name.as_str());
    assert_eq!(connected.collect::<Vec<_>>(), ["calc", "other"]);
}

#[tokio::test]
async fn an_interrupt_cancels_async_and_blocking_tools() {
    for (tool, end) in [("wait", "dropped"), ("block", "cancelled")] {
        let setup = setup_or_skip!();
        let (sender, mut log) = mpsc::unbounded_channel();
        let server = Server::builder("calc", "1.0.0").tools(tools![wait, block]).state(Log(sender));
        let mut session = open(setup.agent().mount("calc", server)).await;
        send(&session, [Turn::tool(format!("mcp__calc__{tool}"), json!({})), Turn::text("never said")]).await;
        assert_eq!(within(log.recv()).await, Some("called"));
        within(session.interrupt()).await.unwrap();
        assert_eq!(within(log.recv()).await, Some(end));
        assert_eq!(failed(&mut session).await, TurnFailure::Interrupted);
        assert_eq!(ask(&mut session, [Turn::text("still here")]).await, "still here");
        within(session.close()).await.unwrap();
    }
}

#[tokio::test]
async fn a_tool_that_exceeds_its_time_limit_is_cancelled() {
    let setup = setup_or_skip!();
    let (sender, mut log) = mpsc::unbounded_channel();
    let server = Server::builder("calc", "1.0.0").tools(tools![wait]).state(Log(sender));
    let mut session = open(setup.agent().mount_with_timeout("calc", server, Duration::from_secs(1))).await;
    let result = used(&setup, &mut session, "wait", json!({})).await;
    assert!(result.is_error, "{result:?}");
    assert_eq!(within(log.recv()).await, Some("called"));
    assert_eq!(within(log.recv()).await, Some("dropped"));
}

#[tokio::test]
async fn closing_the_session_cancels_its_tools() {
    let setup = setup_or_skip!();
    let (sender, mut log) = mpsc::unbounded_channel();
    let server = Server::builder("calc", "1.0.0").tools(tools![wait]).state(Log(sender));
    let session = open(setup.agent().mount("calc", server)).await;
    send(&session, [Turn::tool("mcp__calc__wait", json!({}))]).await;
    assert_eq!(within(log.recv()).await, Some("called"));
    drop(session);
    assert_eq!(within(log.recv()).await, Some("dropped"));
}

#[tokio::test]
async fn hooks_and_the_permission_callback_get_the_server_of_the_tool() {
    let setup = setup_or_skip!();
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let (by_hook, by_callback) = (Arc::clone(&asked), Arc::clone(&asked));
    let agent = setup.agent().mount("calc", calc());
    let agent = agent.hook(Hook::<PreToolUse>::new().matcher("mcp__calc__.*"), move |call| {
        by_hook.lock().unwrap().push(format!("hook {}", call.tool_name));
        async {}
    });
    let agent = agent.permission(move |ask| {
        let server = ask.mcp_server.as_ref().map(|server| server.name.clone()).unwrap_or_default();
        by_callback.lock().unwrap().push(format!("permission {} of {server}", ask.tool_name));
        async { Decision::allow().with_input(json!({"a": 40, "b": 2})) }
    });
    let mut session = within(agent.open()).await.unwrap();
    let result = used(&setup, &mut session, "add", json!({"a": 1, "b": 1})).await;
    assert_eq!(result.text, "sum=42");
    assert_eq!(*asked.lock().unwrap(), ["hook mcp__calc__add", "permission mcp__calc__add of calc"]);
}

#[tokio::test]
async fn a_server_can_be_disabled_and_enabled() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().mount("calc", calc())).await;
    within(session.handle().mcp_toggle("calc", false)).await.unwrap();
    ask(&mut session, [Turn::text("off")]).await;
    within(session.handle().mcp_toggle("calc", true)).await.unwrap();
    assert_eq!(used(&setup, &mut session, "add", json!({"a": 2, "b": 2})).await.text, "sum=4");
    let offered: Vec<bool> =
        setup.model.requests().iter().map(|request| request.tools().contains(&"mcp__calc__add")).collect();
    assert_eq!(offered, [false, true, true]);
}

#[tokio::test]
async fn an_always_load_tool_is_offered_while_tool_search_hides_the_others() {
    /// Be there from the start.
    #[tool(always_load)]
    async fn ready() -> &'static str {
        "ready"
    }
    let setup = setup_or_skip!();
    let server = Server::builder("calc", "1.0.0").tools(tools![add, ready]);
    let mut session = open(setup.agent().env_remove("ENABLE_TOOL_SEARCH").mount("calc", server)).await;
    assert_eq!(used(&setup, &mut session, "ready", json!({})).await.text, "ready");
    let request = &setup.model.requests()[0];
    assert!(request.tools().contains(&"mcp__calc__ready") && !request.tools().contains(&"mcp__calc__add"));
}

#[tokio::test]
async fn opening_fails_if_a_mounted_server_is_invalid() {
    let twice = Server::builder("calc", "1.0.0").tools(tools![add]).tools(tools![add]);
    let error = within(Agent::new().mount("calc", twice).open()).await.unwrap_err();
    assert!(matches!(&error, mcp_agent::Error::Mount { name, .. } if name == "calc"), "{error}");
}
