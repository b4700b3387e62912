//! Successful turns of the real CLI.

use mcp_agent::message::Block as Said;
use mcp_agent::{Error, Message, TurnFailure};
use mcp_agent_test::{Block, Cli, Turn, Usage, prompt};
use serde_json::json;

use crate::test_setup::{ask, read_run, send, setup_or_skip, within};

#[tokio::test]
async fn a_prompt_is_answered_and_the_cli_exits_successfully() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().open()).await.unwrap();
    assert_eq!(session.welcome().claude_code_version, Cli::VERSION);
    let turn = Turn::of([Block::thinking("Well."), Block::text("Hello.")]).usage(Usage::new(100, 7));
    send(&session, [turn]).await;
    let (messages, result) = read_run(&mut session).await;
    assert!(matches!(&messages.iter().find(|message| !is_state(message)), Some(Message::Init(_))), "{messages:?}");
    let blocks = messages.iter().flat_map(|message| match message {
        Message::Assistant(assistant) => assistant.message.content.blocks().to_vec(),
        _ => Vec::new(),
    });
    let blocks: Vec<Said> = blocks.collect();
    assert!(
        matches!(&blocks[..], [Said::Thinking(thinking), Said::Text(text)]
        if thinking.thinking == "Well." && text.text == "Hello."),
        "{blocks:?}"
    );
    assert_eq!(result.result.as_deref(), Some("Hello."));
    assert_eq!((result.usage.input_tokens, result.usage.output_tokens), (100, 7));
    assert!(within(session.close()).await.unwrap().success());
}

/// Returns whether a message is about the session and not about the turn.
fn is_state(message: &Message) -> bool {
    matches!(message, Message::SessionState(_) | Message::CommandLifecycle(_))
}

#[tokio::test]
async fn a_second_prompt_continues_the_conversation() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().open()).await.unwrap();
    assert_eq!(ask(&mut session, [Turn::text("one")]).await, "one");
    assert_eq!(ask(&mut session, [Turn::text("two")]).await, "two");
    within(session.close()).await.unwrap();
    let requests = setup.model.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[1].mentions("one"));
}

#[tokio::test]
async fn a_prompt_sent_during_a_turn_is_answered_in_the_same_run() {
    let setup = setup_or_skip!();
    let pause = setup.model.pause_point("first");
    let mut session = within(setup.agent().open()).await.unwrap();
    send(&session, [Turn::text("one").pause_before(&pause)]).await;
    within(pause.reached()).await;
    send(&session, [Turn::text("two")]).await;
    pause.release();
    let (messages, _) = read_run(&mut session).await;
    let results = messages.iter().filter_map(|message| match message {
        Message::Result(result) => result.result.clone(),
        _ => None,
    });
    assert_eq!(results.collect::<Vec<_>>(), ["one", "two"]);
}

#[tokio::test]
async fn a_query_sends_one_prompt_and_shuts_the_cli_down() {
    let setup = setup_or_skip!();
    let result = within(setup.agent().query(prompt("go", [Turn::text("short")])).result()).await.unwrap();
    assert_eq!(result.result.as_deref(), Some("short"));
}

#[tokio::test]
async fn partial_messages_concatenate_to_the_complete_text() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().partial_messages(true).open()).await.unwrap();
    let text = "A sentence that is long enough to come in several pieces.";
    send(&session, [Turn::text(text)]).await;
    let (messages, _) = read_run(&mut session).await;
    let pieces: Vec<&str> = messages.iter().filter_map(Message::text_delta).collect();
    assert!(pieces.len() > 2, "{pieces:?}");
    assert_eq!(pieces.concat(), text);
}

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Person {
    name: String,
    age: u32,
}

#[tokio::test]
async fn structured_output_is_returned_as_a_typed_value() {
    let setup = setup_or_skip!();
    let script = [Turn::tool("StructuredOutput", json!({"name": "Ada", "age": 36})), Turn::text("done")];
    let person: Person = within(setup.agent().query_as(prompt("who?", script))).await.unwrap();
    assert_eq!(person, Person { name: "Ada".into(), age: 36 });
}

#[tokio::test]
async fn success_without_structured_output_is_an_error() {
    let setup = setup_or_skip!();
    let script = (0..4).map(|_| Turn::text("I would rather talk"));
    let error = within(setup.agent().query_as::<Person>(prompt("who?", script))).await.unwrap_err();
    assert!(matches!(error, Error::Turn(turn) if turn.failure == TurnFailure::NoStructuredOutput));
}

#[tokio::test]
async fn structured_output_that_never_matches_the_schema_is_an_error() {
    let setup = setup_or_skip!();
    let script = (0..9).map(|_| Turn::tool("StructuredOutput", json!({"name": "Ada"})));
    let error = within(setup.agent().query_as::<Person>(prompt("who?", script))).await.unwrap_err();
    assert!(matches!(&error, Error::Turn(turn) if turn.failure == TurnFailure::StructuredOutput), "{error}");
}

#[tokio::test]
async fn a_session_can_be_resumed_and_a_fork_does_not_change_it() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().open()).await.unwrap();
    send(&session, [Turn::text("the beginning")]).await;
    let first = read_run(&mut session).await.1.field::<String>("session_id").unwrap();
    within(session.close()).await.unwrap();

    let mut resumed = within(setup.agent().resume(&first).open()).await.unwrap();
    send(&resumed, [Turn::text("the middle")]).await;
    assert_eq!(read_run(&mut resumed).await.1.field::<String>("session_id").unwrap(), first);
    within(resumed.close()).await.unwrap();

    let mut fork = within(setup.agent().resume(&first).fork().open()).await.unwrap();
    send(&fork, [Turn::text("another end")]).await;
    assert_ne!(read_run(&mut fork).await.1.field::<String>("session_id").unwrap(), first);
    within(fork.close()).await.unwrap();

    let mut again = within(setup.agent().continue_latest().open()).await.unwrap();
    ask(&mut again, [Turn::text("x")]).await;
    let requests = setup.model.requests();
    assert!(requests[1].mentions("the beginning"));
    assert!(requests[2].mentions("the beginning") && requests[2].mentions("the middle"));
    assert!(requests[3].mentions("another end"));
}

#[tokio::test]
async fn an_unusable_schema_gives_an_error_with_the_message_of_the_cli() {
    let setup = setup_or_skip!();
    let schema = json!({"type": "object", "properties": {"pair": {"type": "array", "prefixItems": [true, true]}}});
    let agent = setup.agent().output_schema(schema.as_object().unwrap().clone());
    let error = within(agent.open()).await.unwrap_err();
    let ending = error.ending().unwrap_or_else(|| panic!("{error}"));
    assert!(ending.stderr.contains("prefixItems"), "{ending}");
}
