//! The mock model and the sandbox with the real CLI, without the runner: the test writes and reads the lines itself.

use std::process::{ExitStatus, Stdio};
use std::rc::Rc;

use mcp_agent_test::{ApiError, Block, Cli, Model, Sandbox, StopReason, ToolUse, Turn, Usage, prompt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::test_setup::{sandbox, within};

/// A CLI in a sandbox that uses the mock model.
struct Session {
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    child: Child,
    _sandbox: Rc<Sandbox>,
}

impl Session {
    fn open(cli: &Cli, model: &Model, arguments: &[&str], env: &[(&str, &str)]) -> Self {
        let sandbox = sandbox();
        let mut command = std::process::Command::new(cli.path());
        sandbox.apply(&mut command, model);
        command.args(["--output-format=stream-json", "--verbose", "--input-format=stream-json"]).args(arguments);
        command.envs(env.iter().copied());
        let mut command = Command::from(command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { input, output, child, _sandbox: sandbox }
    }

    async fn send(&mut self, text: &str) {
        let line = json!({"type": "user", "session_id": "", "parent_tool_use_id": null,
            "message": {"role": "user", "content": [{"type": "text", "text": text}]}});
        self.input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn request(&mut self, request: Value) {
        let line = json!({"type": "control_request", "request_id": "r", "request": request});
        self.input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn next(&mut self) -> Value {
        let line = within(self.output.next_line()).await.unwrap().expect("the CLI ended");
        serde_json::from_str(&line).unwrap()
    }

    async fn result(&mut self) -> Value {
        loop {
            let frame = self.next().await;
            if frame["type"] == "result" {
                return frame;
            }
        }
    }

    async fn end(mut self) -> ExitStatus {
        drop(self.input);
        within(self.child.wait()).await.unwrap()
    }
}

macro_rules! cli_or_skip {
    () => {
        match crate::test_setup::cli_or_skip() {
            Some(cli) => cli,
            None => return,
        }
    };
}

#[tokio::test]
async fn a_queued_turn_answers_a_prompt_and_the_request_is_recorded() {
    let cli = cli_or_skip!();
    let model = Model::start().unwrap();
    let mut session = Session::open(&cli, &model, &[], &[]);
    model.push(Turn::text("Hello from the mock."));
    session.send("hello?").await;
    let result = session.result().await;
    assert_eq!(result["result"], "Hello from the mock.");
    assert!(session.end().await.success());
    let requests = model.requests();
    assert_eq!(requests.len(), 1, "{:?}", requests.iter().map(|request| request.system()).collect::<Vec<_>>());
    assert!(requests[0].mentions("hello?") && requests[0].tools().contains(&"Bash"));
    assert_eq!(requests[0].header("x-api-key"), Some("fake-key-for-tests"));
}

#[tokio::test]
async fn a_prompt_can_contain_its_turns_and_the_model_gets_the_tool_result() {
    let cli = cli_or_skip!();
    let model = Model::start().unwrap();
    let mut session = Session::open(&cli, &model, &["--allowedTools=Bash"], &[]);
    let listing = ToolUse::new("Bash", json!({"command": "echo from-the-shell", "description": "say"})).id("toolu_echo");
    let turns = [
        Turn::of([Block::thinking("Let me see."), Block::text("Looking."), listing.into()]),
        Turn::text("done").usage(Usage::new(321, 45)),
    ];
    session.send(&prompt("look", turns)).await;
    let result = session.result().await;
    assert_eq!(result["result"], "done");
    assert_eq!(result["usage"]["input_tokens"], 331);
    assert!(session.end().await.success());
    let results = model.tool_results();
    assert_eq!(results.len(), 1);
    assert_eq!((results[0].tool_use_id.as_str(), results[0].text.as_str()), ("toolu_echo", "from-the-shell"));
    assert!(!results[0].is_error);
}

#[tokio::test]
async fn sessions_that_share_a_model_get_the_turns_of_their_own_prompts() {
    let cli = cli_or_skip!();
    let model = Model::start().unwrap();
    let mut one = Session::open(&cli, &model, &[], &[]);
    let mut two = Session::open(&cli, &model, &[], &[]);
    one.send(&prompt("go", [Turn::text("for one")])).await;
    two.send(&prompt("go", [Turn::text("for two")])).await;
    assert_eq!(one.result().await["result"], "for one");
    assert_eq!(two.result().await["result"], "for two");
    one.send(&prompt("again", [Turn::text("one again")])).await;
    assert_eq!(one.result().await["result"], "one again");
    assert_eq!(model.requests().iter().filter(|request| request.mentions("for two")).count(), 1);
}

#[tokio::test]
async fn a_pause_point_holds_the_turn_until_the_test_releases_it() {
    let cli = cli_or_skip!();
    let model = Model::start().unwrap();
    let pause = model.pause_point("before");
    let mut session = Session::open(&cli, &model, &[], &[]);
    session.send(&prompt("go", [Turn::text("at last").pause_before(&pause)])).await;
    within(pause.reached()).await;
    assert!(!model.requests()[0].client_disconnected());
    pause.release();
    assert_eq!(session.result().await["result"], "at last");
    within(model.wait_until_idle()).await;
    assert!(!model.requests()[0].client_disconnected());
}

#[tokio::test]
async fn the_model_detects_an_interrupt_before_and_during_a_stream() {
    let cli = cli_or_skip!();
    let model = Model::start().unwrap();
    let pause = model.pause_point("never released");
    let mut session = Session::open(&cli, &model, &[], &[]);
    let words = Turn::text("some words and then nothing");
    for (turn, number) in [(words.clone().pause_before(&pause), 1), (words.pause_midway(&pause), 2)] {
        session.send(&prompt("go", [turn])).await;
        within(pause.reached_times(number)).await;
        session.request(json!({"subtype": "interrupt"})).await;
        assert_eq!(session.result().await["subtype"], "error_during_execution");
        within(model.wait_until_idle()).await;
        assert!(model.requests()[number - 1].client_disconnected());
    }
}

#[tokio::test]
async fn a_failed_request_succeeds_on_retry() {
    let cli = cli_or_skip!();
    let model = Model::start().unwrap();
    model.push(Turn::error(ApiError::new(529).retry_after(0)));
    model.push(Turn::text("cut off here").dropped());
    model.push(Turn::text("after all"));
    let mut session = Session::open(&cli, &model, &[], &[("CLAUDE_CODE_MAX_RETRIES", "3")]);
    session.send("hello?").await;
    let result = session.result().await;
    assert_eq!(result["result"], "after all");
    assert_eq!((model.requests().len(), model.queued()), (3, 0));
}

#[tokio::test]
async fn a_permanent_error_ends_the_turn_with_its_status() {
    let cli = cli_or_skip!();
    let model = Model::start().unwrap();
    let mut session = Session::open(&cli, &model, &[], &[("CLAUDE_CODE_MAX_RETRIES", "1")]);
    session.send(&prompt("go", [Turn::error(ApiError::new(400).message("that is too much"))])).await;
    let result = session.result().await;
    assert_eq!((&result["is_error"], &result["api_error_status"]), (&json!(true), &json!(400)));
    assert!(result["result"].as_str().unwrap().contains("that is too much"), "{result}");
    assert_eq!(session.end().await.code(), Some(1));
}

#[tokio::test]
async fn a_turn_ends_with_the_scripted_stop_reason() {
    let cli = cli_or_skip!();
    let model = Model::start().unwrap();
    let mut session = Session::open(&cli, &model, &["--include-partial-messages"], &[]);
    session.send(&prompt("go", [Turn::text("I will not").stop(StopReason::Refusal)])).await;
    loop {
        let frame = session.next().await;
        if frame["event"]["type"] == "message_delta" {
            assert_eq!(frame["event"]["delta"]["stop_reason"], "refusal");
            return;
        }
        assert_ne!(frame["type"], "result", "no message_delta came");
    }
}
