//! Chats of several instances in a real Redis.

use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use mcp_agent::event::Event;
use mcp_agent::random_uuid;
use mcp_agent_web::store::{ChatStore, StoreError, StoredSnapshot};
use mcp_agent_web::{Decoder, Transcript};
use mcp_agent_web_redis::RedisChats;
use mcp_core::serde_json::{Value, from_str, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::services::{Services, TIMEOUT};

/// An instance of the program with chats.
struct ChatInstance {
    process: Child,
    address: SocketAddr,
}

impl ChatInstance {
    async fn start(services: &Services) -> ChatInstance {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chat-instance"));
        command.env_clear().arg(services.redis_address()).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = timeout(TIMEOUT, output.next_line()).await.unwrap().unwrap().expect("the instance prints its address");
        ChatInstance { process, address: address.parse().unwrap() }
    }

    async fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // The response of HTTP 1.0 is not in chunks: it ends with the connection.
        let head =
            format!("{method} /agent/chats/{path} HTTP/1.0\r\nhost: {}\r\nauthorization: Bearer secret\r\n", self.address);
        let head = format!("{head}{headers}content-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(head.as_bytes()).await.unwrap();
        stream
    }

    async fn command(&self, chat: &str, command: Value) -> String {
        let path = format!("{chat}/commands");
        let body = command.to_string();
        let mut stream = self.request("POST", &path, "content-type: application/json\r\n", &body).await;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await.unwrap();
        assert!(reply.starts_with("HTTP/1.0 202"), "{reply}");
        reply
    }

    /// Watches until `is_last` is true. Returns the events and the id of the last one.
    async fn watch(
        &self,
        chat: &str,
        after: Option<&str>,
        is_last: impl Fn(&Event) -> bool,
    ) -> (Vec<Event>, Option<String>) {
        let header = after.map(|id| format!("last-event-id: {id}\r\n")).unwrap_or_default();
        let stream = self.request("GET", &format!("{chat}/events"), &header, "").await;
        let mut lines = BufReader::new(stream).lines();
        let (mut decoder, mut events) = (Decoder::default(), Vec::new());
        while let Some(line) = timeout(TIMEOUT, lines.next_line()).await.expect("an event").unwrap() {
            for event in decoder.feed(format!("{line}\n").as_bytes()).unwrap() {
                let is_last = is_last(&event);
                events.push(event);
                if is_last {
                    return (events, decoder.last_id().map(str::to_owned));
                }
            }
        }
        panic!("the stream has ended: {:?}", events.iter().map(|event| &event.name).collect::<Vec<_>>());
    }
}

fn said(text: &str) -> impl Fn(&Event) -> bool {
    move |event| event.name == "claude.assistant" && event.raw.get().contains(text)
}

fn named(name: &str) -> impl Fn(&Event) -> bool {
    move |event| event.name == name
}

fn shown(events: &[Event]) -> Vec<String> {
    let mut transcript = Transcript::default();
    events.iter().for_each(|event| transcript.follow(event).unwrap());
    transcript.items.into_iter().map(|item| item.text).collect()
}

fn prompt(text: &str) -> Value {
    json!({"command": "prompt", "id": random_uuid(), "text": text})
}

#[tokio::test]
async fn an_instance_that_is_killed_loses_no_event_that_a_watcher_has_seen() {
    let Some(services) = Services::start().await else { return };
    let (mut one, two) = (ChatInstance::start(&services).await, ChatInstance::start(&services).await);
    let chat = random_uuid();
    let first = prompt("Hello");
    one.command(&chat, first.clone()).await;
    assert!(two.command(&chat, first).await.contains("\"duplicate\":true"), "the prompt was sent on another instance");

    // The session runs on the first instance. It is watched and answered on both.
    let (seen, last) = one.watch(&chat, None, said("text 30")).await;
    let (asked, _) = two.watch(&chat, None, named("chat.ask")).await;
    let ask: Value = from_str(asked.last().unwrap().raw.get()).unwrap();
    two.command(&chat, json!({"command": "answer", "id": ask["id"], "answer": {"decision": "allow"}})).await;
    let (rest, _) = one.watch(&chat, last.as_deref(), said("answered")).await;

    one.process.kill().await.unwrap();
    let (again, position) = two.watch(&chat, last.as_deref(), said("answered")).await;
    let all = [seen.clone(), rest].concat();
    assert_eq!(shown(&[seen, again].concat()), shown(&all));
    assert_eq!(shown(&all).len(), 52, "a prompt, 50 texts and the answer");

    // The turn was lost with the instance. The chat says so, and goes on here.
    let (end, position) = two.watch(&chat, position.as_deref(), named("claude.turn_end")).await;
    assert!(end.last().unwrap().raw.get().contains("fail"));
    two.command(&chat, prompt("Again")).await;
    let (next, _) = two.watch(&chat, position.as_deref(), said("text 49")).await;
    assert!(shown(&next).contains(&"Again".to_owned()));
    // One that comes late sees both turns.
    let (late, _) = two.watch(&chat, None, named("chat.ask")).await;
    assert_eq!(late[0].name, "chat.snapshot");
    let late = shown(&late);
    assert!(
        late.contains(&"Hello".to_owned()) && late.contains(&"answered".to_owned()) && late.contains(&"Again".to_owned())
    );
}

#[tokio::test]
async fn only_the_holder_of_the_lease_writes_to_a_chat() {
    let Some(services) = Services::start().await else { return };
    let (one, two) = (chats(&services).await, chats(&services).await);
    let time = Duration::from_secs(60);
    assert!(one.claim("a", "1", time).await.unwrap() && one.claim("a", "1", time).await.unwrap());
    assert!(!two.claim("a", "2", time).await.unwrap());
    assert_eq!(one.append("a", "1", "{}".into(), true).await.unwrap(), 1);
    let lost = |result: Result<u64, StoreError>| matches!(result, Err(StoreError::LeaseLost));
    assert!(lost(two.append("a", "2", "{}".into(), true).await));
    assert!(matches!(two.receive("a", "2").await, Err(StoreError::LeaseLost)));
    two.release("a", "2").await.unwrap();
    assert!(!two.claim("a", "2", time).await.unwrap(), "a lease of another runner is not given back");
    one.release("a", "1").await.unwrap();
    assert!(two.claim("a", "2", Duration::from_millis(1)).await.unwrap());
    while two.state("a").await.unwrap().is_held {
        tokio::task::yield_now().await;
    }
    assert!(lost(two.append("a", "2", "{}".into(), true).await), "the lease has expired");
}

#[tokio::test]
async fn events_commands_and_snapshots_are_shared() {
    let Some(services) = Services::start().await else { return };
    let (one, two) = (chats(&services).await, chats(&services).await);
    assert!(one.claim("a", "1", Duration::from_secs(60)).await.unwrap());
    let mut changes = two.changes("a");
    for number in 1..=5 {
        let event: Arc<str> = format!("{{\"number\":{number}}}").into();
        assert_eq!(one.append("a", "1", event, number != 5).await.unwrap(), number);
    }
    timeout(TIMEOUT, changes.changed()).await.expect("a notification").unwrap();
    let numbers =
        async |after| -> Vec<u64> { two.read("a", after, 3).await.unwrap().into_iter().map(|(number, _)| number).collect() };
    assert_eq!((numbers(0).await, numbers(3).await, numbers(5).await), (vec![1, 2, 3], vec![4, 5], vec![]));
    let snapshot = StoredSnapshot { at: 5, transcript: "{\"x\":1}".into() };
    one.save("a", "1", snapshot.clone(), 3).await.unwrap();
    assert_eq!((numbers(0).await, two.snapshot("a").await.unwrap()), (vec![4, 5], Some(snapshot)));
    let state = two.state("a").await.unwrap();
    assert_eq!((state.first, state.last, state.is_busy, state.is_held, state.is_ended), (4, 5, false, true, false));

    assert!(two.send("a", "x".into(), Some("id")).await.unwrap());
    assert!(!one.send("a", "x".into(), Some("id")).await.unwrap(), "an id is used once");
    assert!(two.send("a", "y".into(), None).await.unwrap());
    assert!(two.state("a").await.unwrap().has_commands);
    assert_eq!(one.receive("a", "1").await.unwrap(), ["x", "y"]);
    assert!(one.receive("a", "1").await.unwrap().is_empty());
    one.end("a", "1").await.unwrap();
    assert!(two.state("a").await.unwrap().is_ended);
    assert_eq!(two.state("b").await.unwrap().last, 0, "another chat has nothing");
}

#[tokio::test]
async fn a_chat_expires_and_starts_again_with_another_epoch() {
    let Some(services) = Services::start().await else { return };
    let store = chats(&services).await.time_to_live(Duration::from_millis(1));
    assert!(store.claim("a", "1", Duration::from_secs(60)).await.unwrap());
    store.append("a", "1", "{}".into(), false).await.unwrap();
    while store.state("a").await.unwrap().last > 0 {
        tokio::task::yield_now().await;
    }
    let store = store.time_to_live(Duration::from_secs(60));
    assert_eq!(store.append("a", "1", "{}".into(), false).await.unwrap(), 1);
    let first = store.state("a").await.unwrap().epoch;
    assert_eq!(first.len(), 8);
}

async fn chats(services: &Services) -> RedisChats {
    RedisChats::connect(&services.redis_address()).await.unwrap()
}
