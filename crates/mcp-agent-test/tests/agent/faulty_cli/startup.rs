//! CLIs that do not start, and how one is started.

use std::ffi::OsString;
use std::time::Duration;

use mcp_agent::{Agent, Error, McpServer, Patience, StartError};
use mcp_agent_test::{Script, ScriptedCli};

use super::{in_memory, program, with_program};
use crate::test_setup::within;

#[tokio::test]
async fn a_cli_that_exits_after_one_line_is_an_error_with_its_status_and_words() {
    let cli = program(Script::new().line("{\"type\":\"keep_alive\"}").stderr("no such luck\n").exit(3));
    let error = within(with_program(&cli).open()).await.unwrap_err();
    let ending = error.ending().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(ending.status.unwrap().code(), Some(3));
    assert!(error.to_string().contains("no such luck"), "{error}");
}

#[tokio::test]
async fn a_cli_that_says_nothing_is_given_up_and_ended() {
    let cli = program(Script::new().stderr("thinking\n").hang());
    let agent = with_program(&cli).initialize_timeout(Duration::from_millis(500));
    let agent = agent.patience(Patience::new(Duration::ZERO, Duration::from_secs(5)));
    let error = within(agent.open()).await.unwrap_err();
    assert!(matches!(&error, Error::InitializeTimeout { ending, .. } if ending.stderr == "thinking\n"), "{error:?}");
}

#[tokio::test]
async fn a_cli_that_refuses_the_first_request_is_an_error() {
    let refuses = Script::new()
        .expect_as("initialize", serde_json::json!({"request": {"subtype": "initialize"}}))
        .reply_error("initialize", "not in the mood");
    let error = within(in_memory(&ScriptedCli::new(refuses)).open()).await.unwrap_err();
    assert!(matches!(&error, Error::Refused { message, .. } if message == "not in the mood"), "{error}");
}

#[tokio::test]
async fn a_program_that_is_not_there_or_is_a_batch_file_does_not_start() {
    let error = within(Agent::new().program("/nowhere/claude").open()).await.unwrap_err();
    assert!(matches!(&error, Error::Start(_)), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let batch = folder.path().join("claude.cmd");
    std::fs::write(&batch, "@echo off").unwrap();
    let error = within(Agent::new().program(batch).open()).await.unwrap_err();
    assert!(matches!(&error, Error::Start(start) if matches!(**start, StartError::BatchFile { .. })), "{error:?}");
}

#[tokio::test]
async fn no_value_becomes_a_flag() {
    let cli = program(Script::new().initialize());
    let agent = with_program(&cli).resume("--dangerously-skip-permissions").model("-p").add_dir("--verbose");
    within(within(agent.open()).await.unwrap().close()).await.unwrap();
    let args = &cli.started()[0].args;
    assert!(args.contains(&"--resume=--dangerously-skip-permissions".to_owned()), "{args:?}");
    assert!(args.contains(&"--model=-p".to_owned()) && args.contains(&"--add-dir=--verbose".to_owned()), "{args:?}");
    assert!(!args.iter().any(|arg| arg == "--dangerously-skip-permissions" || arg == "-p"), "{args:?}");
}

#[tokio::test]
async fn what_is_long_does_not_travel_on_the_command_line() {
    let cli = program(Script::new().initialize().prompt().hang());
    let server = McpServer::stdio("server").args(["y".repeat(20_000)]);
    let agent = with_program(&cli).system_prompt("x".repeat(200_000)).mcp_server("long", server);
    let agent = agent.patience(Patience::NONE);
    let session = within(agent.open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let args = cli.started()[0].args.clone();
    assert!(args.iter().map(String::len).sum::<usize>() < 4_000, "{args:?}");
    assert!(cli.received()[0].to_string().contains(&"x".repeat(200_000)));
    let config = args.iter().find_map(|arg| arg.strip_prefix("--mcp-config=")).unwrap();
    assert!(std::fs::read_to_string(config).unwrap().contains(&"y".repeat(20_000)));
    within(session.close()).await.unwrap();
    assert!(!std::path::Path::new(config).exists());
}

#[tokio::test]
async fn the_cli_does_not_take_itself_for_a_child_of_the_one_that_runs_us() {
    let cli = ScriptedCli::new(Script::new().initialize());
    within(within(in_memory(&cli).open()).await.unwrap().close()).await.unwrap();
    let env = &cli.invocations()[0].env;
    assert!(env.contains(&(OsString::from("CLAUDECODE"), None)));
    let started = program(Script::new().initialize());
    within(within(with_program(&started).env_clear().env("MARK", "1").open()).await.unwrap().close()).await.unwrap();
    let env = &started.started()[0].env;
    assert_eq!((env["MARK"].as_str(), env.get("PATH")), ("1", None));
}
