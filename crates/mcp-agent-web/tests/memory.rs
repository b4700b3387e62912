//! The memory of a program whose watchers do not read. A test target of its own, because it measures the process.
// Not on Windows: memory is read from /proc.
#![cfg(target_os = "linux")]

use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::Duration;

use mcp_agent::{Agent, Decision, Message, Unread, random_uuid};
use mcp_agent_test::ManualCli;
use mcp_agent_web::{Command, Decoder, Hub, Transcript};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const COUNT: usize = 1_000;
const LENGTH: usize = 100_000;
const LIMIT: usize = 64 << 20;
const TIMEOUT: Duration = Duration::from_secs(120);

fn memory() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

async fn line(cli: &mut ManualCli) -> Value {
    serde_json::from_slice(&cli.next_line().await.expect("a line")).expect("JSON")
}

/// Reads lines until one has this type.
async fn line_of(cli: &mut ManualCli, kind: &str) -> Value {
    loop {
        let line = line(cli).await;
        if line["type"] == kind {
            return line;
        }
    }
}

fn text(number: usize) -> String {
    let content = json!([{"type": "text", "text": format!("{number} {}", "x".repeat(LENGTH))}]);
    json!({"type": "assistant", "session_id": "s", "message": {"content": content}}).to_string()
}

/// Asks for permission, and waits for the answer. It shows that everything before it was read from the CLI.
async fn ask(cli: &mut ManualCli, id: usize) {
    let request = json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {}, "tool_use_id": "t"});
    cli.send_line(json!({"type": "control_request", "request_id": id.to_string(), "request": request}).to_string());
    let answer = line_of(cli, "control_response").await;
    assert_eq!(answer["response"]["request_id"], json!(id.to_string()));
}

/// Sends the request of a watcher.
async fn watch(address: SocketAddr, chat: &str, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The response of HTTP 1.0 is not in chunks: it ends with the connection.
    let request = format!("GET /chats/{chat}/events HTTP/1.0\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Reads to the end of the turn, also if that is in a snapshot. Returns the names of the events, and the last text.
async fn read(mut stream: TcpStream) -> (Vec<String>, String) {
    let (mut decoder, mut names, mut text) = (Decoder::default(), Vec::new(), String::new());
    let (mut bytes, mut is_over) = (vec![0; 1 << 16], false);
    while !is_over {
        let length = tokio::time::timeout(TIMEOUT, stream.read(&mut bytes)).await.expect("more events").unwrap();
        assert!(length > 0, "the stream has ended");
        for event in decoder.feed(&bytes[..length]).unwrap() {
            is_over |= event.name == "claude.turn_end";
            if event.name == "chat.snapshot" {
                let transcript: Transcript = serde_json::from_str(event.raw.get()).unwrap();
                is_over |= !transcript.is_busy;
                text = transcript.last_text().unwrap_or_default().to_owned();
            } else if let Some(Message::Assistant(answer)) = event.message() {
                text = answer.message.content.text().unwrap_or_default().to_owned();
            }
            names.push(event.name);
        }
    }
    (names, text)
}

/// Returns a hub with one chat whose CLI the test controls, and the address at which it listens.
async fn hub() -> (Hub, ManualCli, SocketAddr) {
    let (transport, cli) = ManualCli::new();
    let transport = Mutex::new(Some(transport));
    let hub = Hub::builder(move |_| {
        let transport = transport.lock().unwrap().take().expect("one session");
        let unread = Unread::spill().memory(2 << 20);
        Agent::new().transport(transport).unread(unread).permission(|_| async { Decision::deny("no") })
    });
    let hub = hub.ring(usize::MAX, 3 << 20).build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = hub.router();
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    (hub, cli, address)
}

#[tokio::test(flavor = "multi_thread")]
async fn watchers_that_read_slowly_or_never_cost_bounded_memory_and_the_cli_is_answered_all_the_time() {
    let (hub, mut cli, address) = hub().await;
    let (chat, token) = (random_uuid(), hub.token().unwrap().to_owned());
    hub.send(&chat, Command::Prompt { id: random_uuid(), text: "Talk.".to_owned() }).await.unwrap();
    let request = line_of(&mut cli, "control_request").await;
    let reply = json!({"subtype": "success", "request_id": request["request_id"]});
    cli.send_line(json!({"type": "control_response", "response": reply}).to_string());
    line_of(&mut cli, "user").await;
    let never = watch(address, &chat, &token).await;
    let slow = watch(address, &chat, &token).await;
    let fast = tokio::spawn(read(watch(address, &chat, &token).await));

    let before = memory();
    let mut peak = 0;
    for number in 0..COUNT {
        cli.send_line(text(number));
        if number % 20 == 0 {
            ask(&mut cli, number).await;
            peak = peak.max(memory());
        }
    }
    let result = json!({"type": "result", "subtype": "success", "is_error": false, "session_id": "s", "result": "done"});
    cli.send_line(result.to_string());
    cli.send_line(json!({"type": "system", "subtype": "session_state_changed", "state": "idle"}).to_string());
    let (_, last) = fast.await.unwrap();
    let used = peak.max(memory()).saturating_sub(before);
    assert!(used < LIMIT, "{used} bytes for {} bytes of messages", COUNT * LENGTH);
    assert!(last.starts_with(&format!("{} ", COUNT - 1)), "{last:.20}");

    // The slow one begins to read now. It gets a snapshot instead of the events that are gone.
    let (names, last) = read(slow).await;
    assert!(names.iter().any(|name| name == "chat.snapshot") && names.len() < COUNT, "{} events", names.len());
    assert!(last.starts_with(&format!("{} ", COUNT - 1)), "{last:.20}");
    drop(never);
}
