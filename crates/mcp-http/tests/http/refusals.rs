//! Requests that are refused before a session receives them.

use http::Method;
use mcp_core::serde_json::json;
use mcp_http::Http;

use crate::client::{Post, endpoint};
use crate::fixture;

fn list() -> Post {
    Post::stateless("tools/list", json!({}))
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_forbidden_unless_listed() {
    assert_eq!(list().header("host", "evil.example").send(&endpoint()).await.status, 403);
    assert_eq!(list().header("origin", "http://evil.example").send(&endpoint()).await.refusal(), (403, json!(-32600)));
    let open = Http::new().allow_hosts(["mcp.example"]).allow_origins(["https://app.example"]);
    let open = open.endpoint(fixture::server().0).unwrap();
    let request = list().header("host", "mcp.example:8080").header("origin", "https://app.example");
    assert_eq!(request.send(&open).await.status, 200);
    let any = Http::new().allow_any_host().endpoint(fixture::server().0).unwrap();
    assert_eq!(list().header("host", "whatever.example").send(&any).await.status, 200);
    assert_eq!(list().header("origin", "http://evil.example").send(&any).await.status, 403);
}

#[tokio::test]
async fn other_http_methods_are_refused_with_the_allowed_ones() {
    for method in [Method::PUT, Method::PATCH, Method::OPTIONS, Method::HEAD] {
        let answer = list().method(method).send(&endpoint()).await;
        assert_eq!(answer.status, 405);
        assert!(answer.headers["allow"].to_str().unwrap().contains("POST"));
    }
}

#[tokio::test]
async fn other_media_types_are_refused() {
    assert_eq!(list().header("content-type", "text/plain").send(&endpoint()).await.status, 415);
    assert_eq!(list().without("content-type").send(&endpoint()).await.status, 415);
    assert_eq!(list().header("accept", "application/json").send(&endpoint()).await.status, 406);
    assert_eq!(list().header("accept", "text/html").send(&endpoint()).await.status, 406);
    assert_eq!(list().without("accept").send(&endpoint()).await.status, 200);
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_with_and_without_content_length() {
    let small = Http::new().max_body(1000).endpoint(fixture::server().0).unwrap();
    assert_eq!(list().send(&small).await.status, 200);
    assert_eq!(list().header("content-length", "1001").send(&small).await.status, 413);
    assert_eq!(Post::raw(vec![b' '; 1001]).send(&small).await.status, 413);
}

#[tokio::test]
async fn requests_over_the_limit_are_refused_with_retry_after() {
    let (server, mut events) = fixture::server();
    let endpoint = Http::new().max_requests(1).endpoint(server).unwrap();
    let hanging = tokio::spawn({
        let endpoint = endpoint.clone();
        async move { Post::stateless("tools/call", json!({"name": "hang"})).send(&endpoint).await.status }
    });
    assert_eq!(events.recv().await, Some("started"));
    let busy = list().send(&endpoint).await;
    assert_eq!(busy.refusal(), (503, json!(-32000)));
    assert_eq!(busy.headers["retry-after"], "1");
    hanging.abort();
    assert_eq!(events.recv().await, Some("dropped"));
    assert!(hanging.await.is_err());
    assert_eq!(list().send(&endpoint).await.status, 200);
}
