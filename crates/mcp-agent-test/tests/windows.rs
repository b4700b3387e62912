//! Tests of `mcp-agent` on Windows: quoting, shutdown of a process tree, and batch files, with scripted CLIs.
#![cfg(windows)]

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mcp_agent::{Agent, Error, Process, Session, ShutdownTimeouts, StartError};
use mcp_agent_test::{Script, ScriptedProgram};

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
