//! Parses every line that the real CLI writes, and checks that its type is known and that nothing is lost.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use mcp_agent::Message;
use mcp_agent_test::{ApiError, Block, Cli, Model, ToolUse, Turn, prompt};
use serde_json::{Value, json};

use crate::test_setup::{cli_or_skip, sandbox};

/// Sends a prompt to the CLI, and returns all lines of its output.
fn lines(cli: &Cli, arguments: &[&str], prompt: &str) -> Vec<String> {
    let (model, sandbox) = (Model::start().unwrap(), sandbox());
    let mut command = Command::new(cli.path());
    sandbox.apply(&mut command, &model);
    command.args(["--output-format=stream-json", "--verbose", "--input-format=stream-json"]).args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let content = json!([{"type": "text", "text": prompt}]);
    let message = json!({"type": "user", "session_id": "", "parent_tool_use_id": null,
        "message": {"role": "user", "content": content}});
    writeln!(input, "{message}").unwrap();
    // The CLI finishes the turn and exits at the end of its input.
    drop(input);
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The type of a message with its subtype, for example `system/init`.
fn kind(line: &Value) -> String {
    let detail = line["subtype"].as_str().or_else(|| line["event"]["type"].as_str());
    [line["type"].as_str(), detail].into_iter().flatten().collect::<Vec<_>>().join("/")
}

/// Parses the lines and returns the kinds of messages in them.
fn checked(lines: &[String]) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    for line in lines {
        let message: Message = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&message).unwrap(), *line);
        assert!(!matches!(message, Message::Other(_)), "a message without a type of its own: {line}");
        if let Message::Result(result) = &message {
            assert!(result.duration_ms > 0 && result.num_turns > 0, "{line}");
        }
        kinds.insert(kind(&serde_json::from_str(line).unwrap()));
    }
    kinds
}

#[track_caller]
fn assert_kinds(kinds: &BTreeSet<String>, expected: &[&str]) {
    let missing: Vec<_> = expected.iter().filter(|kind| !kinds.contains(**kind)).collect();
    assert!(missing.is_empty(), "no {missing:?} in {kinds:?}");
}

#[test]
fn messages_of_a_session_with_tools_and_retries_are_typed_and_unchanged() {
    let Some(cli) = cli_or_skip() else { return };
    let first = Turn::of([
        Block::thinking("Let me see."),
        Block::text("I look first."),
        ToolUse::new("Bash", json!({"command": "echo hello", "description": "say"})).into(),
        ToolUse::new("Bash", json!({"command": "touch no", "description": "make"})).into(),
    ]);
    let busy = Turn::error(ApiError::new(529).retry_after(0));
    let prompt = prompt("go", [busy, first, Turn::text("One is done.")]);
    let kinds = checked(&lines(&cli, &["--include-partial-messages", "--allowedTools=Bash(echo *)"], &prompt));
    let events = ["start", "delta", "stop"];
    let stream: Vec<String> = ["message", "content_block"]
        .iter()
        .flat_map(|part| events.map(|event| format!("stream_event/{part}_{event}")))
        .collect();
    assert_kinds(&kinds, &stream.iter().map(String::as_str).collect::<Vec<_>>());
    assert_kinds(&kinds, &["system/init", "assistant", "user", "result/success", "system/api_retry"]);
}

#[test]
fn messages_of_a_background_agent_are_typed_and_unchanged() {
    let Some(cli) = cli_or_skip() else { return };
    let agent = json!({
        "description": "count", "subagent_type": "general-purpose", "run_in_background": true,
        "prompt": prompt("count", [Turn::text("three")]),
    });
    let prompt = prompt("go", [Turn::tool("Agent", agent), Turn::text("It runs."), Turn::text("It is done.")]);
    let kinds = checked(&lines(&cli, &["--allowedTools=Agent"], &prompt));
    assert_kinds(&kinds, &["system/init", "assistant", "user", "result/success", "system/task_started"]);
}

#[test]
fn messages_of_a_session_that_fails_are_typed_and_unchanged() {
    let Some(cli) = cli_or_skip() else { return };
    let echo = || Turn::tool("Bash", json!({"command": "echo hello", "description": "say"}));
    let prompt = prompt("go", [echo(), echo(), Turn::text("done")]);
    let kinds = checked(&lines(&cli, &["--max-turns=1", "--allowedTools=Bash"], &prompt));
    assert_kinds(&kinds, &["result/error_max_turns"]);
}
