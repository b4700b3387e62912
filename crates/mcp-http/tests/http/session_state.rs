//! Values that belong to one session.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::Method;
use mcp_core::serde_json::{Value, json};
use mcp_core::{Server, tool, tools};
use mcp_http::{Endpoint, Http};

use crate::client::Post;
use crate::handshake::{initialize, message, request};

/// How many counters exist.
type Alive = Arc<AtomicUsize>;

struct Counter {
    count: AtomicUsize,
    alive: Alive,
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Count the calls of this session.
#[tool]
fn count(counter: &Counter) -> usize {
    counter.count.fetch_add(1, Ordering::SeqCst) + 1
}

fn endpoint(alive: &Alive) -> Endpoint {
    let alive = alive.clone();
    let make = move || {
        alive.fetch_add(1, Ordering::SeqCst);
        Counter { count: AtomicUsize::default(), alive: alive.clone() }
    };
    Http::new().endpoint(Server::builder("counter", "1.0.0").session_state(make).tools(tools![count])).unwrap()
}

async fn count_in(endpoint: &Endpoint, session: &str) -> String {
    let answer = request(session, json!(1), "tools/call", json!({"name": "count"})).send(endpoint).await;
    answer.json()["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn each_session_has_a_value_which_is_dropped_when_the_session_is_deleted() {
    let alive = Alive::default();
    let endpoint = endpoint(&alive);
    let (one, two) = (initialize(&endpoint, "2025-11-25").await, initialize(&endpoint, "2025-06-18").await);
    assert_eq!(count_in(&endpoint, &one).await, "1");
    assert_eq!(count_in(&endpoint, &one).await, "2");
    assert_eq!(count_in(&endpoint, &two).await, "1");
    assert_eq!(alive.load(Ordering::SeqCst), 2);
    let delete = message(&one, Value::Null).method(Method::DELETE).without("content-type");
    assert_eq!(delete.send(&endpoint).await.status, 204);
    assert_eq!(alive.load(Ordering::SeqCst), 1);
    endpoint.close();
    drop(endpoint);
}

#[tokio::test]
async fn a_stateless_request_gets_an_error_that_says_what_to_do() {
    let alive = Alive::default();
    let answer = Post::stateless("tools/call", json!({"name": "count"})).send(&endpoint(&alive)).await;
    let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("this request has no session") && message.contains("2025-11-25"), "{message}");
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}
