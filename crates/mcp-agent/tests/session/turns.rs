//! Tests of prompts, turns and results.

use mcp_agent::{Ending, Error, Message, TurnFailure};
use serde_json::{Value, json};

use crate::double::agent;
use crate::{kinds, open, turn};

#[tokio::test]
async fn a_run_ends_at_idle_and_the_next_prompt_starts_another() {
    let (agent, mut cli) = agent();
    let mut session = open(agent, &mut cli).await;
    assert!(session.next().await.unwrap().is_none(), "without a prompt there is no run");
    for _ in 0..2 {
        session.send("hello").await.unwrap();
        let (kinds, ()) = tokio::join!(kinds(&mut session), turn(&mut cli, json!({})));
        assert_eq!(kinds, ["system", "command_lifecycle", "result", "command_lifecycle", "system"]);
    }
}

#[tokio::test]
async fn a_failed_turn_is_an_error_and_the_session_stays_usable() {
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
async fn success_without_the_requested_structured_output_is_an_error() {
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
async fn both_halves_work_from_different_tasks() {
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
async fn invalid_lines_and_unknown_messages_are_tolerated() {
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
