//! Every control request of the CLI gets exactly one response, at any time of the session.

use std::sync::Arc;
use std::time::Duration;

use mcp_agent::hook::PreToolUse;
use mcp_agent::{Decision, Hook, HookOutput};
use mcp_agent_test::{Script, ScriptedCli};
use mcp_core::Server;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{in_memory, messages};
use crate::test_setup::within;

fn may_use(tool: &str) -> Value {
    json!({"subtype": "can_use_tool", "tool_name": tool, "input": {}, "tool_use_id": tool})
}

/// Returns the responses that the CLI received to its request `id`.
fn answers(cli: &ScriptedCli, id: &str) -> Vec<Value> {
    let frames = cli.received().into_iter().filter(|frame| frame["type"] == "control_response");
    frames.map(|frame| frame["response"].clone()).filter(|response| response["request_id"] == id).collect()
}

#[tokio::test(start_paused = true)]
async fn a_permission_request_long_after_the_result_is_answered() {
    let script = Script::new()
        .initialize()
        .prompt()
        .running()
        .text("that is all")
        .result("that is all")
        .sleep(Duration::from_secs(2))
        .send_request("late", may_use("Bash"))
        .expect_response("late")
        .idle();
    let cli = ScriptedCli::new(script);
    let agent = in_memory(&cli).permission(|_| async { Decision::deny("too late") });
    let result = within(agent.query("go").result()).await.unwrap();
    assert_eq!(result.result.as_deref(), Some("that is all"));
    let expected = json!({"behavior": "deny", "message": "too late", "toolUseID": "Bash"});
    assert_eq!(answers(&cli, "late")[0]["response"], expected);
}

#[tokio::test(start_paused = true)]
async fn a_mounted_server_answers_long_after_the_result() {
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let script = Script::new()
        .initialize()
        .prompt()
        .running()
        .result("that is all")
        .sleep(Duration::from_secs(2))
        .send_request("late", json!({"subtype": "mcp_message", "server_name": "calc", "message": ping}))
        .expect_response("late")
        .idle();
    let cli = ScriptedCli::new(script);
    let agent = in_memory(&cli).mount("calc", Server::builder("calc", "1.0.0"));
    within(agent.query("go").result()).await.unwrap();
    let heard = answers(&cli, "late");
    assert_eq!(heard[0]["response"]["mcp_response"], json!({"jsonrpc": "2.0", "id": 1, "result": {}}), "{heard:?}");
}

#[tokio::test]
async fn a_slow_callback_does_not_delay_other_callbacks() {
    let script = Script::new()
        .initialize()
        .prompt()
        .send_request("slow", may_use("Slow"))
        .send_request("quick", may_use("Quick"))
        .expect_response("quick")
        .text("the quick one came first")
        .expect_response("slow")
        .result("done");
    let cli = ScriptedCli::new(script);
    let wake = Arc::new(Notify::new());
    let alarm = Arc::clone(&wake);
    let agent = in_memory(&cli).permission(move |ask| {
        let wake = Arc::clone(&wake);
        async move {
            if ask.tool_name == "Slow" {
                wake.notified().await;
            }
            Decision::allow()
        }
    });
    let mut session = within(agent.open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    while within(session.next()).await.unwrap().expect("a text").text() != Some("the quick one came first") {}
    alarm.notify_one();
    messages(&mut session).await.unwrap();
    assert_eq!((answers(&cli, "slow").len(), answers(&cli, "quick").len()), (1, 1));
}

#[tokio::test]
async fn a_panicking_or_missing_callback_gives_exactly_one_response() {
    let hook = json!({"subtype": "hook_callback", "callback_id": "$initialize/request/hooks/PreToolUse/0/hookCallbackIds/0",
        "input": {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}, "tool_use_id": "t"});
    let questions = [
        ("panics", may_use("Bash")),
        ("hook", hook),
        ("no hook", json!({"subtype": "hook_callback", "callback_id": "nobody", "input": {}})),
        (
            "no server",
            json!({"subtype": "mcp_message", "server_name": "nobody", "message": {"jsonrpc": "2.0", "id": 0, "method": "ping"}}),
        ),
        ("no message", json!({"subtype": "mcp_message", "server_name": "nobody"})),
        ("unknown", json!({"subtype": "from_the_future"})),
        ("nothing", json!({})),
        ("not even", json!("an object")),
        ("elicitation", json!({"subtype": "elicitation", "mcp_server_name": "s", "message": "m"})),
    ];
    let mut script = Script::new().initialize().prompt();
    for (id, request) in &questions {
        script = script.send_request(id, request.clone()).expect_response(id);
    }
    let cli = ScriptedCli::new(script.result("done"));
    let agent = in_memory(&cli).permission(|_| async { panic!("on purpose") });
    let agent = agent.hook(Hook::<PreToolUse>::new(), |call| async move {
        assert!(call.tool_name.is_empty(), "on purpose");
        HookOutput::pass()
    });
    let mut session = within(agent.open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    messages(&mut session).await.unwrap();
    within(session.close()).await.unwrap();
    for (id, _) in &questions {
        assert_eq!(answers(&cli, id).len(), 1, "{id}");
    }
    assert_eq!(answers(&cli, "panics")[0]["response"]["behavior"], "deny");
    assert_eq!(answers(&cli, "unknown")[0]["error_code"], "unsupported_request");
    for id in ["hook", "no hook", "no server", "no message", "nothing", "not even"] {
        assert_eq!(answers(&cli, id)[0]["subtype"], "error", "{id}");
    }
}

#[tokio::test]
async fn a_cancelled_request_cancels_only_its_own_callback() {
    let script = Script::new()
        .initialize()
        .prompt()
        .send_request("taken back", may_use("Bash"))
        .send_request("other", may_use("Other"))
        .prompt()
        .emit(json!({"type": "control_cancel_request", "request_id": "nobody's"}))
        .emit(json!({"type": "control_cancel_request", "request_id": "taken back"}))
        .prompt()
        .result("done");
    let cli = ScriptedCli::new(script);
    let (record, mut events) = tokio::sync::mpsc::unbounded_channel();
    let wake = Arc::new(Notify::new());
    let alarm = Arc::clone(&wake);
    let agent = in_memory(&cli).permission(move |ask| {
        let (wake, notify_on_drop) = (Arc::clone(&wake), NotifyOnDrop(ask.tool_name.clone(), record.clone()));
        let _ = record.send(format!("asked about {}", ask.tool_name));
        async move {
            let _notify_on_drop = notify_on_drop;
            wake.notified().await;
            Decision::allow()
        }
    });
    let mut session = within(agent.open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    assert_eq!(within(events.recv()).await.as_deref(), Some("asked about Bash"));
    assert_eq!(within(events.recv()).await.as_deref(), Some("asked about Other"));
    within(session.send("take it back")).await.unwrap();
    assert_eq!(within(events.recv()).await.as_deref(), Some("done with Bash"));
    alarm.notify_waiters();
    assert_eq!(within(events.recv()).await.as_deref(), Some("done with Other"));
    within(session.send("and finish")).await.unwrap();
    messages(&mut session).await.unwrap();
    within(session.close()).await.unwrap();
    let taken_back = answers(&cli, "taken back");
    assert_eq!((taken_back.len(), &taken_back[0]["subtype"]), (1, &json!("error")));
    assert_eq!(answers(&cli, "other")[0]["response"]["behavior"], "allow");
}

struct NotifyOnDrop(String, tokio::sync::mpsc::UnboundedSender<String>);

impl Drop for NotifyOnDrop {
    fn drop(&mut self) {
        let _ = self.1.send(format!("done with {}", self.0));
    }
}
