//! Clients of 2024-11-05: one stream, and an address to post to.

use http::Method;
use http_body_util::BodyExt;
use mcp_core::serde_json::{Value, json};
use mcp_core::{Principal, serde_json};
use mcp_http::{Body, Endpoint, Http};

use crate::client::Post;
use crate::fixture;

fn endpoint() -> (Endpoint, fixture::Fates) {
    let (server, fates) = fixture::server();
    (Http::new().max_streams(2).with_sse().endpoint(server).unwrap(), fates)
}

/// A stream, and the address that it began with.
struct Line {
    body: Body,
    address: String,
}

fn get() -> Post {
    let mut get = Post::raw("").method(Method::GET).without("content-type").header("accept", "text/event-stream");
    get.0.uri = "/sse".parse().unwrap();
    get
}

impl Line {
    async fn open(endpoint: &Endpoint, principal: Option<Principal>) -> Line {
        let mut get = get();
        principal.map(|principal| get.0.extensions.insert(principal));
        let response = get.open(endpoint).await;
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-type"]),
            (200, &"text/event-stream".parse().unwrap())
        );
        let mut line = Line { body: response.into_body(), address: String::new() };
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

async fn greeted(endpoint: &Endpoint) -> Line {
    let mut line = Line::open(endpoint, None).await;
    let params = json!({"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    assert_eq!(line.post(hello).send(endpoint).await.status, 202);
    assert_eq!(line.next().await["result"]["protocolVersion"], "2024-11-05");
    line
}

#[tokio::test]
async fn what_is_posted_is_answered_on_the_stream() {
    let (endpoint, _fates) = endpoint();
    let mut line = greeted(&endpoint).await;
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
async fn no_client_hears_another_and_with_a_stream_ends_all_that_is_worked_on_for_it() {
    let (endpoint, mut fates) = endpoint();
    let (mut one, two) = (greeted(&endpoint).await, greeted(&endpoint).await);
    assert_eq!(get().send(&endpoint).await.status, 503);
    assert_eq!(two.call(1, "hang").send(&endpoint).await.status, 202);
    assert_eq!(fates.recv().await, Some("begun"));
    assert_eq!(one.call(1, "echo").send(&endpoint).await.status, 202);
    assert_eq!(one.next().await["result"]["content"][0]["text"], "nothing");
    let late = two.call(2, "echo");
    drop(two);
    assert_eq!(fates.recv().await, Some("dropped"));
    assert_eq!(late.send(&endpoint).await.status, 404);
    endpoint.close();
    assert_eq!(one.event().await, None);
}

#[tokio::test]
async fn a_stream_belongs_to_whom_it_was_opened_for() {
    let (endpoint, _fates) = endpoint();
    let line = Line::open(&endpoint, Some(Principal::new("ada"))).await;
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
async fn who_posts_without_reading_loses_the_stream() {
    let (endpoint, _fates) = endpoint();
    let mut line = greeted(&endpoint).await;
    let text = "x".repeat(600_000);
    let call =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": text}}});
    // More than a stream holds.
    for _ in 0..20 {
        assert_eq!(line.post(call.clone()).send(&endpoint).await.status, 202);
    }
    let mut told = 0;
    while let Some((event, _)) = line.event().await {
        assert_eq!(event, "message");
        told += 1;
    }
    assert!((1..20).contains(&told), "{told} of 20");
}

#[tokio::test]
async fn there_is_no_such_stream_unless_it_was_asked_for() {
    let endpoint = Http::new().endpoint(fixture::server().0).unwrap();
    assert_eq!(get().send(&endpoint).await.status, 400);
}
