//! Tests of control requests in both directions.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mcp_agent::hook::PreToolUse;
use mcp_agent::{Decision, Hook, HookOutput};
use serde_json::json;

use crate::double::agent;
use crate::{open, turn};

#[tokio::test]
async fn requests_are_answered_without_a_reader_and_after_the_result() {
    let (agent, mut cli) = agent();
    let session = open(agent.permission(|_| async { Decision::allow() }), &mut cli).await;
    session.send("hello").await.unwrap();
    turn(&mut cli, json!({})).await;
    for id in ["a", "b"] {
        cli.ask(id, json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {}}));
        let answer = cli.next().await;
        assert_eq!(answer["response"]["request_id"], id);
        assert_eq!(answer["response"]["response"], json!({"behavior": "allow"}));
    }
    drop(session);
}

#[tokio::test]
async fn a_cancelled_request_drops_its_future_and_is_answered_once() {
    struct Dropped(Arc<AtomicBool>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let dropped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&dropped);
    let (agent, mut cli) = agent();
    let asked = Arc::new(tokio::sync::Notify::new());
    let ask = Arc::clone(&asked);
    let agent = agent.permission(move |_| {
        let guard = Dropped(Arc::clone(&flag));
        ask.notify_one();
        async move {
            let _guard = guard;
            pending().await
        }
    });
    let session = open(agent, &mut cli).await;
    cli.ask("q", json!({"subtype": "can_use_tool"}));
    asked.notified().await;
    cli.say(json!({"type": "control_cancel_request", "request_id": "q"}));
    let answer = cli.next().await;
    assert_eq!((&answer["response"]["subtype"], &answer["response"]["request_id"]), (&json!("error"), &json!("q")));
    cli.say(json!({"type": "control_cancel_request", "request_id": "q"}));
    cli.ask("r", json!({"subtype": "nothing_known"}));
    assert_eq!(
        cli.next().await["response"]["error_code"],
        "unsupported_request",
        "the cancelled request got no second response"
    );
    assert!(dropped.load(Ordering::SeqCst));
    drop(session);
}

#[tokio::test]
async fn a_callback_that_panics_gets_a_response_and_the_session_stays_usable() {
    let (agent, mut cli) = agent();
    let agent = agent
        .permission(|_| async { panic!("permission") })
        .hook(Hook::<PreToolUse>::new(), |_| -> std::future::Ready<HookOutput<PreToolUse>> { panic!("hook") });
    let session = open(agent, &mut cli).await;
    cli.ask("a", json!({"subtype": "can_use_tool"}));
    assert_eq!(cli.next().await["response"]["response"]["behavior"], "deny");
    cli.ask("b", json!({"subtype": "hook_callback", "callback_id": "hook_0", "input": {}}));
    assert_eq!(cli.next().await["response"]["subtype"], "error");
    session.send("still there").await.unwrap();
    assert_eq!(cli.next().await["message"]["content"], "still there");
}

#[tokio::test]
async fn dropping_the_future_of_a_request_cancels_it() {
    let (agent, mut cli) = agent();
    let session = open(agent, &mut cli).await;
    let handle = session.handle();
    let request = tokio::spawn(async move { handle.mcp_status().await });
    let asked = cli.next().await;
    request.abort();
    let withdrawn = cli.next().await;
    assert_eq!((&withdrawn["type"], &withdrawn["request_id"]), (&json!("control_cancel_request"), &asked["request_id"]));
    cli.answer(&asked, json!({"mcpServers": []}));
    session.send("still open").await.unwrap();
    assert_eq!(cli.next().await["type"], "user");
}
