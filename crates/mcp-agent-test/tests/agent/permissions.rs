//! Permission requests of the real CLI.

use std::sync::{Arc, Mutex};

use mcp_agent::{Agent, Decision, Session, TurnFailure};
use mcp_agent_test::Turn;
use serde_json::{Value, json};

use crate::test_setup::{ask, failed, read_run, send, setup_or_skip, within};

/// A turn that creates a file, which needs permission, and a turn with the text "done".
fn touching(file: &str) -> [Turn; 2] {
    let input = json!({"command": format!("touch {file} && echo touched"), "description": "touch"});
    [Turn::tool("Bash", input), Turn::text("done")]
}

async fn open(agent: Agent) -> Session {
    within(agent.open()).await.unwrap()
}

#[tokio::test]
async fn allowing_runs_the_tool_with_its_original_input() {
    let setup = setup_or_skip!();
    let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
    let notes = Arc::clone(&asked);
    let agent = setup.agent().permission(move |ask| {
        notes.lock().unwrap().push(json!([ask.tool_name, ask.input["command"]]));
        async { Decision::allow() }
    });
    let mut session = open(agent).await;
    assert_eq!(ask(&mut session, touching("made")).await, "done");
    assert_eq!(*asked.lock().unwrap(), [json!(["Bash", "touch made && echo touched"])]);
    assert!(setup.sandbox.work().join("made").exists());
    let results = setup.model.tool_results();
    assert_eq!((results[0].text.as_str(), results[0].is_error), ("touched", false));
}

#[tokio::test]
async fn allowing_with_another_input_runs_the_tool_with_that_input() {
    let setup = setup_or_skip!();
    let agent = setup.agent().permission(|_| async {
        Decision::allow().with_input(json!({"command": "touch other && echo changed", "description": "touch"}))
    });
    let mut session = open(agent).await;
    ask(&mut session, touching("made")).await;
    assert!(setup.sandbox.work().join("other").exists() && !setup.sandbox.work().join("made").exists());
    assert_eq!(setup.model.tool_results()[0].text, "changed");
}

#[tokio::test]
async fn a_denial_reaches_the_model_and_is_listed_in_the_result() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().permission(|_| async { Decision::deny("not today") })).await;
    send(&session, touching("made")).await;
    let (_, result) = read_run(&mut session).await;
    assert_eq!(result.permission_denials[0].tool_name, "Bash");
    assert!(!setup.sandbox.work().join("made").exists());
    let results = setup.model.tool_results();
    assert_eq!((results[0].text.as_str(), results[0].is_error), ("not today", true));
}

#[tokio::test]
async fn a_denial_that_interrupts_ends_the_turn_but_not_the_session() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().permission(|_| async { Decision::deny("stop it").and_interrupt() })).await;
    send(&session, touching("made")).await;
    assert_eq!(failed(&mut session).await, TurnFailure::Interrupted);
    assert_eq!(setup.model.requests().len(), 1);
    assert_eq!(ask(&mut session, [Turn::text("still here")]).await, "still here");
}

#[tokio::test]
async fn a_panicking_permission_callback_denies_the_tool_use() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().permission(|_| async { panic!("on purpose") })).await;
    assert_eq!(ask(&mut session, touching("made")).await, "done");
    assert!(!setup.sandbox.work().join("made").exists());
    assert!(setup.model.tool_results()[0].is_error);
}

#[tokio::test]
async fn a_remembered_permission_is_not_requested_again() {
    let setup = setup_or_skip!();
    let asked: Arc<Mutex<u32>> = Arc::default();
    let count = Arc::clone(&asked);
    let agent = setup.agent().permission(move |ask| {
        *count.lock().unwrap() += 1;
        async move {
            let suggestions = ask.permission_suggestions.clone().into_iter();
            Decision::allow()
                .and_remember(suggestions.map(|update| update.destination(mcp_agent::PermissionDestination::Session)))
        }
    });
    let mut session = open(agent).await;
    ask(&mut session, touching("made")).await;
    ask(&mut session, touching("made")).await;
    assert_eq!(*asked.lock().unwrap(), 1);
}

#[tokio::test]
async fn an_interrupt_drops_the_future_of_the_permission_callback() {
    let setup = setup_or_skip!();
    let (asked, mut was_asked) = tokio::sync::mpsc::unbounded_channel();
    let agent = setup.agent().permission(move |_| {
        let notify_on_drop = Dropped(asked.clone());
        notify_on_drop.0.send("asked").unwrap();
        async move {
            let _notify_on_drop = notify_on_drop;
            std::future::pending().await
        }
    });
    let mut session = open(agent).await;
    send(&session, touching("made")).await;
    assert_eq!(within(was_asked.recv()).await, Some("asked"));
    within(session.interrupt()).await.unwrap();
    assert_eq!(failed(&mut session).await, TurnFailure::Interrupted);
    assert_eq!(within(was_asked.recv()).await, Some("dropped"));
}

struct Dropped(tokio::sync::mpsc::UnboundedSender<&'static str>);

impl Drop for Dropped {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

#[tokio::test]
async fn without_a_permission_callback_the_tool_use_is_denied() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent()).await;
    assert_eq!(ask(&mut session, touching("made")).await, "done");
    assert!(!setup.sandbox.work().join("made").exists());
}
