//! Server processes that exit or are killed, on Windows. `process.rs` has more tests, which need programs of Unix.

use std::process::{Command, Stdio};
use std::time::Duration;

use interop::example_of;
use mcp_client::{CallError, Client, ConnectError, Recovery, Revision, State};
use mcp_os_windows::is_running;
use serde_json::json;

use crate::within;

fn server(package: &'static str, name: &'static str) -> Command {
    // On a thread of its own, because it may be built with a runtime of its own.
    Command::new(std::thread::spawn(move || example_of(package, name)).join().expect("the example builds"))
}

fn ledger(name: &str) -> Command {
    let mut command = server("mcp-client", "ledger");
    command.env("LEDGER", std::env::temp_dir().join(format!("mcp-client-{name}-{}", std::process::id())));
    command
}

/// Ends a process, but not those that it has started.
fn kill(process: u32) {
    let mut kill = Command::new("taskkill");
    kill.args(["/F", "/PID", &process.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(kill.status().unwrap().success());
}

async fn ends(process: u32) {
    within(async {
        while is_running(process) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_killed_server_is_started_again_and_the_states_tell_it() {
    let client = Client::spawn(ledger("killed")).await.unwrap();
    let first = client.process_id().unwrap();
    let mut states = client.states();
    kill(first);
    let mut seen = Vec::new();
    while seen.last() != Some(&State::Connected) {
        seen.push(within(states.next()).await.unwrap());
    }
    assert!(seen.contains(&State::Connecting), "{seen:?}");
    assert_ne!(client.process_id().unwrap(), first);
    assert_eq!(client.call("append", json!({"line": "x"})).await.unwrap().to_text(), "x");
    client.close().await;
}

#[tokio::test]
async fn a_call_that_the_server_had_begun_is_not_sent_again() {
    for revision in [Revision::V2025_11_25, Revision::NEWEST] {
        let client = Client::spawn(ledger("begun")).revision(revision).await.unwrap();
        let mut call = client.call("hang", ()).start();
        tokio::select! {
            result = &mut call => panic!("{result:?}"),
            // The server answers it only after it has read the call before it.
            pong = client.ping() => pong.unwrap(),
        }
        kill(client.process_id().unwrap());
        let error = within(call).await.unwrap_err();
        assert!(matches!(&error, CallError::Lost { begun: true, .. }), "{error}");
        assert!(!error.not_begun());
        within(client.ping()).await.unwrap();
    }
}

#[tokio::test]
async fn a_server_that_does_not_end_with_its_input_is_ended_with_the_processes_that_it_has_started() {
    let mut command = server("torture", "torture");
    // At the end of its input it sleeps.
    command.arg("--stubborn");
    let client = Client::spawn(command).await.unwrap();
    let process = client.process_id().unwrap();
    let child: u32 = client.call_as("leave_child", ()).await.unwrap();
    assert!(is_running(process) && is_running(child));
    within(client.close()).await;
    ends(process).await;
    ends(child).await;
}

#[tokio::test]
async fn a_program_that_does_not_start_is_named() {
    let error = Client::spawn(Command::new(r"C:\no\such\program.exe")).await.unwrap_err();
    assert!(matches!(&error, ConnectError::Start { program, .. } if program == r"C:\no\such\program.exe"), "{error}");
}

#[tokio::test]
async fn without_recovery_a_lost_connection_stays_lost() {
    let client = Client::spawn(ledger("off")).recovery(Recovery::off()).await.unwrap();
    let mut states = client.states();
    kill(client.process_id().unwrap());
    assert_eq!(within(states.next()).await, Some(State::Failed));
    let error = within(client.ping()).await.unwrap_err();
    assert!(error.not_begun() && matches!(error, CallError::Connect(_)), "{error:?}");
}

#[tokio::test]
async fn dropping_the_last_handle_ends_the_server() {
    let client = Client::spawn(ledger("dropped")).await.unwrap();
    let process = client.process_id().unwrap();
    let other = client.clone();
    drop(client);
    other.ping().await.unwrap();
    drop(other);
    ends(process).await;
}

#[tokio::test]
async fn the_exit_status_and_standard_error_are_in_the_message() {
    let mut command = server("torture", "torture");
    command.arg("--broken");
    let error = within(Client::spawn(command).into_future()).await.unwrap_err().to_string();
    assert!(error.contains("exit code: 2") && error.contains("echo"), "{error}");
}
