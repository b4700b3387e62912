//! Connections over loopback: timeouts, disconnects and shutdown.

use std::time::Duration;

use mcp_core::serde_json::json;
use mcp_http::{Http, Listener};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::client::Post;
use crate::fixture::{self, Events};

/// How long a test waits for one step before it fails. Generous, because CI machines are slow under load.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A running server, the signal that stops it, and the events of its calls of `hang`.
pub(crate) struct Running {
    pub(crate) address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<()>,
    events: Events,
}

pub(crate) async fn run(http: Http) -> Running {
    let (server, events) = fixture::server();
    let listener: Listener = http.listen(server, "127.0.0.1:0").await.unwrap();
    let (address, (stop, stopped)) = (listener.address(), oneshot::channel());
    let ended = tokio::spawn(async move { listener.serve_until(stopped).await });
    Running { address, stop, ended, events }
}

/// Encodes a request.
pub(crate) fn wire(post: &Post, path: &str) -> Vec<u8> {
    let mut bytes = format!("POST {path} HTTP/1.1\r\ncontent-length: {}\r\n", post.1.len()).into_bytes();
    for (name, value) in &post.0.headers {
        bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    bytes.extend(b"\r\n");
    bytes.extend(&post.1);
    bytes
}

/// Sends these bytes and reads until the server closes the connection.
pub(crate) async fn exchange(running: &Running, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    timeout(TEST_TIMEOUT, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
    String::from_utf8(answer).unwrap()
}

fn call(tool: &str) -> Post {
    Post::stateless("tools/call", json!({"name": tool}))
}

#[tokio::test]
async fn requests_are_served_only_at_the_path_of_the_endpoint() {
    let running = run(Http::new()).await;
    let answer = exchange(&running, &wire(&call("echo").header("connection", "close"), "/mcp")).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("nothing"), "{answer}");
    let answer = exchange(&running, &wire(&call("echo").header("connection", "close"), "/other")).await;
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
}

#[tokio::test]
async fn closing_a_connection_cancels_its_call() {
    let mut running = run(Http::new()).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(&wire(&call("hang"), "/mcp")).await.unwrap();
    assert_eq!(timeout(TEST_TIMEOUT, running.events.recv()).await.unwrap(), Some("started"));
    drop(stream);
    assert_eq!(timeout(TEST_TIMEOUT, running.events.recv()).await.unwrap(), Some("dropped"));
}

#[tokio::test]
async fn a_head_that_is_too_large_is_refused() {
    let running = run(Http::new()).await;
    let huge = call("echo").header("x-large", &"x".repeat(100_000)).header("connection", "close");
    let answer = exchange(&running, &wire(&huge, "/mcp")).await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test]
async fn a_body_that_does_not_arrive_in_time_is_answered_with_408() {
    let running = run(Http::new().body_timeout(Duration::from_millis(200))).await;
    let mut bytes = wire(&call("echo").header("connection", "close"), "/mcp");
    bytes.truncate(bytes.len() - 5);
    let answer = exchange(&running, &bytes).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
}

#[tokio::test]
async fn after_the_grace_period_calls_are_cancelled() {
    let mut running = run(Http::new().grace(Duration::from_millis(200))).await;
    let mut hanging = TcpStream::connect(running.address).await.unwrap();
    hanging.write_all(&wire(&call("hang"), "/mcp")).await.unwrap();
    assert_eq!(timeout(TEST_TIMEOUT, running.events.recv()).await.unwrap(), Some("started"));
    let mut idle = TcpStream::connect(running.address).await.unwrap();
    idle.write_all(&wire(&call("echo"), "/mcp")).await.unwrap();
    let mut head = [0; 12];
    timeout(TEST_TIMEOUT, idle.read_exact(&mut head)).await.unwrap().unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");

    running.stop.send(()).unwrap();
    timeout(TEST_TIMEOUT, running.ended).await.unwrap().unwrap();
    assert_eq!(timeout(TEST_TIMEOUT, running.events.recv()).await.unwrap(), Some("dropped"));
    assert!(TcpStream::connect(running.address).await.is_err());
}

#[tokio::test]
async fn a_request_that_is_still_arriving_at_shutdown_is_answered() {
    let running = run(Http::new()).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    let bytes = wire(&call("chatty"), "/mcp");
    let (head, rest) = bytes.split_at(bytes.len() - 1);
    stream.write_all(head).await.unwrap();
    // The head has arrived when a later connection was served.
    let other = exchange(&running, &wire(&call("echo").header("connection", "close"), "/mcp")).await;
    assert!(other.starts_with("HTTP/1.1 200"));
    running.stop.send(()).unwrap();
    stream.write_all(rest).await.unwrap();
    let mut answer = String::new();
    timeout(TEST_TIMEOUT, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.contains("done"), "{answer}");
    timeout(TEST_TIMEOUT, running.ended).await.unwrap().unwrap();
}
