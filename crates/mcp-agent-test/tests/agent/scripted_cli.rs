//! Tests of the scripted CLI itself, as a process and in memory.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mcp_agent::{Invocation, ShutdownTimeouts, Transport as _};
use mcp_agent_test::{Script, ScriptedCli, ScriptedProgram};
use serde_json::{Value, json};

use crate::processes::was_ended_by;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scripted-cli");

fn start(cli: &ScriptedProgram) -> Child {
    let mut command = Command::new(cli.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn initialize(id: &str) -> String {
    json!({"type": "control_request", "request_id": id, "request": {"subtype": "initialize"}}).to_string()
}

#[test]
fn a_program_runs_its_script_and_records_its_input() {
    let script = Script::new().initialize().line("[debug] not json").prompt().text("hi").result("hi");
    let cli = ScriptedProgram::new(PROGRAM, script).unwrap();
    let mut child = Command::new(cli.path())
        .args(["--flag=value", "plain"])
        .env("MARK", "seen")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The prompt is sent first: a script takes lines in the order of its steps, not in the order of arrival.
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}\n{}", json!({"type": "user", "message": {}}), initialize("r1")).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines: Vec<&str> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
    let reply: Value = serde_json::from_str(lines[0]).unwrap();
    assert_eq!(reply["response"]["request_id"], "r1");
    assert_eq!(lines[1], "[debug] not json");
    let kinds = lines[2..].iter().map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].clone());
    assert_eq!(kinds.collect::<Vec<_>>(), ["system", "assistant", "result"]);
    assert_eq!(cli.received()[1]["request_id"], "r1");
    let started = &cli.started()[0];
    assert_eq!(started.args, ["--flag=value", "plain"]);
    assert_eq!(started.env["MARK"], "seen");
}

#[test]
fn a_script_whose_input_ends_too_early_reports_the_expected_line() {
    let cli = ScriptedProgram::new(PROGRAM, Script::new().initialize()).unwrap();
    let mut child = start(&cli);
    writeln!(child.stdin.take().unwrap(), "{}", json!({"type": "user"})).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(97));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("initialize") && message.contains(r#"{"type":"user"}"#), "{message}");
}

#[test]
fn a_program_exits_crashes_and_floods_as_scripted() {
    let cli = ScriptedProgram::new(PROGRAM, Script::new().raw("half a li").flood_stderr(300_001).exit(3)).unwrap();
    let output = start(&cli).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!((output.stdout.as_slice(), output.stderr.len()), (&b"half a li"[..], 300_001));

    let cli = ScriptedProgram::new(PROGRAM, Script::new().die_by_signal(9)).unwrap();
    assert!(was_ended_by(9, start(&cli).wait_with_output().unwrap().status));
}

// Not on Windows: it has no SIGTERM.
#[cfg(unix)]
#[test]
fn a_program_that_hangs_ignores_the_end_of_its_input_and_sigterm() {
    use std::io::{BufRead as _, BufReader};

    let cli =
        ScriptedProgram::new(PROGRAM, Script::new().ignore_term().line("ready").wait_for_eof().line("eof").hang()).unwrap();
    let mut child = start(&cli);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    drop(child.stdin.take());
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\neof\n");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    child.kill().unwrap();
    // If SIGTERM had ended it, the signal would be 15.
    assert!(was_ended_by(9, child.wait().unwrap()));
}

// Windows: child_processes_of_a_cli_that_exits_are_ended
#[cfg(unix)]
#[test]
fn a_grandchild_keeps_the_pipe_open_after_its_parent_has_exited() {
    use std::io::Read as _;

    let cli = ScriptedProgram::new(PROGRAM, Script::new().grandchild().line("last words").exit(0)).unwrap();
    let mut child = start(&cli);
    assert!(child.wait().unwrap().success());
    let mut output = child.stdout.take().unwrap();
    let mut words = [0; 11];
    output.read_exact(&mut words).unwrap();
    let grandchild = rustix::process::Pid::from_raw(cli.grandchildren()[0].try_into().unwrap()).unwrap();
    rustix::process::test_kill_process(grandchild).unwrap();
    rustix::process::kill_process(grandchild, rustix::process::Signal::KILL).unwrap();
    // The pipe is closed only now.
    assert_eq!(output.read(&mut words).unwrap(), 0);
}

#[tokio::test]
async fn a_script_can_run_in_memory() {
    let script = Script::new().initialize().raw("half ").raw("a line\nand a tail").stderr("bye").exit(4);
    let cli = ScriptedCli::new(script);
    let mut connection = cli.connect(Invocation::default()).await.unwrap();
    connection.input.send(initialize("r1").as_bytes()).await.unwrap();
    let reply = connection.output.receive().await.unwrap().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&reply).unwrap()["response"]["request_id"], "r1");
    assert_eq!(connection.output.receive().await.unwrap().unwrap(), b"half a line");
    assert_eq!(connection.output.receive().await.unwrap().unwrap(), b"and a tail");
    assert!(connection.output.receive().await.unwrap().is_none());
    connection.input.close().await.unwrap();
    let ending = connection.peer.end(ShutdownTimeouts::default()).await;
    assert_eq!((ending.status.unwrap().code(), ending.stderr.as_str()), (Some(4), "bye"));
    assert_eq!((cli.received().len(), cli.invocations().len()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_script_that_hangs_in_memory_is_ended_after_the_time_limits() {
    for (script, signal) in [(Script::new().hang(), 15), (Script::new().ignore_term().line("ready").hang(), 9)] {
        let mut connection = ScriptedCli::new(script).connect(Invocation::default()).await.unwrap();
        if signal == 9 {
            connection.output.receive().await.unwrap().unwrap();
        }
        connection.input.close().await.unwrap();
        let timeouts = ShutdownTimeouts::new(Duration::from_secs(5), Duration::from_secs(5));
        let ending = connection.peer.end(timeouts).await;
        assert!(was_ended_by(signal, ending.status.unwrap()));
        assert!(connection.output.receive().await.unwrap().is_none());
    }
}
