//! Tests of `mcp-agent` on Windows: quoting, shutdown of a process tree, and batch files, with scripted CLIs.
#![cfg(windows)]

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mcp_agent::{Agent, Connection, Error, Invocation, Process, Session, ShutdownTimeouts, StartError, Transport};
use mcp_agent_test::{Script, ScriptedProgram};
use serde_json::json;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scripted-cli");
const DEADLINE: Duration = Duration::from_secs(60);
const SHORT_TIMEOUTS: ShutdownTimeouts = ShutdownTimeouts::new(Duration::from_millis(200), Duration::from_millis(200));

async fn within<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(DEADLINE, future).await.expect("in time")
}

fn agent(cli: &ScriptedProgram) -> Agent {
    Agent::new()
        .transport(Process::new().program(cli.path()).shutdown_timeouts(SHORT_TIMEOUTS))
        .shutdown_timeouts(SHORT_TIMEOUTS)
}

/// Waits for the end of the child process of a script: it holds a lock as long as it runs.
fn grandchild_ends(cli: &ScriptedProgram) {
    let file = File::open(cli.path().with_added_extension("alive")).unwrap();
    let start = Instant::now();
    while file.try_lock().is_err() {
        assert!(start.elapsed() < DEADLINE, "the child process of the CLI is still alive");
        std::thread::sleep(Duration::from_millis(10));
    }
}

async fn open_stubborn(cli: &ScriptedProgram) -> Session {
    let mut session = within(agent(cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    while within(session.next()).await.unwrap().expect("a text").text() != Some("here I stand") {}
    let alive = File::open(cli.path().with_added_extension("alive")).unwrap();
    assert!(alive.try_lock().is_err(), "the child process of the CLI runs");
    session
}

fn stubborn() -> ScriptedProgram {
    let script = Script::new().initialize().grandchild().prompt().text("here I stand").hang();
    ScriptedProgram::new(PROGRAM, script).unwrap()
}

#[tokio::test]
async fn a_turn_is_played_and_the_cli_ends_at_the_end_of_its_input() {
    let cli = ScriptedProgram::new(PROGRAM, Script::new().initialize().prompt().text("grüße ☂").result("done")).unwrap();
    let mut session = within(agent(&cli).open()).await.unwrap();
    within(session.send("ein Satz mit ☂")).await.unwrap();
    let mut texts = Vec::new();
    while let Some(message) = within(session.next()).await.unwrap() {
        texts.extend(message.text().map(str::to_owned));
        if texts.last().is_some_and(|text| text == "grüße ☂") {
            break;
        }
    }
    assert_eq!(texts, ["grüße ☂"]);
    assert_eq!(within(session.close()).await.unwrap().status.and_then(|status| status.code()), Some(0));
}

#[tokio::test]
async fn arguments_arrive_as_they_were_given() {
    let value = "a \"quoted\" word, backslashes \\ and \\\\\" %PATH% ^& | <x> 'ü☂'\\";
    let cli = ScriptedProgram::new(PROGRAM, Script::new().initialize()).unwrap();
    let session = within(agent(&cli).extra_arg("note", Some(value)).env("NOTE", value).open()).await.unwrap();
    within(session.close()).await.unwrap();
    let started = &cli.started()[0];
    assert!(started.args.iter().any(|arg| *arg == format!("--note={value}")), "{:?}", started.args);
    assert_eq!(started.env["NOTE"], value);
}

#[tokio::test]
async fn close_ends_an_unresponsive_cli_and_its_child_processes() {
    let cli = stubborn();
    let session = open_stubborn(&cli).await;
    let ending = within(session.close()).await.unwrap();
    assert!(!ending.status.expect("reaped").success());
    grandchild_ends(&cli);
}

#[tokio::test]
async fn drop_ends_an_unresponsive_cli_and_its_child_processes() {
    let cli = stubborn();
    drop(open_stubborn(&cli).await);
    // The supervisor is a task, so that this runtime must go on.
    let file = File::open(cli.path().with_added_extension("alive")).unwrap();
    within(async {
        while file.try_lock().is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn child_processes_of_a_cli_that_exits_are_ended() {
    let cli = ScriptedProgram::new(PROGRAM, Script::new().initialize().grandchild().prompt().text("bye").exit(0)).unwrap();
    let mut session = within(agent(&cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    while let Ok(Some(_)) = within(session.next()).await {}
    drop(session);
    within(tokio::task::spawn_blocking(move || grandchild_ends(&cli))).await.unwrap();
}

#[test]
fn a_runtime_that_shuts_down_ends_the_cli_and_its_child_processes() {
    let cli = stubborn();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let session = runtime.block_on(open_stubborn(&cli));
    drop(runtime);
    grandchild_ends(&cli);
    drop(session);
}

/// Starts a script whose frames are plain lines.
async fn connect(process: Process) -> Connection {
    within(process.connect(Invocation::default())).await.unwrap()
}

fn cli_of(script: Script) -> (ScriptedProgram, Process) {
    let cli = ScriptedProgram::new(PROGRAM, script).unwrap();
    let process = Process::new().program(cli.path());
    (cli, process)
}

async fn lines(connection: &mut Connection) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(line) = within(connection.output.receive()).await.unwrap() {
        lines.push(String::from_utf8(line).unwrap());
    }
    lines
}

#[tokio::test]
async fn lines_are_sent_and_received_and_the_last_needs_no_newline() {
    let script = Script::new().expect(json!("one")).line("got one").expect(json!("two")).line("got two").raw("no newline");
    let (_cli, process) = cli_of(script);
    let mut connection = connect(process).await;
    connection.input.send(b"one").await.unwrap();
    connection.input.send(b"two").await.unwrap();
    connection.input.close().await.unwrap();
    assert_eq!(lines(&mut connection).await, ["got one", "got two", "no newline"]);
    assert!(within(connection.peer.end(ShutdownTimeouts::default())).await.success());
}

#[tokio::test]
async fn the_ending_has_the_exit_status_and_the_end_of_stderr() {
    let (_cli, process) = cli_of(Script::new().line("{}").stderr("it is over\n").exit(3));
    let mut connection = connect(process).await;
    assert_eq!(lines(&mut connection).await.len(), 1);
    let ending = within(connection.peer.end(ShutdownTimeouts::default())).await;
    assert_eq!(ending.status.and_then(|status| status.code()), Some(3));
    assert_eq!(ending.stderr, "it is over\n");
}

#[tokio::test]
async fn much_output_on_stderr_does_not_block_the_cli() {
    let (_cli, process) = cli_of(Script::new().flood_stderr(1 << 20).line("done").stderr("end\n").exit(0));
    let mut connection = connect(process).await;
    assert_eq!(lines(&mut connection).await, ["done"]);
    let ending = within(connection.peer.end(ShutdownTimeouts::default())).await;
    assert!(ending.stderr.ends_with("end\n") && ending.stderr.len() <= 8 << 10, "{}", ending.stderr.len());
}

#[tokio::test]
async fn receive_is_cancel_safe() {
    let (_cli, process) = cli_of(Script::new().raw("first ").expect(json!("go")).line("half").line("next"));
    let mut connection = connect(process).await;
    for _ in 0..5 {
        let given_up = tokio::time::timeout(Duration::from_millis(5), connection.output.receive()).await;
        assert!(given_up.is_err(), "there is no whole line yet");
    }
    connection.input.send(b"go").await.unwrap();
    connection.input.close().await.unwrap();
    assert_eq!(lines(&mut connection).await, ["first half", "next"]);
}

#[tokio::test]
async fn a_line_over_the_limit_is_an_error() {
    let (_cli, process) = cli_of(Script::new().line("short").line("0123456789"));
    let mut connection = connect(process.line_limit(5)).await;
    assert_eq!(within(connection.output.receive()).await.unwrap().unwrap(), b"short");
    let error = within(connection.output.receive()).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
}

#[tokio::test]
async fn a_missing_program_and_a_failed_start_are_errors_with_the_path() {
    let nowhere = PathBuf::from(r"C:\nowhere\claude.exe");
    let missing = Process::new().program(&nowhere).connect(Invocation::default()).await;
    assert!(matches!(missing, Err(StartError::NotFound { tried }) if tried == [nowhere]));
    let cli = ScriptedProgram::new(PROGRAM, Script::new()).unwrap();
    let program = cli.path().with_file_name("plain.exe");
    fs::write(&program, "no program").unwrap();
    let refused = Process::new().program(&program).connect(Invocation::default()).await;
    assert!(matches!(refused, Err(StartError::Spawn { program: named, .. }) if named == program));
}

#[tokio::test]
async fn a_batch_file_is_rejected_and_one_of_npm_starts_the_program_behind_it() {
    let cli = ScriptedProgram::new(PROGRAM, Script::new().initialize()).unwrap();
    let batch: PathBuf = cli.path().with_extension("cmd");
    fs::write(&batch, "@echo off\r\necho hello\r\n").unwrap();
    let rejected = within(Agent::new().transport(Process::new().program(&batch)).open()).await;
    assert!(
        matches!(&rejected, Err(Error::Start(source)) if matches!(**source, StartError::BatchFile { .. })),
        "{rejected:?}"
    );

    fs::write(&batch, "@ECHO off\r\n\"%dp0%\\claude.exe\"   %*\r\n").unwrap();
    let session = within(Agent::new().transport(Process::new().program(&batch)).open()).await.unwrap();
    within(session.close()).await.unwrap();
    assert_eq!(cli.started().len(), 1);
}
