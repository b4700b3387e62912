//! Limits for each client: a principal, or the address of a peer.

use std::net::IpAddr;
use std::time::Duration;

use mcp_core::Principal;
use mcp_core::serde_json::json;
use mcp_http::{Endpoint, Http, IpNet, PeerAddress, ProxyHeader};

use crate::client::{Post, Received};
use crate::fixture::{self, Events};
use crate::handshake::{hello, request};

/// An endpoint with sessions for four clients of two sessions each, and room for four requests and streams, two of each client.
fn endpoint() -> (Endpoint, Events) {
    let (server, events) = fixture::server();
    let http = Http::new().max_sessions(4).max_sessions_per_client(2).max_requests(4).max_requests_per_client(2);
    let http = http.max_streams(4).max_streams_per_client(1).with_sse();
    let http = http.trust_proxies(ProxyHeader::XForwardedFor, ["10.0.0.0/8".parse::<IpNet>().unwrap()]);
    (http.endpoint(server).unwrap(), events)
}

fn from(mut post: Post, address: &str) -> Post {
    post.0.extensions.insert(PeerAddress(address.parse::<IpAddr>().unwrap()));
    post
}

fn by(mut post: Post, name: &str) -> Post {
    post.0.extensions.insert(Principal::new(name));
    post
}

fn list() -> Post {
    Post::stateless("tools/list", json!({}))
}

/// Starts a call that runs until its task is aborted.
async fn hang(endpoint: &Endpoint, events: &mut Events, with: impl Fn(Post) -> Post) -> tokio::task::JoinHandle<()> {
    let (post, endpoint) = (with(Post::stateless("tools/call", json!({"name": "hang"}))), endpoint.clone());
    let call = tokio::spawn(async move { drop(post.send(&endpoint).await) });
    assert_eq!(events.recv().await, Some("started"));
    call
}

/// Opens a session and returns its id, or the status of the refusal.
async fn open(endpoint: &Endpoint, address: &str) -> Result<String, u16> {
    let answer: Received = from(hello("2025-11-25"), address).send(endpoint).await;
    let id = answer.headers.get("mcp-session-id").map(|id| id.to_str().unwrap().to_owned());
    id.ok_or_else(|| answer.refusal().0)
}

/// Sends `ping` in a session. Returns the status.
async fn ping(endpoint: &Endpoint, session: &str) -> u16 {
    request(session, json!(1), "ping", json!({})).send(endpoint).await.status.as_u16()
}

#[tokio::test]
async fn a_peer_over_its_limit_of_requests_does_not_affect_other_peers() {
    let (endpoint, mut events) = endpoint();
    let calls = [
        hang(&endpoint, &mut events, |post| from(post, "192.0.2.1")).await,
        hang(&endpoint, &mut events, |post| from(post, "192.0.2.1")).await,
    ];
    let refused = from(list(), "192.0.2.1").send(&endpoint).await;
    assert_eq!(refused.refusal(), (429, json!(-32000)));
    assert_eq!(refused.headers["retry-after"], "1");
    assert_eq!(from(list(), "192.0.2.2").send(&endpoint).await.status, 200);
    calls.iter().for_each(|call| call.abort());
    assert_eq!((events.recv().await, events.recv().await), (Some("dropped"), Some("dropped")));
    assert_eq!(from(list(), "192.0.2.1").send(&endpoint).await.status, 200);
}

#[tokio::test]
async fn a_principal_is_one_client_from_whatever_address() {
    let (endpoint, mut events) = endpoint();
    hang(&endpoint, &mut events, |post| by(from(post, "192.0.2.1"), "ada")).await;
    hang(&endpoint, &mut events, |post| by(from(post, "192.0.2.2"), "ada")).await;
    assert_eq!(by(from(list(), "192.0.2.3"), "ada").send(&endpoint).await.status, 429);
    assert_eq!(by(from(list(), "192.0.2.1"), "bob").send(&endpoint).await.status, 200);
    assert_eq!(from(list(), "192.0.2.1").send(&endpoint).await.status, 200);
}

#[tokio::test]
async fn clients_without_a_known_address_share_the_total() {
    let (endpoint, mut events) = endpoint();
    for _ in 0..4 {
        hang(&endpoint, &mut events, |post| post).await;
    }
    assert_eq!(list().send(&endpoint).await.refusal(), (503, json!(-32000)));
}

#[tokio::test]
async fn the_address_behind_a_trusted_proxy_comes_from_its_header() {
    let (endpoint, mut events) = endpoint();
    let behind = |post: Post, proxy: &str, client: &str| from(post, proxy).header("x-forwarded-for", client);
    hang(&endpoint, &mut events, |post| behind(post, "10.0.0.1", "192.0.2.1")).await;
    hang(&endpoint, &mut events, |post| behind(post, "10.0.0.2", "6.6.6.6, 192.0.2.1")).await;
    assert_eq!(behind(list(), "10.0.0.1", "192.0.2.1").send(&endpoint).await.status, 429);
    assert_eq!(behind(list(), "10.0.0.1", "192.0.2.2").send(&endpoint).await.status, 200);
    // This peer is not a proxy, so its header does not make it another client.
    hang(&endpoint, &mut events, |post| behind(post, "192.0.2.9", "1.1.1.1")).await;
    hang(&endpoint, &mut events, |post| behind(post, "192.0.2.9", "1.1.1.2")).await;
    assert_eq!(behind(list(), "192.0.2.9", "1.1.1.3").send(&endpoint).await.status, 429);
}

#[tokio::test]
async fn a_peer_over_its_limit_of_streams_does_not_affect_other_peers() {
    let (endpoint, _events) = endpoint();
    let listen = |address: &str| {
        let mut get = Post::raw("").method(http::Method::GET).without("content-type");
        get.0.uri = "/sse".parse().unwrap();
        from(get, address)
    };
    let _open = listen("192.0.2.1").open(&endpoint).await;
    assert_eq!(listen("192.0.2.1").send(&endpoint).await.status, 429);
    assert_eq!(listen("192.0.2.2").open(&endpoint).await.status(), 200);
}

#[tokio::test]
async fn one_client_may_use_a_quarter_of_a_total_by_default() {
    let (server, mut events) = fixture::server();
    let endpoint = Http::new().max_requests(5).endpoint(server).unwrap();
    hang(&endpoint, &mut events, |post| from(post, "192.0.2.1")).await;
    hang(&endpoint, &mut events, |post| from(post, "192.0.2.1")).await;
    assert_eq!(from(list(), "192.0.2.1").send(&endpoint).await.status, 429);
}

#[tokio::test(start_paused = true)]
async fn a_client_over_its_limit_of_sessions_replaces_its_own_unused_ones() {
    let (endpoint, _events) = endpoint();
    let other = open(&endpoint, "192.0.2.9").await.unwrap();
    let used = open(&endpoint, "192.0.2.1").await.unwrap();
    assert_eq!(ping(&endpoint, &used).await, 200);
    for _ in 0..20 {
        assert!(open(&endpoint, "192.0.2.1").await.is_ok());
    }
    assert_eq!(ping(&endpoint, &used).await, 200);
    tokio::time::advance(Duration::from_secs(1)).await;
    let second = open(&endpoint, "192.0.2.1").await.unwrap();
    assert_eq!(ping(&endpoint, &second).await, 200);
    assert_eq!(open(&endpoint, "192.0.2.1").await, Err(429));
    tokio::time::advance(Duration::from_secs(61)).await;
    assert!(open(&endpoint, "192.0.2.1").await.is_ok());
    assert_eq!([ping(&endpoint, &used).await, ping(&endpoint, &second).await], [404, 200]);
    assert_eq!(ping(&endpoint, &other).await, 200);
}

#[tokio::test]
async fn at_the_total_the_client_with_the_most_sessions_loses_the_one_that_was_idle_longest() {
    let (endpoint, _events) = endpoint();
    let mut sessions = Vec::new();
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.3"] {
        let session = open(&endpoint, address).await.unwrap();
        assert_eq!(ping(&endpoint, &session).await, 200);
        sessions.push(session);
    }
    assert!(open(&endpoint, "192.0.2.4").await.is_ok());
    let mut alive = Vec::new();
    for session in &sessions {
        alive.push(ping(&endpoint, session).await);
    }
    assert_eq!(alive, [200, 404, 200, 200]);
}
