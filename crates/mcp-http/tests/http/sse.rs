//! The HTTP+SSE transport of 2024-11-05: one stream, and a URL to post to.

use http::Method;
use http_body_util::BodyExt;
use mcp_core::serde_json::{Value, json};
use mcp_core::{Principal, serde_json};
use mcp_http::{Body, Endpoint, Http};

use crate::client::Post;
use crate::fixture;

fn endpoint() -> (Endpoint, fixture::Events) {
    let (server, events) = fixture::server();
    (Http::new().max_streams(2).with_sse().endpoint(server).unwrap(), events)
}

/// A stream, and the URL to post to, which is its first event.
struct SseStream {
    body: Body,
    address: String,
}

fn get() -> Post {
    let mut get = Post::raw("").method(Method::GET).without("content-type").header("accept", "text/event-stream");
    get.0.uri = "/sse".parse().unwrap();
    get
}

impl SseStream {
    async fn open(endpoint: &Endpoint, principal: Option<Principal>) -> SseStream {
        let mut get = get();
        principal.map(|principal| get.0.extensions.insert(principal));
        let response = get.open(endpoint).await;
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-type"]),
            (200, &"text/event-stream".parse().unwrap())
        );
        let mut line = SseStream { body: response.into_body(), address: String::new() };
        let (event, address) = line.event().await.unwrap();
        assert!(event == "endpoint" && address.starts_with("/sse?session="), "{event} {address}");
        line.address = address;
        line
    }

    async fn event(&mut self) -> Option<(String, String)> {
        let Ok(frame) = self.body.frame().await?;
        let text = String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap();
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned();
        Some((field("event: "), field("data: ")))
    }

    async fn next(&mut self) -> Value {
        let (event, data) = self.event().await.unwrap();
        assert_eq!(event, "message");
        serde_json::from_str(&data).unwrap()
    }

    fn post(&self, body: Value) -> Post {
        let mut post = Post::raw(body.to_string());
        post.0.uri = self.address.parse().unwrap();
        post
    }

    fn call(&self, id: i32, tool: &str) -> Post {
        self.post(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool}}))
    }
}

async fn initialized(endpoint: &Endpoint) -> SseStream {
    let mut line = SseStream::open(endpoint, None).await;
    let params = json!({"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    assert_eq!(line.post(hello).send(endpoint).await.status, 202);
    assert_eq!(line.next().await["result"]["protocolVersion"], "2024-11-05");
    line
}

#[tokio::test]
async fn responses_to_posted_messages_are_sent_on_the_stream() {
    let (endpoint, _events) = endpoint();
    let mut line = initialized(&endpoint).await;
    assert_eq!(line.call(1, "echo").send(&endpoint).await.status, 202);
    assert_eq!(line.next().await["result"]["content"][0]["text"], "nothing");
    assert_eq!(line.call(2, "chatty").send(&endpoint).await.status, 202);
    assert_eq!(line.next().await["method"], "notifications/message");
    assert_eq!(line.next().await["result"]["content"][0]["text"], "done");
    let mut garbage = Post::raw("{");
    garbage.0.uri = line.address.parse().unwrap();
    assert_eq!(garbage.send(&endpoint).await.status, 202);
    assert_eq!(line.next().await["error"]["code"], -32700);
}

#[tokio::test]
async fn clients_are_isolated_and_closing_a_stream_cancels_its_calls() {
    let (endpoint, mut events) = endpoint();
    let (mut one, two) = (initialized(&endpoint).await, initialized(&endpoint).await);
    assert_eq!(get().send(&endpoint).await.status, 503);
    assert_eq!(two.call(1, "hang").send(&endpoint).await.status, 202);
    assert_eq!(events.recv().await, Some("started"));
    assert_eq!(one.call(1, "echo").send(&endpoint).await.status, 202);
    assert_eq!(one.next().await["result"]["content"][0]["text"], "nothing");
    let late = two.call(2, "echo");
    drop(two);
    assert_eq!(events.recv().await, Some("dropped"));
    assert_eq!(late.send(&endpoint).await.status, 404);
    endpoint.close();
    assert_eq!(one.event().await, None);
}

#[tokio::test]
async fn a_stream_belongs_to_the_principal_that_opened_it() {
    let (endpoint, _events) = endpoint();
    let line = SseStream::open(&endpoint, Some(Principal::new("ada"))).await;
    let ping = || line.post(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    let held_by = |name: &str| {
        let mut post = ping();
        post.0.extensions.insert(Principal::new(name));
        post
    };
    assert_eq!(ping().send(&endpoint).await.status, 404);
    assert_eq!(held_by("bob").send(&endpoint).await.status, 404);
    assert_eq!(held_by("ada").send(&endpoint).await.status, 202);
}

#[tokio::test]
async fn the_stream_of_a_client_that_posts_without_reading_is_closed() {
    let (endpoint, _events) = endpoint();
    let mut line = initialized(&endpoint).await;
    let text = "x".repeat(600_000);
    let call =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": text}}});
    // More than the limit on unread responses.
    for _ in 0..20 {
        assert_eq!(line.post(call.clone()).send(&endpoint).await.status, 202);
    }
    let mut received = 0;
    while let Some((event, _)) = line.event().await {
        assert_eq!(event, "message");
        received += 1;
    }
    assert!((1..20).contains(&received), "{received} of 20");
}

#[tokio::test]
async fn the_legacy_transport_is_disabled_by_default() {
    let endpoint = Http::new().endpoint(fixture::server().0).unwrap();
    assert_eq!(get().send(&endpoint).await.status, 400);
}
