//! Chats of several instances in a real Redis.

use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use mcp_agent::event::Event;
use mcp_agent::random_uuid;
use mcp_agent_web::store::{ChatStore, MAX_READ, StoreError, StoredSnapshot};
use mcp_agent_web::{Decoder, ItemKind, Transcript};
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

/// A random number generator with a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// No limit of events.
const ALL: usize = usize::MAX >> 1;

/// One who watches a chat, and continues on another instance when one was killed.
#[derive(Default)]
struct Watcher {
    transcript: Transcript,
    last: Option<String>,
    seen: usize,
}

impl Watcher {
    /// Watches until the chat looks as `is_done` says, or until this many events were seen.
    async fn follow(&mut self, instance: &ChatInstance, chat: &str, limit: usize, is_done: impl Fn(&Transcript) -> bool) {
        let header = self.last.iter().map(|id| format!("last-event-id: {id}\r\n")).collect::<String>();
        let stream = instance.request("GET", &format!("{chat}/events"), &header, "").await;
        let mut lines = BufReader::new(stream).lines();
        let (mut decoder, end) = (Decoder::default(), self.seen + limit);
        while self.seen < end && !is_done(&self.transcript) {
            let line = timeout(TIMEOUT, lines.next_line()).await.unwrap_or_else(|_| panic!("{:?}", self.transcript));
            let line = line.unwrap().expect("the stream goes on");
            for event in decoder.feed(format!("{line}\n").as_bytes()).unwrap() {
                self.transcript.follow(&event).unwrap();
                self.seen += 1;
            }
            self.last = decoder.last_id().map(str::to_owned).or(self.last.take());
        }
    }

    /// Returns the prompts, sorted.
    fn prompts(&self) -> Vec<String> {
        let prompts = self.transcript.items.iter().filter(|item| item.kind == ItemKind::Prompt);
        let mut prompts: Vec<String> = prompts.map(|item| item.text.clone()).collect();
        prompts.sort();
        prompts
    }
}

/// Returns how many turns were lost with their instances.
fn lost_turns(transcript: &Transcript) -> usize {
    transcript.items.iter().filter(|item| item.text.contains("the program that ran this session has ended")).count()
}

/// Returns whether so many turns were lost, so many prompts are shown, and the last turn has ended or waits for an answer.
fn is_settled(transcript: &Transcript, lost: usize, prompts: usize) -> bool {
    let shown = transcript.items.iter().filter(|item| item.kind == ItemKind::Prompt).count();
    lost_turns(transcript) == lost && shown >= prompts && (!transcript.is_busy || !transcript.asks.is_empty())
}

#[tokio::test]
async fn instances_that_are_killed_at_any_time_lose_no_event_and_no_prompt() {
    let Some(services) = Services::start().await else { return };
    let seed = 20_261_119;
    let mut random = Random(seed);
    let (chat, mut watcher, mut sent) = (random_uuid(), Watcher::default(), Vec::new());
    for round in 0..5 {
        let (mut one, mut two) = (ChatInstance::start(&services).await, ChatInstance::start(&services).await);
        let names: Vec<String> = (0..5).map(|number| format!("round {round}, prompt {number}")).collect();
        let [first, rest @ ..] = [0, 1, 2, 3, 4].map(|number: usize| prompt(&names[number]));
        // The instance is killed in the middle of the turn, at once after it has accepted other prompts.
        one.command(&chat, first.clone()).await;
        watcher.follow(&one, &chat, ALL, |transcript| transcript.items.iter().any(|item| item.text == names[0])).await;
        let count = random.below(45);
        watcher.follow(&one, &chat, usize::try_from(count).unwrap(), |transcript| !transcript.asks.is_empty()).await;
        let [a, b, c, d] = rest.each_ref().map(|prompt| one.command(&chat, prompt.clone()));
        tokio::join!(a, b, c, d);
        one.process.kill().await.unwrap();
        sent.extend(names);
        let (lost, count_sent) = (lost_turns(&watcher.transcript) + 1, sent.len());

        watcher.follow(&two, &chat, ALL, |transcript| is_settled(transcript, lost, count_sent)).await;
        assert_eq!(watcher.prompts(), sent, "seed {seed}, round {round}, killed after {count} events");
        for prompt in rest.iter().chain([&first]) {
            assert!(two.command(&chat, prompt.clone()).await.contains("\"duplicate\":true"));
        }
        // What the store has is what was seen on the killed instance and on the other one.
        let mut late = Watcher::default();
        late.follow(&two, &chat, ALL, |transcript| is_settled(transcript, lost, count_sent)).await;
        assert_eq!(late.transcript, watcher.transcript, "seed {seed}, round {round}, killed after {count} events");
        // The next round begins with a lease of an instance that is gone.
        two.process.kill().await.unwrap();
    }
    let runs = watcher.transcript.items.iter().filter(|item| item.text == "text 0").count();
    assert!(runs <= sent.len(), "{runs} runs of {} prompts", sent.len());
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
    assert!(matches!(two.next_command("a", "2").await, Err(StoreError::LeaseLost)));
    assert!(matches!(two.remove_command("a", "2").await, Err(StoreError::LeaseLost)));
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
    for command in ["x", "y"] {
        for _ in 0..2 {
            assert_eq!(one.next_command("a", "1").await.unwrap().as_deref(), Some(command), "it waits until it is removed");
        }
        one.remove_command("a", "1").await.unwrap();
    }
    assert_eq!(one.next_command("a", "1").await.unwrap(), None);
    assert!(two.send("a", "z".into(), None).await.unwrap());
    one.end("a", "1").await.unwrap();
    let state = two.state("a").await.unwrap();
    assert!(state.is_ended && !state.has_commands);
    assert_eq!(two.state("b").await.unwrap().last, 0, "another chat has nothing");
}

#[tokio::test]
async fn large_events_are_read_one_after_the_other() {
    let Some(services) = Services::start().await else { return };
    let store = chats(&services).await;
    assert!(store.claim("a", "1", Duration::from_secs(60)).await.unwrap());
    for size in [MAX_READ + 1, 10, 10, MAX_READ] {
        store.append("a", "1", "x".repeat(size).into(), false).await.unwrap();
    }
    let (mut pages, mut after) = (Vec::new(), 0);
    while after < 4 {
        let page = store.read("a", after, 32).await.unwrap();
        after += page.len() as u64;
        pages.push(page.len());
    }
    assert_eq!(pages, [1, 2, 1]);
}

#[tokio::test]
async fn a_chat_expires_and_starts_again_with_another_epoch() {
    let Some(services) = Services::start().await else { return };
    let store = chats(&services).await;
    assert!(store.claim("a", "1", Duration::from_secs(60)).await.unwrap());
    assert_eq!(store.append("a", "1", "{}".into(), false).await.unwrap(), 1);
    let first = store.state("a").await.unwrap().epoch;
    // The time to live begins again at each event.
    let store = store.time_to_live(Duration::from_millis(1));
    assert_eq!(store.append("a", "1", "{}".into(), false).await.unwrap(), 2);
    while store.state("a").await.unwrap().last > 0 {
        tokio::task::yield_now().await;
    }
    let store = store.time_to_live(Duration::from_secs(60));
    assert_eq!(store.append("a", "1", "{}".into(), false).await.unwrap(), 1);
    let second = store.state("a").await.unwrap().epoch;
    assert!(first.len() == 8 && second.len() == 8 && first != second, "{first} {second}");
}

async fn chats(services: &Services) -> RedisChats {
    RedisChats::connect(&services.redis_address()).await.unwrap()
}
