//! The exit of a CLI: by request, by a crash, and by force.

use std::time::Duration;

use mcp_agent::{Error, ShutdownTimeouts};
use mcp_agent_test::{Script, ScriptedProgram};
use serde_json::json;

use super::{messages, program, with_program};
use crate::processes::{exists, gone, was_ended_by};
use crate::test_setup::within;

const SHORT_TIMEOUTS: ShutdownTimeouts = ShutdownTimeouts::new(Duration::from_millis(200), Duration::from_millis(200));

fn stubborn() -> Script {
    Script::new().initialize().ignore_term().grandchild().prompt().text("here I stand").hang()
}

async fn open_stubborn(cli: &ScriptedProgram) -> mcp_agent::Session {
    let mut session = within(with_program(cli).shutdown_timeouts(SHORT_TIMEOUTS).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    while within(session.next()).await.unwrap().expect("a text").text() != Some("here I stand") {}
    session
}

#[tokio::test]
async fn close_kills_an_unresponsive_cli_and_its_child_processes() {
    let cli = program(stubborn());
    let session = open_stubborn(&cli).await;
    let pid = session.pid().unwrap();
    let ending = within(session.close()).await.unwrap();
    assert!(was_ended_by(9, ending.status.unwrap()));
    assert!(!exists(pid), "not reaped");
    gone(cli.grandchildren()[0]).await;
}

#[tokio::test]
async fn drop_kills_an_unresponsive_cli_and_its_child_processes() {
    let cli = program(stubborn());
    let session = open_stubborn(&cli).await;
    let pid = session.pid().unwrap();
    drop(session);
    within(async {
        while exists(pid) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
    gone(cli.grandchildren()[0]).await;
}

#[test]
fn runtime_shutdown_kills_the_cli() {
    let cli = program(stubborn());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let session = runtime.block_on(open_stubborn(&cli));
    let pid = session.pid().unwrap();
    drop(runtime);
    assert!(!exists(pid), "not reaped");
    drop(session);
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(gone(cli.grandchildren()[0]));
}

#[tokio::test]
async fn dropping_the_connect_future_leaves_no_process() {
    let cli = program(Script::new().ignore_term().grandchild().hang());
    let opening = tokio::spawn(with_program(&cli).shutdown_timeouts(SHORT_TIMEOUTS).open());
    within(async {
        while cli.grandchildren().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
    opening.abort();
    gone(cli.grandchildren()[0]).await;
    gone(cli.started()[0].pid).await;
}

#[tokio::test]
async fn a_grandchild_that_keeps_the_pipe_open_does_not_delay_shutdown() {
    let cli = program(Script::new().initialize().prompt().text("bye").grandchild().result("bye").exit(0));
    let mut session = within(with_program(&cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let heard = messages(&mut session).await.unwrap();
    assert!(heard.iter().any(|message| message.text() == Some("bye")));
    within(session.close()).await.unwrap();
    gone(cli.grandchildren()[0]).await;
}

#[tokio::test]
async fn the_cli_can_still_write_during_the_shutdown_timeout() {
    let script = Script::new().initialize().prompt().result("done").wait_for_eof().text("last words").exit(0);
    let cli = program(script);
    let session = within(with_program(&cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let (handle, mut rest) = session.split();
    while !matches!(within(rest.next()).await.unwrap(), Some(mcp_agent::Message::Result(_))) {}
    within(handle.close()).await;
    assert_eq!(
        within(rest.next()).await.unwrap().and_then(|message| message.text().map(str::to_owned)).as_deref(),
        Some("last words")
    );
    assert!(within(rest.next()).await.unwrap().is_none());
}

#[tokio::test]
async fn a_cli_crash_fails_requests_in_flight_with_exit_status_and_stderr() {
    let waits_for_interrupt = json!({"type": "control_request", "request": {"subtype": "interrupt"}});
    let script = Script::new().initialize().prompt().expect(waits_for_interrupt).stderr("out of memory\n").exit(3);
    let cli = program(script);
    let mut session = within(with_program(&cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let error = within(session.interrupt()).await.unwrap_err();
    assert_eq!(error.ending().unwrap().status.unwrap().code(), Some(3));
    assert!(error.to_string().contains("out of memory"), "{error}");
    let error = messages(&mut session).await.unwrap_err();
    assert!(matches!(&error, Error::Ended(ended) if ended.ending.stderr.contains("out of memory")), "{error}");
    assert!(within(session.next()).await.unwrap().is_none(), "the error is returned once");
    assert!(within(session.send("again")).await.is_err());
}

#[tokio::test]
async fn the_error_after_a_fatal_signal_has_the_signal() {
    let cli = program(Script::new().initialize().prompt().die_by_signal(11));
    let mut session = within(with_program(&cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let error = messages(&mut session).await.unwrap_err();
    assert!(was_ended_by(11, error.ending().unwrap().status.unwrap()));
}
