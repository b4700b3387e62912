//! Failed turns of the real CLI.

use std::path::Path;
use std::time::Duration;

use mcp_agent::{Error, Message, TurnFailure};
use mcp_agent_test::{ApiError, Turn};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::test_setup::{ask, failed, failure, read_run, send, setup_or_skip, within};

#[tokio::test]
async fn too_many_turns_are_an_error_and_the_session_stays_usable() {
    let setup = setup_or_skip!();
    let agent = setup.agent().max_turns(1).allow_tools(["Bash"]);
    let mut session = within(agent.open()).await.unwrap();
    let echo = Turn::tool("Bash", json!({"command": "echo hi", "description": "say"}));
    send(&session, [echo, Turn::text("never said")]).await;
    assert_eq!(failed(&mut session).await, TurnFailure::MaxTurns);
    assert_eq!(ask(&mut session, [Turn::text("still here")]).await, "still here");
}

#[tokio::test]
async fn a_session_that_does_not_exist_cannot_be_resumed() {
    let setup = setup_or_skip!();
    let nobody = "00000000-0000-4000-8000-000000000000";
    let error = within(setup.agent().resume(nobody).open()).await.unwrap_err();
    let ending = error.ending().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(ending.status.unwrap().code(), Some(1));
    assert!(ending.stderr.contains(nobody), "{ending}");
}

#[tokio::test]
async fn an_api_error_is_retried_and_then_returned_with_its_status() {
    let setup = setup_or_skip!();
    let agent = setup.agent().env("CLAUDE_CODE_MAX_RETRIES", "2");
    let mut session = within(agent.open()).await.unwrap();
    send(&session, [Turn::error(ApiError::new(529).retry_after(0))]).await;
    let mut retries = Vec::new();
    let error = loop {
        match within(session.next()).await {
            Ok(Some(Message::ApiRetry(retry))) => retries.push((retry.attempt, retry.error_status)),
            Ok(Some(_)) => {}
            Ok(None) => panic!("the run ended without an error"),
            Err(Error::Turn(error)) => break error,
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(retries, [(1, Some(529)), (2, Some(529))]);
    assert!(matches!(error.failure, TurnFailure::Api { status: Some(529), .. }), "{error}");
    assert_eq!(setup.model.requests().len(), 3);
}

#[tokio::test]
async fn a_rejected_api_key_is_an_api_error() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().env("CLAUDE_CODE_MAX_RETRIES", "0").open()).await.unwrap();
    send(&session, [Turn::error(ApiError::new(401).message("invalid x-api-key"))]).await;
    let error = failure(&mut session).await;
    assert!(matches!(error.failure, TurnFailure::Api { status: Some(401), .. }), "{error}");
}

#[tokio::test]
async fn a_broken_stream_is_retried() {
    let setup = setup_or_skip!();
    setup.model.push(Turn::text("cut off").dropped());
    setup.model.push(Turn::text("whole"));
    let mut session = within(setup.agent().open()).await.unwrap();
    within(session.send("hello?")).await.unwrap();
    assert_eq!(read_run(&mut session).await.1.result.as_deref(), Some("whole"));
}

#[tokio::test]
async fn an_interrupt_ends_the_turn_and_the_session_stays_usable() {
    let setup = setup_or_skip!();
    let pause = setup.model.pause_point("never released");
    let mut session = within(setup.agent().open()).await.unwrap();
    send(&session, [Turn::text("some words and then").pause_midway(&pause)]).await;
    within(pause.reached()).await;
    within(session.interrupt()).await.unwrap();
    assert_eq!(failed(&mut session).await, TurnFailure::Interrupted);
    within(setup.model.wait_until_idle()).await;
    assert!(setup.model.requests()[0].client_disconnected());
    assert_eq!(ask(&mut session, [Turn::text("still here")]).await, "still here");
}

#[tokio::test]
async fn an_interrupt_ends_a_running_command() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().allow_tools(["Bash"]).open()).await.unwrap();
    let started = setup.sandbox.work().join("started");
    let command = "echo $$ > started.tmp && mv started.tmp started && exec sleep 50";
    let slow = Turn::tool("Bash", json!({"command": command, "description": "wait", "timeout": 60_000}));
    send(&session, [slow, Turn::text("never said")]).await;
    let pid = within(content_of(&started)).await;
    within(session.interrupt()).await.unwrap();
    assert_eq!(failed(&mut session).await, TurnFailure::Interrupted);
    within(gone(pid.trim().parse().unwrap())).await;
    assert_eq!(ask(&mut session, [Turn::text("still here")]).await, "still here");
    assert_eq!(setup.model.requests().len(), 2, "the interrupted turn sent another request");
}

/// Waits until a file exists and returns its content.
async fn content_of(path: &Path) -> String {
    loop {
        if let Ok(content) = std::fs::read_to_string(path) {
            return content;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until a process has ended.
async fn gone(pid: i32) {
    while rustix::process::test_kill_process(Pid::from_raw(pid).unwrap()).is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn killing_the_cli_during_a_turn_fails_all_pending_calls() {
    let setup = setup_or_skip!();
    let pause = setup.model.pause_point("never released");
    let mut session = within(setup.agent().open()).await.unwrap();
    send(&session, [Turn::text("some words").pause_midway(&pause)]).await;
    within(pause.reached()).await;
    let pid = Pid::from_raw(session.pid().unwrap().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    let error = loop {
        match within(session.next()).await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the run ended without an error"),
            Err(error) => break error,
        }
    };
    let signal = std::os::unix::process::ExitStatusExt::signal(&error.ending().unwrap().status.unwrap());
    assert_eq!(signal, Some(9));
    assert!(within(session.interrupt()).await.unwrap_err().ending().is_some());
    assert!(within(session.send("hello?")).await.unwrap_err().ending().is_some());
}

#[tokio::test]
async fn an_unknown_flag_gives_an_error_with_the_message_of_the_cli() {
    let setup = setup_or_skip!();
    let error = within(setup.agent().extra_arg("no-such-flag", None).open()).await.unwrap_err();
    let ending = error.ending().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(ending.status.unwrap().code(), Some(1));
    assert!(ending.stderr.contains("--no-such-flag"), "{ending}");
}
