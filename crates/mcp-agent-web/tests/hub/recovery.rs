//! Sessions survive the CLI, the program and the instance that ran them.

use std::sync::Arc;
use std::time::Duration;

use mcp_agent::random_uuid;
use mcp_agent_test::Script;
use mcp_agent_web::Command;
use mcp_agent_web::store::ChatStore;

use crate::support::{hub, hub_with, names, prompt, raw, transcript, turn, until};

mod shared_store {
    //! A store in memory that two hubs share, as two instances share a Redis.

    use super::*;
    use mcp_agent::Pending;
    use mcp_agent_web::MemoryStore;
    use mcp_agent_web::store::{ChatState, StoreError, StoredSnapshot};
    use tokio::sync::watch;

    #[derive(Debug, Clone, Default)]
    pub(super) struct SharedStore(pub(super) Arc<MemoryStore>);

    type Done<'a, T> = Pending<'a, Result<T, StoreError>>;

    impl ChatStore for SharedStore {
        fn state<'a>(&'a self, chat: &'a str) -> Done<'a, ChatState> {
            self.0.state(chat)
        }
        fn append<'a>(&'a self, chat: &'a str, lease: &'a str, event: Arc<str>, is_busy: bool) -> Done<'a, u64> {
            self.0.append(chat, lease, event, is_busy)
        }
        fn read<'a>(&'a self, chat: &'a str, after: u64, limit: usize) -> Done<'a, Vec<(u64, Arc<str>)>> {
            self.0.read(chat, after, limit)
        }
        fn save<'a>(&'a self, chat: &'a str, lease: &'a str, snapshot: StoredSnapshot, remove_to: u64) -> Done<'a, ()> {
            self.0.save(chat, lease, snapshot, remove_to)
        }
        fn snapshot<'a>(&'a self, chat: &'a str) -> Done<'a, Option<StoredSnapshot>> {
            self.0.snapshot(chat)
        }
        fn end<'a>(&'a self, chat: &'a str, lease: &'a str) -> Done<'a, ()> {
            self.0.end(chat, lease)
        }
        fn claim<'a>(&'a self, chat: &'a str, lease: &'a str, time: Duration) -> Done<'a, bool> {
            self.0.claim(chat, lease, time)
        }
        fn release<'a>(&'a self, chat: &'a str, lease: &'a str) -> Done<'a, ()> {
            self.0.release(chat, lease)
        }
        fn send<'a>(&'a self, chat: &'a str, command: String, once: Option<&'a str>) -> Done<'a, bool> {
            self.0.send(chat, command, once)
        }
        fn receive<'a>(&'a self, chat: &'a str, lease: &'a str) -> Done<'a, Vec<String>> {
            self.0.receive(chat, lease)
        }
        fn changes(&self, chat: &str) -> watch::Receiver<()> {
            self.0.changes(chat)
        }
    }
}

use shared_store::SharedStore;

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
    let starts: Vec<String> = cli.invocations().iter().map(|invocation| format!("{invocation:?}")).collect();
    assert!(starts[0].contains(&format!("--session-id={chat}")) || starts[0].contains("--session-id"), "{starts:?}");
    assert!(starts[1].contains("--resume"), "{starts:?}");
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
