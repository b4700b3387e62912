//! Tests of the child process: search, output, shutdown and reaping.
//
// The tests of `mcp-agent-test/tests/windows.rs` that check the same, or the reason why there is none:
// - lines_are_sent_and_received_and_the_last_needs_no_newline -> lines_are_sent_and_received_and_the_last_needs_no_newline
// - the_ending_has_the_exit_status_and_the_end_of_stderr -> the_ending_has_the_exit_status_and_the_end_of_stderr
// - a_child_that_ignores_sigterm_is_killed -> close_ends_an_unresponsive_cli_and_its_child_processes
// - a_grandchild_that_holds_the_pipes_does_not_block_and_is_ended -> child_processes_of_a_cli_that_exits_are_ended
// - much_output_on_stderr_does_not_block_the_child -> much_output_on_stderr_does_not_block_the_cli
// - dropping_the_connection_ends_and_reaps_the_child -> drop_ends_an_unresponsive_cli_and_its_child_processes
// - a_runtime_that_shuts_down_kills_and_reaps_the_child -> a_runtime_that_shuts_down_ends_the_cli_and_its_child_processes
// - receive_is_cancel_safe -> receive_is_cancel_safe
// - a_cli_that_is_a_javascript_file_is_run_by_the_interpreter: the choice of the program has no code for one system
// - a_line_over_the_limit_is_an_error -> a_line_over_the_limit_is_an_error
// - a_missing_program_and_a_failed_start_are_errors_with_the_path -> a_missing_program_and_a_failed_start_are_errors_with_the_path
// Windows: mcp-agent-test/tests/windows.rs
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mcp_agent::{Connection, Invocation, Process, ShutdownTimeouts, StartError, Transport};

const DEADLINE: Duration = Duration::from_secs(30);

/// A shell script as the program, in a directory that is removed at the end of the test.
struct Script(PathBuf);

impl Script {
    fn new(body: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("mcp-agent-process-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let directory = std::env::temp_dir().join(name);
        fs::create_dir_all(&directory).unwrap();
        let program = directory.join("claude");
        // Written under another name and renamed: otherwise a concurrent fork of another test could hold it open for
        // writing, and executing it would fail.
        let written = directory.join("written");
        fs::write(&written, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&written, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(written, &program).unwrap();
        Self(directory)
    }

    fn process(&self) -> Process {
        Process::new().program(self.0.join("claude"))
    }

    async fn start(&self) -> Connection {
        start(&self.process()).await
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

async fn start(process: &Process) -> Connection {
    loop {
        match process.connect(Invocation::default()).await {
            Ok(connection) => return connection,
            // A child of another test was forked while the script was written, and holds it open until it calls exec.
            Err(StartError::Spawn { source, .. }) if source.kind() == std::io::ErrorKind::ExecutableFileBusy => {}
            Err(error) => panic!("{error:?}"),
        }
    }
}

async fn lines(connection: &mut Connection) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(line) = tokio::time::timeout(DEADLINE, connection.output.receive()).await.expect("in time").unwrap() {
        lines.push(String::from_utf8(line).unwrap());
    }
    lines
}

/// Waits until the process does not exist, not even as a zombie.
async fn gone(pid: u32) {
    let start = Instant::now();
    while Path::new(&format!("/proc/{pid}")).exists() {
        assert!(start.elapsed() < DEADLINE, "{pid} is still there");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn quick() -> ShutdownTimeouts {
    ShutdownTimeouts::new(Duration::from_millis(200), Duration::from_millis(200))
}

#[tokio::test]
async fn lines_are_sent_and_received_and_the_last_needs_no_newline() {
    let script = Script::new("while read line; do echo \"got $line\"; done; printf 'no newline'");
    let mut connection = script.start().await;
    connection.input.send(b"one").await.unwrap();
    connection.input.send(b"two").await.unwrap();
    connection.input.close().await.unwrap();
    assert_eq!(lines(&mut connection).await, ["got one", "got two", "no newline"]);
    assert!(connection.peer.end(ShutdownTimeouts::default()).await.success());
}

#[tokio::test]
async fn the_ending_has_the_exit_status_and_the_end_of_stderr() {
    let script = Script::new("echo '{\"type\":\"x\"}'; echo 'it is over' >&2; exit 3");
    let mut connection = script.start().await;
    assert_eq!(lines(&mut connection).await.len(), 1);
    let ending = connection.peer.end(ShutdownTimeouts::default()).await;
    assert_eq!(ending.status.and_then(|status| status.code()), Some(3));
    assert_eq!(ending.stderr, "it is over\n");
}

#[tokio::test]
async fn a_child_that_ignores_sigterm_is_killed() {
    let script = Script::new("trap '' TERM; echo ready; while :; do sleep 1; done");
    let mut connection = script.start().await;
    let pid = connection.peer.pid().unwrap();
    assert!(connection.output.receive().await.unwrap().is_some());
    connection.input.close().await.unwrap();
    let ending = tokio::time::timeout(DEADLINE, connection.peer.end(quick())).await.expect("in time");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&ending.status.unwrap()), Some(9));
    gone(pid).await;
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipes_does_not_block_and_is_ended() {
    let script = Script::new("sleep 600 & echo $!; exit 0");
    let mut connection = script.start().await;
    let said = lines(&mut connection).await;
    let grandchild: u32 = said[0].parse().unwrap();
    let ending = tokio::time::timeout(DEADLINE, connection.peer.end(ShutdownTimeouts::default())).await.expect("in time");
    assert!(ending.success());
    let stat = format!("/proc/{grandchild}/stat");
    // Only its new parent can reap it, so a zombie counts as ended.
    let dead = || {
        fs::read_to_string(&stat)
            .map_or(true, |stat| stat.rsplit(')').next().is_some_and(|rest| rest.trim().starts_with('Z')))
    };
    let start = Instant::now();
    while !dead() {
        assert!(start.elapsed() < DEADLINE, "{grandchild} is still alive");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn much_output_on_stderr_does_not_block_the_child() {
    let script = Script::new(
        "i=0; while [ $i -lt 16384 ]; do echo 0123456789012345678901234567890123456789012345678901234567890123; i=$((i+1)); done >&2; echo done; echo end >&2",
    );
    let heard = Arc::new(Mutex::new(0));
    let count = Arc::clone(&heard);
    let process = script.process().stderr(move |line| {
        *count.lock().unwrap() += 1;
        assert_ne!(line, "end", "a listener that panics");
    });
    let mut connection = start(&process).await;
    assert_eq!(lines(&mut connection).await, ["done"]);
    let ending = connection.peer.end(ShutdownTimeouts::default()).await;
    assert!(ending.stderr.ends_with("end\n") && ending.stderr.len() <= 8 << 10);
    assert_eq!(*heard.lock().unwrap_or_else(std::sync::PoisonError::into_inner), 16385);
}

#[tokio::test]
async fn dropping_the_connection_ends_and_reaps_the_child() {
    let script = Script::new("trap '' TERM; echo ready; while :; do sleep 1; done");
    let mut connection = start(&script.process().shutdown_timeouts(quick())).await;
    let pid = connection.peer.pid().unwrap();
    assert!(connection.output.receive().await.unwrap().is_some());
    drop(connection);
    gone(pid).await;
}

#[test]
fn a_runtime_that_shuts_down_kills_and_reaps_the_child() {
    let script = Script::new("trap '' TERM; echo ready; while :; do sleep 1; done");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let connection = runtime.block_on(async {
        let mut connection = script.start().await;
        assert!(connection.output.receive().await.unwrap().is_some());
        connection
    });
    let pid = connection.peer.pid().unwrap();
    drop(runtime);
    assert!(!Path::new(&format!("/proc/{pid}")).exists(), "{pid} is still there");
}

#[tokio::test]
async fn receive_is_cancel_safe() {
    let script = Script::new("printf 'first '; read go; echo 'half'; echo next");
    let mut connection = script.start().await;
    for _ in 0..5 {
        let given_up = tokio::time::timeout(Duration::from_millis(5), connection.output.receive()).await;
        assert!(given_up.is_err(), "there is no whole line yet");
    }
    connection.input.send(b"go").await.unwrap();
    assert_eq!(lines(&mut connection).await, ["first half", "next"]);
}

#[tokio::test]
async fn a_line_over_the_limit_is_an_error() {
    let script = Script::new("echo short; echo 0123456789");
    let mut connection = start(&script.process().line_limit(5)).await;
    assert_eq!(connection.output.receive().await.unwrap().unwrap(), b"short");
    assert_eq!(connection.output.receive().await.unwrap_err().kind(), std::io::ErrorKind::InvalidData);
}

#[tokio::test]
async fn a_missing_program_and_a_failed_start_are_errors_with_the_path() {
    let missing = Process::new().program("/nowhere/claude").connect(Invocation::default()).await;
    assert!(matches!(missing, Err(StartError::NotFound { tried }) if tried == [PathBuf::from("/nowhere/claude")]));
    let directory = Script::new("");
    let program = directory.0.join("plain");
    fs::write(&program, "no program").unwrap();
    let refused = Process::new().program(&program).connect(Invocation::default()).await;
    assert!(matches!(refused, Err(StartError::Spawn { program: named, .. }) if named == program));
}

#[tokio::test]
async fn a_cli_that_is_a_javascript_file_is_run_by_the_interpreter() {
    let script = Script::new("for argument; do echo \"$argument\"; done");
    let cli = script.0.join("cli.mjs");
    fs::write(&cli, "").unwrap();
    let by_interpreter = Process::new()
        .program(&cli)
        .interpreter(script.0.join("claude"), ["--of-interpreter"])
        .leading_args(["--first"])
        .leading_args(["--second"]);
    let expected = ["--of-interpreter", "--first", "--second", cli.to_str().unwrap()];
    assert_eq!(lines(&mut start(&by_interpreter).await).await, expected);
    // The interpreter is not used for another kind of file.
    let directly = script.process().interpreter("/nowhere/node", ["--of-interpreter"]).leading_args(["--first"]);
    assert_eq!(lines(&mut start(&directly).await).await, ["--first"]);
}
