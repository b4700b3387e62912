//! Sessions survive the CLI, the program and the instance that ran them.

use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_agent::random_uuid;
use mcp_agent_test::Script;
use mcp_agent_web::store::ChatStore;
use mcp_agent_web::{Command, ItemKind, Transcript};
use serde_json::json;

use crate::shared_store::SharedStore;
use crate::support::{eventually, hub, hub_with, names, prompt, raw, transcript, turn, until};

#[tokio::test]
async fn a_prompt_after_the_cli_has_crashed_resumes_the_conversation() {
    let (hub, cli) = hub(Script::new().initialize().prompt().text("a").exit(3));
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    for text in ["Hello", "Again"] {
        hub.send(&chat, prompt(text)).await.unwrap();
        let seen = until(&mut watch, "claude.turn_end").await;
        assert_eq!(raw(&seen, "claude.turn_end")["result"], "fail");
    }
    let starts: Vec<String> = cli.invocations().iter().map(|invocation| format!("{:?}", invocation.args)).collect();
    assert!(starts[0].contains(&format!("--session-id={chat}")), "{starts:?}");
    assert!(starts[1].contains("--resume") && !starts[1].contains("--session-id"), "{starts:?}");
}

#[tokio::test]
async fn an_instance_continues_the_chat_that_another_one_has_released() {
    let store = SharedStore::default();
    let script = || Script::new().initialize().then(turn(["a"]));
    let (one, _) = hub_with(script(), |hub| hub.store(store.clone()));
    let (two, cli) = hub_with(script(), |hub| hub.store(store.clone()));
    let chat = random_uuid();
    let mut watch = two.watch(&chat, None).await.unwrap();
    one.send(&chat, prompt("Hello")).await.unwrap();
    let mut seen = until(&mut watch, "claude.turn_end").await;
    one.shutdown().await;
    two.send(&chat, prompt("Again")).await.unwrap();
    seen.extend(until(&mut watch, "claude.turn_end").await);
    let prompts = transcript(&seen).items.iter().filter(|item| item.text == "Hello" || item.text == "Again").count();
    assert_eq!(prompts, 2);
    assert!(format!("{:?}", cli.invocations()).contains("--resume"));
    assert!(one.send(&chat, prompt("Third")).await.is_ok(), "an instance that shuts down leaves prompts to the others");
}

#[tokio::test]
async fn a_turn_of_an_instance_that_was_killed_ends_and_another_one_goes_on() {
    let store = SharedStore::default();
    let chat = random_uuid();
    let lease = Duration::from_millis(400);
    // The first instance is killed in a turn: its lease expires, and it does nothing more.
    assert!(store.claim(&chat, "killed", lease).await.unwrap());
    let first = mcp_agent::event::Narrator::new(chat.clone());
    let event = first.note("chat.prompt", &serde_json::json!({"id": "1", "text": "Hello"})).unwrap();
    store.append(&chat, "killed", serde_json::to_string(&event).unwrap().into(), true).await.unwrap();

    let (two, _) = hub_with(Script::new().initialize().then(turn(["a"])), |hub| hub.store(store.clone()).lease(lease));
    let mut watch = two.watch(&chat, None).await.unwrap();
    let mut seen = until(&mut watch, "claude.turn_end").await;
    assert_eq!(names(&seen), ["chat.prompt", "claude.error", "claude.turn_end"]);
    assert!(raw(&seen, "claude.turn_end")["error_msg"].as_str().unwrap().contains("send another prompt"));
    two.send(&chat, prompt("Again")).await.unwrap();
    seen.extend(until(&mut watch, "claude.turn_end").await);
    assert_eq!(transcript(&seen).last_text(), Some("a"));
    // The first instance was only slow. It cannot write any more.
    assert!(store.append(&chat, "killed", "{}".into(), false).await.is_err());
}

#[tokio::test]
async fn a_prompt_that_waits_for_an_instance_that_was_killed_runs_on_another_one() {
    let store = SharedStore::default();
    let chat = random_uuid();
    let lease = Duration::from_millis(400);
    assert!(store.claim(&chat, "killed", lease).await.unwrap());
    let (two, cli) = hub_with(Script::new().initialize().then(turn(["a"])), |hub| hub.store(store.clone()).lease(lease));
    let mut watch = two.watch(&chat, None).await.unwrap();
    two.send(&chat, prompt("Hello")).await.unwrap();
    until(&mut watch, "claude.turn_end").await;
    assert_eq!(cli.invocations().len(), 1);
}

#[tokio::test]
async fn the_cli_of_an_idle_chat_is_shut_down_and_started_again_by_a_prompt() {
    let script = Script::new().initialize().then(turn(["a"]));
    let (hub, cli) = hub_with(script, |hub| hub.idle_timeout(Duration::from_millis(50)));
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    for starts in 1..=2 {
        hub.send(&chat, prompt("Hello")).await.unwrap();
        until(&mut watch, "claude.turn_end").await;
        // An interrupt is refused when the session is closed.
        while hub.send(&chat, Command::Interrupt).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
        assert_eq!(cli.invocations().len(), starts);
    }
    assert!(format!("{:?}", cli.invocations()[1]).contains("--resume"));
}

fn prompts(transcript: &Transcript) -> Vec<&str> {
    let prompts = transcript.items.iter().filter(|item| item.kind == ItemKind::Prompt);
    prompts.map(|item| item.text.as_str()).collect()
}

#[tokio::test]
async fn prompts_wait_until_the_store_works_again() {
    let store = SharedStore::default();
    let script = Script::new().initialize().then(turn(["a"])).then(turn(["b"]));
    let (hub, cli) = hub_with(script, |hub| hub.store(store.clone()).lease(Duration::from_millis(400)));
    let chat = random_uuid();
    // The runner takes the first prompt, and cannot store its event.
    store.failing_appends.store(1, Ordering::Relaxed);
    hub.send(&chat, prompt("one")).await.unwrap();
    hub.send(&chat, prompt("two")).await.unwrap();
    eventually(async || store.failing_appends.load(Ordering::Relaxed) == 0).await;
    assert!(store.state(&chat).await.unwrap().has_commands);
    let mut watch = hub.watch(&chat, None).await.unwrap();
    let mut seen = until(&mut watch, "claude.turn_end").await;
    seen.extend(until(&mut watch, "claude.turn_end").await);
    assert_eq!(prompts(&transcript(&seen)), ["one", "two"]);
    let sent = cli.received().iter().filter(|line| line["type"] == "user").count();
    assert_eq!((sent, cli.invocations().len()), (2, 1));
}

#[tokio::test]
async fn a_prompt_whose_event_was_stored_before_the_kill_does_not_run_twice() {
    let store = SharedStore::default();
    let (chat, lease) = (random_uuid(), Duration::from_millis(400));
    let first = prompt("Hello");
    let Command::Prompt { id, text } = &first else { unreachable!() };
    // The first instance is killed after it has appended the event, and before it has removed the command.
    store.send(&chat, serde_json::to_string(&first).unwrap(), Some(id)).await.unwrap();
    assert!(store.claim(&chat, "killed", lease).await.unwrap());
    let narrator = mcp_agent::event::Narrator::new(chat.clone());
    let event = narrator.note("chat.prompt", &json!({"id": id, "text": text})).unwrap();
    store.append(&chat, "killed", serde_json::to_string(&event).unwrap().into(), true).await.unwrap();

    let script = Script::new().initialize().then(turn(["a"]));
    let (two, cli) = hub_with(script, |hub| hub.store(store.clone()).lease(lease));
    let mut watch = two.watch(&chat, None).await.unwrap();
    let mut seen = until(&mut watch, "claude.turn_end").await;
    assert!(raw(&seen, "claude.turn_end")["error_msg"].as_str().unwrap().contains("send another prompt"));
    eventually(async || !store.state(&chat).await.unwrap().has_commands).await;
    assert!(!two.send(&chat, first.clone()).await.unwrap(), "its id was used");
    two.send(&chat, prompt("Again")).await.unwrap();
    seen.extend(until(&mut watch, "claude.turn_end").await);
    assert_eq!(prompts(&transcript(&seen)), ["Hello", "Again"]);
    assert_eq!(cli.received().iter().filter(|line| line["type"] == "user").count(), 1);
}

#[tokio::test]
async fn a_prompt_that_is_sent_again_runs_if_its_instance_was_killed_before() {
    let store = SharedStore::default();
    let chat = random_uuid();
    let first = prompt("Hello");
    let Command::Prompt { id, .. } = &first else { unreachable!() };
    // The instance is killed after it has accepted the prompt, and before it has started a runner.
    store.send(&chat, serde_json::to_string(&first).unwrap(), Some(id)).await.unwrap();
    let (hub, cli) = hub_with(Script::new().initialize().then(turn(["a"])), |hub| hub.store(store.clone()));
    assert!(!hub.send(&chat, first.clone()).await.unwrap(), "its id was used");
    // Nobody watches.
    eventually(async || cli.received().iter().any(|line| line["type"] == "user")).await;
    let seen = until(&mut hub.watch(&chat, None).await.unwrap(), "claude.turn_end").await;
    assert_eq!(prompts(&transcript(&seen)), ["Hello"]);
}
