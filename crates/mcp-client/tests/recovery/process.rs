//! Server processes that exit or are killed.
//
// The tests of `windows.rs` that check the same, or the reason why there is none:
// - a_killed_server_is_started_again_and_the_states_tell_it -> a_killed_server_is_started_again_and_the_states_tell_it
// - a_call_that_the_server_had_begun_is_not_sent_again -> a_call_that_the_server_had_begun_is_not_sent_again
// - no_call_is_lost_or_done_twice_while_the_server_is_killed_again_and_again: the client has no code for one system here
// - a_program_that_does_not_start_is_named -> a_program_that_does_not_start_is_named
// - the_exit_status_and_standard_error_are_in_the_message -> the_exit_status_and_standard_error_are_in_the_message
// - a_server_that_dies_on_server_discover_is_started_again_with_initialize: the server is a script for a POSIX shell
// - a_server_that_dies_after_each_start_is_given_up: the server is a script for a POSIX shell
// - without_recovery_a_lost_connection_stays_lost -> without_recovery_a_lost_connection_stays_lost
// - a_server_that_ignores_the_end_of_its_input_and_sigterm_is_killed_with_its_children -> a_server_that_does_not_end_with_its_input_is_ended_with_the_processes_that_it_has_started
// - dropping_the_last_handle_ends_the_server -> dropping_the_last_handle_ends_the_server
// - a_server_process_does_not_see_the_environment_of_its_client: the server is a script for a POSIX shell

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use mcp_client::{CallError, Client, ConnectError, Recovery, Revision, State};
use serde_json::json;

use crate::within;

/// Returns the path of the server that records each call in a file.
fn ledger() -> &'static Path {
    static LEDGER: OnceLock<PathBuf> = OnceLock::new();
    // On a thread of its own, because it is built with a runtime of its own.
    let build = || std::thread::spawn(|| interop::example_of("mcp-client", "ledger")).join().expect("the example builds");
    LEDGER.get_or_init(build)
}

/// A command that starts it, and the file that it writes.
fn with_file(name: &str) -> (Command, PathBuf) {
    let file = std::env::temp_dir().join(format!("mcp-client-{name}-{}", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let mut command = Command::new(ledger());
    command.env("LEDGER", &file);
    (command, file)
}

fn kill(client: &Client) {
    let id = client.process_id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    if let Some(id) = id {
        let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
    }
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

#[tokio::test]
async fn a_killed_server_is_started_again_and_the_states_tell_it() {
    let (command, file) = with_file("killed");
    let client = Client::spawn(command).await.unwrap();
    let first = client.process_id().unwrap();
    let mut states = client.states();
    kill(&client);
    let mut seen = Vec::new();
    while seen.last() != Some(&State::Connected) {
        seen.push(within(states.next()).await.unwrap());
    }
    assert!(seen.contains(&State::Connecting), "{seen:?}");
    assert_ne!(client.process_id().unwrap(), first);
    assert_eq!(client.call("append", json!({"line": "x"})).await.unwrap().to_text(), "x");
    client.close().await;
    std::fs::remove_file(file).unwrap();
}

#[tokio::test]
async fn a_call_that_the_server_had_begun_is_not_sent_again() {
    for revision in [Revision::V2025_11_25, Revision::NEWEST] {
        let (command, _) = with_file("begun");
        let client = Client::spawn(command).revision(revision).await.unwrap();
        let mut call = client.call("hang", ()).start();
        tokio::select! {
            result = &mut call => panic!("{result:?}"),
            // The server answers it only after it has read the call before it.
            pong = client.ping() => pong.unwrap(),
        }
        kill(&client);
        let error = within(call).await.unwrap_err();
        assert!(matches!(&error, CallError::Lost { begun: true, reason } if reason.contains("signal")), "{error}");
        assert!(!error.not_begun());
        within(client.ping()).await.unwrap();
    }
}

/// Under load, every call ends once: with an answer and one trace, or with an error that says whether there may be one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stdout, reason = "the counts are for who raises the number of kills")]
async fn no_call_is_lost_or_done_twice_while_the_server_is_killed_again_and_again() {
    let kills: usize = std::env::var("KILLS").map_or(20, |kills| kills.parse().expect("KILLS is a number"));
    let (command, file) = with_file("kills");
    let recovery =
        Recovery::default().attempts(1000).first_delay(Duration::from_millis(1)).longest_delay(Duration::from_millis(5));
    let client = Client::spawn(command).recovery(recovery).await.unwrap();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let callers: Vec<_> = (0..8).map(|caller| tokio::spawn(call_until(client.clone(), caller, stop.clone()))).collect();
    for _ in 0..kills {
        // The server is killed only after it works again.
        within(async { while client.ping().await.is_err() {} }).await;
        kill(&client);
    }
    stop.store(true, std::sync::atomic::Ordering::SeqCst);
    let mut outcomes = HashMap::new();
    for caller in callers {
        outcomes.extend(within(caller).await.unwrap());
    }
    client.close().await;
    let mut traces: HashMap<String, usize> = HashMap::new();
    for line in std::fs::read_to_string(&file).unwrap_or_default().lines() {
        *traces.entry(line.to_owned()).or_default() += 1;
    }
    let (mut answered, mut lost) = (0, 0);
    for (line, outcome) in &outcomes {
        let trace = traces.get(line).copied().unwrap_or_default();
        match outcome {
            Ok(text) => {
                answered += 1;
                assert_eq!((text, trace), (line, 1), "an answered call");
            }
            Err(CallError::Lost { begun: true, .. }) => {
                lost += 1;
                assert!(trace <= 1, "{line} was done {trace} times");
            }
            Err(error) => {
                assert!(error.not_begun(), "{error}");
                assert_eq!(trace, 0, "{line} was not begun, says the error");
            }
        }
    }
    assert!(traces.keys().all(|line| outcomes.contains_key(line)), "every trace belongs to a call");
    assert!(answered > 0);
    let (all, rest) = (outcomes.len(), outcomes.len() - answered - lost);
    println!("{kills} kills, {all} calls: {answered} answered, {lost} may have begun, {rest} not begun");
    std::fs::remove_file(file).unwrap();
}

async fn call_until(
    client: Client,
    caller: usize,
    stop: std::sync::Arc<std::sync::atomic::AtomicBool>,
) -> Vec<(String, Result<String, CallError>)> {
    let mut outcomes = Vec::new();
    for number in 0.. {
        if stop.load(std::sync::atomic::Ordering::SeqCst) {
            break;
        }
        let line = format!("{caller}-{number}");
        let result = client.call("append", json!({"line": line})).await;
        outcomes.push((line, result.map(|result| result.to_text())));
    }
    outcomes
}

#[tokio::test]
async fn a_program_that_does_not_start_is_named() {
    let error = Client::spawn(Command::new("/no/such/program")).await.unwrap_err();
    assert!(matches!(&error, ConnectError::Start { program, .. } if program == "/no/such/program"), "{error}");
}

#[tokio::test]
async fn the_exit_status_and_standard_error_are_in_the_message() {
    let error = within(Client::spawn(shell("echo out of cheese >&2; exit 3")).into_future()).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("exit status: 3") && text.contains("out of cheese"), "{text}");
}

#[tokio::test]
async fn a_server_that_dies_on_server_discover_is_started_again_with_initialize() {
    // Some old servers exit on an unknown request.
    let script = r#"read line
        case "$line" in *server/discover*) exit 1;; esac
        id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
        echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{},\"serverInfo\":{\"name\":\"old\",\"version\":\"1\"}}}"
        cat > /dev/null"#;
    let client = within(Client::spawn(shell(script)).into_future()).await.unwrap();
    assert_eq!(client.server().await.unwrap().revision, Revision::V2024_11_05);
    within(client.close()).await;
}

#[tokio::test]
async fn a_server_that_dies_after_each_start_is_given_up() {
    let script = r#"read line
        id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
        echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}"
        read line"#;
    let recovery = Recovery::default().attempts(3).first_delay(Duration::from_millis(10));
    let client = Client::spawn(shell(script)).revision(Revision::V2025_11_25).recovery(recovery);
    let client = within(client.into_future()).await.unwrap();
    let mut states = client.states();
    while client.state() != State::Failed {
        within(states.next()).await.unwrap();
    }
    // The next call connects again, and fails with the reason.
    let error = within(client.ping()).await.unwrap_err();
    assert!(matches!(error, CallError::Connect(_) | CallError::Lost { .. }), "{error:?}");
}

#[tokio::test]
async fn without_recovery_a_lost_connection_stays_lost() {
    let (command, _) = with_file("off");
    let client = Client::spawn(command).recovery(Recovery::off()).await.unwrap();
    let mut states = client.states();
    kill(&client);
    assert_eq!(within(states.next()).await, Some(State::Failed));
    let error = within(client.ping()).await.unwrap_err();
    assert!(error.not_begun() && matches!(error, CallError::Connect(_)), "{error:?}");
}

#[tokio::test]
async fn a_server_that_ignores_the_end_of_its_input_and_sigterm_is_killed_with_its_children() {
    let file = std::env::temp_dir().join(format!("mcp-client-stubborn-{}", std::process::id()));
    let script = format!(
        r#"trap '' TERM
        sh -c "trap '' TERM; while :; do sleep 1; done" & echo $! > {}
        read line
        id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
        echo "{{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{{}}}}}}"
        while :; do sleep 1; done"#,
        file.display()
    );
    let client = within(Client::spawn(shell(&script)).revision(Revision::V2025_11_25).into_future()).await.unwrap();
    let server = client.process_id().unwrap();
    within(client.close()).await;
    let child = std::fs::read_to_string(&file).unwrap();
    for id in [server.to_string().as_str(), child.trim()] {
        let runs = std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
        assert!(!runs, "the process {id} still runs");
    }
    std::fs::remove_file(file).unwrap();
}

#[tokio::test]
async fn dropping_the_last_handle_ends_the_server() {
    let (command, _) = with_file("dropped");
    let client = Client::spawn(command).await.unwrap();
    let id = client.process_id().unwrap();
    let other = client.clone();
    drop(client);
    other.ping().await.unwrap();
    drop(other);
    within(async {
        while std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z ")) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_server_process_does_not_see_the_environment_of_its_client() {
    let script = r#"read line
        id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
        echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"instructions\":\"$(env | cut -d= -f1 | sort | tr '\n' ' ')\"}}"
        cat > /dev/null"#;
    let mut command = shell(script);
    command.env("GIVEN", "1");
    let client = Client::spawn(command).revision(Revision::V2025_11_25).await.unwrap();
    let seen = client.server().await.unwrap().instructions.unwrap();
    assert!(seen.contains("GIVEN ") && seen.contains("PATH "), "{seen}");
    // Cargo sets this one for every test.
    assert!(!seen.contains("CARGO_MANIFEST_DIR"), "{seen}");
    let client = Client::spawn(shell(script)).inherit_env().revision(Revision::V2025_11_25).await.unwrap();
    assert!(client.server().await.unwrap().instructions.unwrap().contains("CARGO_MANIFEST_DIR"));
}
