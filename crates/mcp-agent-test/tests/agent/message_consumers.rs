//! Consumers of messages of the real CLI: folds, events and typed tools.

use mcp_agent::builtin::Builtin;
use mcp_agent::event::{Event, Narrator};
use mcp_agent::fold::{Fold, TurnState};
use mcp_agent::mcp_config::{McpConfig, McpEntry};
use mcp_agent::{Decision, Message, Prompt, Session, ToolName, TurnFailure};
use mcp_agent_test::{Block, ToolUse, Turn};
use serde_json::{Value, json};

use crate::test_setup::{read_run, send, setup_or_skip, within};

/// A conversation with thinking, text, an allowed and a denied tool use, and a second turn.
fn conversation() -> [Vec<Turn>; 2] {
    let first = Turn::of([
        Block::thinking("Let me see."),
        Block::text("I look first."),
        ToolUse::new("Bash", json!({"command": "echo hello", "description": "say"})).id("toolu_echo").into(),
        ToolUse::new("Bash", json!({"command": "touch no", "description": "make"})).id("toolu_touch").into(),
    ]);
    [vec![first, Turn::text("One is done.")], vec![Turn::text("And again.")]]
}

/// Returns the messages of the conversation, with or without partial messages.
async fn messages(partial: bool) -> Option<Vec<Message>> {
    let setup = crate::test_setup::TestSetup::or_skip()?;
    let agent = setup.agent().partial_messages(partial).permission(|ask| async move {
        match ask.builtin() {
            Builtin::Bash(bash) if bash.command.starts_with("echo ") => Decision::allow(),
            other => Decision::deny(format!("no {}", other.name())),
        }
    });
    let mut session = within(agent.open()).await.unwrap();
    let mut all = Vec::new();
    for turns in conversation() {
        send(&session, turns).await;
        all.extend(read_run(&mut session).await.0);
    }
    within(session.close()).await.unwrap();
    Some(all)
}

fn fold(messages: &[Message]) -> Fold {
    let mut fold = Fold::new();
    messages.iter().for_each(|message| fold.feed(message));
    fold
}

#[tokio::test]
async fn a_fold_is_the_same_with_and_without_partial_messages() {
    let (Some(partial), Some(whole)) = (messages(true).await, messages(false).await) else { return };
    assert!(partial.iter().any(|message| matches!(message, Message::Stream(_))));
    for fold in [fold(&partial), fold(&whole)] {
        assert_eq!(fold.text(), "I look first.\nOne is done.\nAnd again.");
        assert_eq!((fold.turn_text().as_str(), fold.thinking().as_str()), ("And again.", "Let me see."));
        let echo = fold.call("toolu_echo").unwrap();
        assert_eq!((echo.result_text().as_deref(), echo.denied), (Some("hello"), false));
        let touch = fold.call("toolu_touch").unwrap();
        assert_eq!((touch.result_text().as_deref(), touch.denied), (Some("no Bash"), true));
        assert_eq!(fold.denials()[0].tool_use_id, "toolu_touch");
        assert_eq!((fold.state(), fold.running().count(), fold.drafts().count()), (&TurnState::Done, 0, 0));
        assert_eq!((fold.tally().turns(), fold.tally().tokens().output), (2, 60));
        assert!(fold.tally().cost_usd() > 0.0 && fold.model().is_some() && fold.session_id().is_some());
    }
    // The same session without its partial messages gives an equal fold.
    let without: Vec<Message> = partial.iter().filter(|message| !matches!(message, Message::Stream(_))).cloned().collect();
    assert_eq!(fold(&partial), fold(&without));
}

#[tokio::test]
async fn events_cover_a_session_from_its_start_to_the_end_of_each_turn() {
    let Some(messages) = messages(true).await else { return };
    let mut narrator = Narrator::new("chat_7").metadata("user", "ada");
    let events: Vec<Event> = messages.iter().flat_map(|message| narrator.message(message)).collect();
    let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names.iter().filter(|name| **name == "claude.session_start").count(), 1);
    for expected in [
        "claude.system.init",
        "claude.assistant",
        "claude.user",
        "claude.stream_event.message_start",
        "claude.stream_event.content_block_start",
        "claude.stream_event.content_block_delta",
        "claude.stream_event.content_block_stop",
        "claude.stream_event.message_delta",
        "claude.stream_event.message_stop",
    ] {
        assert!(names.contains(&expected), "{expected} in {names:?}");
    }
    let ends = names.windows(2).filter(|pair| pair == &["claude.result.success", "claude.turn_end"]).count();
    assert_eq!((ends, names.iter().filter(|name| **name == "claude.turn_end").count()), (2, 2));
    for event in &events {
        let data: Value = serde_json::from_str(&event.data().unwrap()).unwrap();
        assert_eq!((&data["metadata"]["chatId"], &data["metadata"]["user"]), (&json!("chat_7"), &json!("ada")));
    }
    let raw: Vec<&str> = events.iter().map(|event| event.raw.get()).collect();
    assert!(
        messages.iter().all(|message| raw.contains(&message.raw().get())),
        "every message is in an event, byte for byte"
    );
}

#[tokio::test]
async fn an_interrupted_turn_gives_the_events_of_a_failed_turn() {
    let setup = setup_or_skip!();
    let pause = setup.model.pause_point("stop here");
    let mut session = within(setup.agent().partial_messages(true).open()).await.unwrap();
    let (mut fold, mut narrator) = (Fold::new(), Narrator::new("chat"));
    send(&session, [Turn::text("half of it").pause_midway(&pause)]).await;
    let mut events = Vec::new();
    loop {
        match within(session.next()).await {
            Ok(Some(message)) => {
                fold.feed(&message);
                events.extend(narrator.message(&message));
                if message.text_delta().is_some() && fold.text() == "half of it" {
                    assert!(fold.drafts().any(|entry| entry.text() == Some("half of it")));
                    within(session.interrupt()).await.unwrap();
                }
            }
            Ok(None) => break,
            Err(error) => {
                fold.fail(&error);
                events.extend(narrator.error(&error));
            }
        }
    }
    assert_eq!((fold.state(), fold.drafts().count()), (&TurnState::Failed(TurnFailure::Interrupted), 0));
    let end: Value =
        serde_json::from_str(events.iter().find(|event| event.name == "claude.turn_end").unwrap().raw.get()).unwrap();
    assert_eq!((&end["result"], &end["error_msg"]), (&json!("fail"), &json!("the turn was interrupted")));
    pause.release();
}

#[tokio::test]
async fn a_slash_command_is_run_by_the_cli_without_a_model_request() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().open()).await.unwrap();
    within(session.send(Prompt::slash("context", ""))).await.unwrap();
    let (_, result) = read_run(&mut session).await;
    assert!(!result.is_error && result.local_command.is_some(), "{result:?}");
    assert!(setup.model.requests().is_empty(), "no request was sent to the model");
}

#[tokio::test]
async fn the_built_in_tools_of_the_cli_have_typed_inputs() {
    let setup = setup_or_skip!();
    let mut session: Session = within(setup.agent().open()).await.unwrap();
    send(&session, [Turn::text("hi")]).await;
    let (messages, _) = read_run(&mut session).await;
    let init = messages.iter().find_map(|message| match message {
        Message::Init(init) => Some(init),
        _ => None,
    });
    let tools = &init.unwrap().tools;
    for tool in ["Task", "Bash", "Edit", "NotebookEdit", "Read", "Skill", "TaskStop", "WebFetch", "WebSearch", "Write"] {
        assert!(tools.iter().any(|known| known == tool), "{tool} in {tools:?}");
        assert!(Builtin::NAMES.iter().any(|names| names.contains(&tool)), "{tool} is typed");
    }
    assert!(tools.iter().all(|tool| ToolName::parse(tool).server().is_none()));
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn a_configuration_reaches_the_cli_with_its_variables_expanded() {
    let setup = setup_or_skip!();
    let path = setup.sandbox.work().join("servers.json");
    let text = json!({"mcpServers": {
        "program": {"command": "${PROGRAM:-/nowhere/at/all}", "args": ["${LEVEL}"]},
        "web": {"type": "http", "url": "http://127.0.0.1:9/${LEVEL}"},
        "mine": {"type": "sdk", "name": "mine"},
    }});
    std::fs::write(&path, text.to_string()).unwrap();
    let mut config = McpConfig::read(&path).unwrap();
    config.servers.insert("old".into(), McpEntry::sse("http://127.0.0.1:9/sse"));
    config.write(&path).unwrap();
    let config = McpConfig::read(&path).unwrap().expanded(&|name| (name == "LEVEL").then(|| "high".into())).unwrap();
    let session = within(setup.agent().mcp_config(config).open()).await.unwrap();
    let mut status: Vec<(String, Value)> = within(session.handle().mcp_status())
        .await
        .unwrap()
        .iter()
        .map(|server| (server.name.clone(), server.config.clone().unwrap_or_default()))
        .collect();
    status.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(status.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["old", "program", "web"], "{status:?}");
    assert_eq!(status[1].1["command"], "/nowhere/at/all", "{status:?}");
    assert_eq!(status[1].1["args"], json!(["high"]), "{status:?}");
    assert_eq!(status[2].1["url"], "http://127.0.0.1:9/high", "{status:?}");
    within(session.close()).await.unwrap();
}
