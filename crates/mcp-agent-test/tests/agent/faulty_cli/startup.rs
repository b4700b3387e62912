//! Start of a CLI: failures, arguments and environment.

use std::ffi::OsString;
use std::time::Duration;

use mcp_agent::{Agent, Error, McpServer, ShutdownTimeouts, StartError};
use mcp_agent_test::{Script, ScriptedCli};

use super::{in_memory, program, with_program};
use crate::test_setup::within;

#[tokio::test]
async fn a_cli_that_exits_after_one_line_gives_an_error_with_exit_status_and_stderr() {
    let cli = program(Script::new().line("{\"type\":\"keep_alive\"}").stderr("no such luck\n").exit(3));
    let error = within(with_program(&cli).open()).await.unwrap_err();
    let ending = error.ending().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(ending.status.unwrap().code(), Some(3));
    assert!(error.to_string().contains("no such luck"), "{error}");
}

#[tokio::test]
async fn a_silent_cli_is_killed_after_the_startup_timeout() {
    let cli = program(Script::new().stderr("thinking\n").hang());
    let agent = with_program(&cli).initialize_timeout(Duration::from_millis(500));
    let agent = agent.shutdown_timeouts(ShutdownTimeouts::new(Duration::ZERO, Duration::from_secs(5)));
    let error = within(agent.open()).await.unwrap_err();
    assert!(matches!(&error, Error::InitializeTimeout { ending, .. } if ending.stderr == "thinking\n"), "{error:?}");
}

#[tokio::test]
async fn a_cli_that_rejects_initialize_gives_an_error() {
    let refuses = Script::new()
        .expect_as("initialize", serde_json::json!({"request": {"subtype": "initialize"}}))
        .reply_error("initialize", "not in the mood");
    let error = within(in_memory(&ScriptedCli::new(refuses)).open()).await.unwrap_err();
    assert!(matches!(&error, Error::Refused { message, .. } if message == "not in the mood"), "{error}");
}

#[tokio::test]
async fn a_missing_program_and_a_batch_file_are_rejected() {
    let error = within(Agent::new().program("/nowhere/claude").open()).await.unwrap_err();
    assert!(matches!(&error, Error::Start(_)), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let batch = folder.path().join("claude.cmd");
    std::fs::write(&batch, "@echo off").unwrap();
    let error = within(Agent::new().program(batch).open()).await.unwrap_err();
    assert!(matches!(&error, Error::Start(start) if matches!(**start, StartError::BatchFile { .. })), "{error:?}");
}

#[tokio::test]
async fn option_values_are_never_parsed_as_flags() {
    let cli = program(Script::new().initialize());
    let agent = with_program(&cli).resume("--dangerously-skip-permissions").model("-p").add_dir("--verbose");
    within(within(agent.open()).await.unwrap().close()).await.unwrap();
    let args = &cli.started()[0].args;
    assert!(args.contains(&"--resume=--dangerously-skip-permissions".to_owned()), "{args:?}");
    assert!(args.contains(&"--model=-p".to_owned()) && args.contains(&"--add-dir=--verbose".to_owned()), "{args:?}");
    assert!(!args.iter().any(|arg| arg == "--dangerously-skip-permissions" || arg == "-p"), "{args:?}");
}

#[tokio::test]
async fn long_values_are_not_passed_on_the_command_line() {
    let cli = program(Script::new().initialize().prompt().hang());
    let server = McpServer::stdio("server").args(["y".repeat(20_000)]);
    let agent = with_program(&cli).system_prompt("x".repeat(200_000)).mcp_server("long", server);
    let agent = agent.shutdown_timeouts(ShutdownTimeouts::NONE);
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
async fn variables_of_an_outer_cli_are_removed_from_the_environment() {
    let cli = ScriptedCli::new(Script::new().initialize());
    within(within(in_memory(&cli).open()).await.unwrap().close()).await.unwrap();
    let env = &cli.invocations()[0].env;
    assert!(env.contains(&(OsString::from("CLAUDECODE"), None)));
    let started = program(Script::new().initialize());
    within(within(with_program(&started).env_clear().env("MARK", "1").open()).await.unwrap().close()).await.unwrap();
    let env = &started.started()[0].env;
    assert_eq!((env["MARK"].as_str(), env.get("PATH")), ("1", None));
}
