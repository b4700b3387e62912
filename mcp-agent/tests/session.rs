//! Sessions with a CLI that does what the test says.

mod double;

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use double::{Cli, agent};
use mcp_agent::hook::PreToolUse;
use mcp_agent::{Agent, Decision, Ending, Error, Hook, HookOutput, Message, Session, TurnFailure};
use mcp_core::Server;
use serde_json::{Value, json};

async fn open(agent: Agent, cli: &mut Cli) -> Session {
    let (session, _) = tokio::join!(agent.open(), cli.welcome());
    session.expect("opens")
}

fn result(fields: Value) -> Value {
    let mut result = json!({"type": "result", "subtype": "success", "is_error": false});
    result.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    result
}

/// A whole turn for the next prompt, with this result.
async fn turn(cli: &mut Cli, fields: Value) {
    let prompt = cli.next().await;
    cli.state("running");
    cli.prompt_is(&prompt["uuid"], "started");
    cli.say(result(fields));
    cli.prompt_is(&prompt["uuid"], "completed");
    cli.state("idle");
}

async fn kinds(session: &mut Session) -> Vec<String> {
    let mut kinds = Vec::new();
    while let Some(message) = session.next().await.expect("no error") {
        kinds.push(message.head().kind);
    }
    kinds
}

#[tokio::test]
async fn a_run_ends_at_idle_and_the_next_prompt_starts_another() {
    let (agent, mut cli) = agent();
    let mut session = open(agent, &mut cli).await;
    assert!(session.next().await.unwrap().is_none(), "nothing was sent, nothing to wait for");
    for _ in 0..2 {
        session.send("hello").await.unwrap();
        let (kinds, ()) = tokio::join!(kinds(&mut session), turn(&mut cli, json!({})));
        assert_eq!(kinds, ["system", "command_lifecycle", "result", "command_lifecycle", "system"]);
    }
}

#[tokio::test]
async fn questions_are_answered_while_nobody_reads_messages_and_after_the_result() {
    let (agent, mut cli) = agent();
    let session = open(agent.permission(|_| async { Decision::allow() }), &mut cli).await;
    session.send("hello").await.unwrap();
    turn(&mut cli, json!({})).await;
    for id in ["a", "b"] {
        cli.ask(id, json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {}}));
        let answer = cli.next().await;
        assert_eq!(answer["response"]["request_id"], id);
        assert_eq!(answer["response"]["response"], json!({"behavior": "allow"}));
    }
    drop(session);
}

#[tokio::test]
async fn a_question_that_is_withdrawn_drops_its_future_and_is_answered_once() {
    struct Dropped(Arc<AtomicBool>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let dropped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&dropped);
    let (agent, mut cli) = agent();
    let asked = Arc::new(tokio::sync::Notify::new());
    let ask = Arc::clone(&asked);
    let agent = agent.permission(move |_| {
        let guard = Dropped(Arc::clone(&flag));
        ask.notify_one();
        async move {
            let _guard = guard;
            pending().await
        }
    });
    let session = open(agent, &mut cli).await;
    cli.ask("q", json!({"subtype": "can_use_tool"}));
    asked.notified().await;
    cli.say(json!({"type": "control_cancel_request", "request_id": "q"}));
    let answer = cli.next().await;
    assert_eq!((&answer["response"]["subtype"], &answer["response"]["request_id"]), (&json!("error"), &json!("q")));
    cli.say(json!({"type": "control_cancel_request", "request_id": "q"}));
    cli.ask("r", json!({"subtype": "nothing_known"}));
    assert_eq!(cli.next().await["response"]["error_code"], "unsupported_request", "no second answer came between");
    assert!(dropped.load(Ordering::SeqCst));
    drop(session);
}

#[tokio::test]
async fn a_panic_in_a_callback_is_an_answer_and_the_session_goes_on() {
    let (agent, mut cli) = agent();
    let agent = agent
        .permission(|_| async { panic!("permission") })
        .hook(Hook::<PreToolUse>::new(), |_| -> std::future::Ready<HookOutput<PreToolUse>> { panic!("hook") });
    let session = open(agent, &mut cli).await;
    cli.ask("a", json!({"subtype": "can_use_tool"}));
    assert_eq!(cli.next().await["response"]["response"]["behavior"], "deny");
    cli.ask("b", json!({"subtype": "hook_callback", "callback_id": "hook_0", "input": {}}));
    assert_eq!(cli.next().await["response"]["subtype"], "error");
    session.send("still there").await.unwrap();
    assert_eq!(cli.next().await["message"]["content"], "still there");
}

#[tokio::test]
async fn all_who_wait_are_told_when_the_cli_dies() {
    let (agent, mut cli) = agent();
    let mut session = open(agent, &mut cli).await;
    session.send("hello").await.unwrap();
    cli.next().await;
    let handle = session.handle();
    let request = tokio::spawn(async move { handle.context_usage().await });
    assert_eq!(cli.next().await["request"]["subtype"], "get_context_usage");
    cli.die(Ending::new(None, "out of cheese"));
    for error in [request.await.unwrap().unwrap_err(), session.next().await.unwrap_err()] {
        assert_eq!(error.ending().expect("an ending").stderr, "out of cheese");
    }
    assert!(session.next().await.unwrap().is_none(), "it is said once");
    assert!(matches!(session.send("more").await, Err(Error::Ended(_))));
    assert!(matches!(session.interrupt().await, Err(Error::Ended(_))));
}

#[tokio::test]
async fn a_cli_that_dies_before_it_answers_fails_the_opening() {
    let (agent, mut cli) = agent();
    let (opened, ()) = tokio::join!(agent.open(), async {
        cli.next().await;
        cli.say(result(json!({"subtype": "error_during_execution", "is_error": true, "errors": ["no such session"]})));
        cli.die(Ending::new(None, "bad flag"));
    });
    let error = opened.map(drop).unwrap_err();
    assert_eq!(error.ending().expect("an ending").stderr, "bad flag");
    assert!(error.to_string().contains("no such session"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_cli_that_never_answers_fails_the_opening_in_time() {
    let (agent, mut cli) = agent();
    let limit = Duration::from_secs(5);
    let (opened, ()) = tokio::join!(agent.initialize_timeout(limit).open(), async {
        cli.next().await;
        cli.closed().await;
        cli.die(Ending::default());
    });
    assert!(matches!(opened, Err(Error::InitializeTimeout { after, .. }) if after == limit));
}

#[tokio::test]
async fn a_request_that_nobody_waits_for_is_withdrawn() {
    let (agent, mut cli) = agent();
    let session = open(agent, &mut cli).await;
    let handle = session.handle();
    let request = tokio::spawn(async move { handle.mcp_status().await });
    let asked = cli.next().await;
    request.abort();
    let withdrawn = cli.next().await;
    assert_eq!((&withdrawn["type"], &withdrawn["request_id"]), (&json!("control_cancel_request"), &asked["request_id"]));
    cli.answer(&asked, json!({"mcpServers": []}));
    session.send("a late answer harms nobody").await.unwrap();
    assert_eq!(cli.next().await["type"], "user");
}

#[tokio::test]
async fn a_failed_turn_is_an_error_and_the_session_goes_on() {
    let table = [
        (json!({"subtype": "error_max_turns", "is_error": true}), TurnFailure::MaxTurns),
        (json!({"subtype": "error_max_budget_usd", "is_error": true}), TurnFailure::MaxBudget),
        (json!({"subtype": "error_max_structured_output_retries", "is_error": true}), TurnFailure::StructuredOutput),
        (
            json!({"subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_tools"}),
            TurnFailure::Interrupted,
        ),
        (json!({"subtype": "error_during_execution", "is_error": true}), TurnFailure::Execution),
        (
            json!({"is_error": true, "api_error_status": 529, "result": "overloaded"}),
            TurnFailure::Api { status: Some(529), reason: None },
        ),
    ];
    let (agent, mut cli) = agent();
    let mut session = open(agent, &mut cli).await;
    for (fields, failure) in table {
        session.send("hello").await.unwrap();
        turn(&mut cli, fields).await;
        let error = loop {
            match session.next().await {
                Ok(message) => assert!(message.is_some(), "the run ended without an error"),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, Error::Turn(turn) if turn.failure == failure), "{failure:?}");
        while session.next().await.expect("no second error").is_some() {}
    }
}

#[tokio::test]
async fn success_without_the_structured_output_that_was_asked_for_is_an_error() {
    #[derive(serde::Deserialize, schemars::JsonSchema, Debug, PartialEq)]
    struct Sum {
        sum: i64,
    }
    for (fields, expected) in [(json!({"structured_output": {"sum": 5}}), Some(5)), (json!({}), None)] {
        let (agent, mut cli) = agent();
        let (answer, ()) = tokio::join!(agent.query_as::<Sum>("2 + 3"), async {
            cli.welcome().await;
            turn(&mut cli, fields).await;
            cli.closed().await;
            cli.die(Ending::default());
        });
        match expected {
            Some(sum) => assert_eq!(answer.unwrap(), Sum { sum }),
            None => assert!(matches!(answer, Err(Error::Turn(turn)) if turn.failure == TurnFailure::NoStructuredOutput)),
        }
    }
}

#[tokio::test]
async fn dropping_the_last_part_closes_the_input_and_ends_the_cli() {
    let (agent, mut cli) = agent();
    let session = open(agent, &mut cli).await;
    let (handle, messages) = session.split();
    drop(handle);
    cli.ask("still", json!({"subtype": "unknown"}));
    assert_eq!(cli.next().await["response"]["request_id"], "still", "one half keeps the session");
    drop(messages);
    cli.closed().await;
    (&mut cli.ended_with).await.expect("the end was ordered");
    cli.die(Ending::default());
}

#[tokio::test]
async fn dropping_the_opening_ends_the_cli() {
    let (agent, mut cli) = agent();
    let opening = tokio::spawn(agent.open());
    cli.next().await;
    opening.abort();
    cli.closed().await;
    (&mut cli.ended_with).await.expect("the end was ordered");
}

#[tokio::test]
async fn halves_work_from_different_tasks() {
    let (agent, mut cli) = agent();
    let (handle, mut messages) = open(agent, &mut cli).await.split();
    let reader = tokio::spawn(async move {
        let mut results = 0;
        while let Some(message) = messages.next().await.expect("no error") {
            results += usize::from(matches!(message, Message::Result(_)));
        }
        results
    });
    for _ in 0..3 {
        handle.send("hello").await.unwrap();
        turn(&mut cli, json!({})).await;
    }
    cli.die(Ending::default());
    assert_eq!(reader.await.unwrap(), 3);
}

#[tokio::test]
async fn noise_and_unknown_messages_do_no_harm() {
    let (agent, mut cli) = agent();
    let mut session = open(agent, &mut cli).await;
    for line in ["", "[SandboxDebug] hello", "{\"type\":", "[1]", "\u{feff}", "{\"type\":\"keep_alive\"}"] {
        cli.write(line);
    }
    cli.say(json!({"type": "brand_new", "x": [1, {"y": null}]}));
    session.send("hello").await.unwrap();
    let prompt = cli.next().await;
    cli.prompt_is(&prompt["uuid"], "completed");
    cli.state("idle");
    let Some(Message::Other(other)) = session.next().await.unwrap() else { panic!("not the unknown one") };
    assert_eq!(other.kind, "brand_new");
    assert_eq!(other.field::<Value>("x"), Some(json!([1, {"y": null}])));
    assert_eq!(kinds(&mut session).await, ["command_lifecycle", "system"]);
    assert!(cli.is_quiet());
}

#[tokio::test]
async fn a_mounted_server_is_served_on_the_control_channel() {
    /// Add two numbers.
    #[mcp_core::tool]
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }
    let (agent, mut cli) = agent();
    let agent = agent.mount("calc", mcp_core::Server::new("calc", "1.0.0").tools(mcp_core::tools![add]));
    let (session, first) = tokio::join!(agent.open(), cli.welcome());
    assert_eq!(first["request"]["sdkMcpServers"], json!(["calc"]));
    let call =
        json!({"jsonrpc": "2.0", "id": 0, "method": "tools/call", "params": {"name": "add", "arguments": {"a": 2, "b": 3}}});
    cli.ask("m", json!({"subtype": "mcp_message", "server_name": "calc", "message": call}));
    let answer = cli.next().await;
    let response = &answer["response"]["response"]["mcp_response"];
    assert_eq!((&response["id"], &response["result"]["content"][0]["text"]), (&json!(0), &json!("5")));
    cli.ask(
        "n",
        json!({"subtype": "mcp_message", "server_name": "calc",
        "message": {"jsonrpc": "2.0", "method": "notifications/initialized"}}),
    );
    assert_eq!(cli.next().await["response"]["subtype"], "success");
    drop(session);
}

#[tokio::test]
async fn a_server_is_mounted_later_or_not_at_all_when_the_cli_refuses_it() {
    let (agent, mut cli) = agent();
    let session = open(agent.mount("first", Server::new("first", "1.0.0")), &mut cli).await;
    for errors in [json!({"late": "not here"}), json!({})] {
        let handle = session.handle();
        let mounting = tokio::spawn(async move { handle.mount("late", Server::new("late", "1.0.0")).await });
        let request = cli.next().await;
        assert_eq!(request["request"]["subtype"], "mcp_set_servers");
        let sdk = |name: &str| json!({"type": "sdk", "name": name});
        assert_eq!(request["request"]["servers"], json!({"first": sdk("first"), "late": sdk("late")}));
        let refused = errors != json!({});
        cli.answer(&request, json!({"added": ["late"], "removed": [], "errors": errors}));
        assert_eq!(mounting.await.expect("no panic").is_err(), refused);
        cli.ask(
            "ping",
            json!({"subtype": "mcp_message", "server_name": "late",
            "message": {"jsonrpc": "2.0", "id": 0, "method": "ping"}}),
        );
        assert_eq!(cli.next().await["response"]["subtype"], if refused { "error" } else { "success" });
    }
}
