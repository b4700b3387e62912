//! Sessions of the revisions with a handshake.

use std::time::Duration;

use http::Method;
use mcp_core::serde_json::{Value, json};
use mcp_http::{Endpoint, Http};

use crate::client::{Post, Stream, endpoint};
use crate::fixture;

/// Opens a session and returns its id.
pub(crate) async fn initialize(endpoint: &Endpoint, revision: &str) -> String {
    let answer = hello(revision).send(endpoint).await;
    assert_eq!(answer.json()["result"]["protocolVersion"], revision);
    answer.headers["mcp-session-id"].to_str().unwrap().to_owned()
}

pub(crate) fn hello(revision: &str) -> Post {
    let params = json!({
        "protocolVersion": revision,
        "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "test", "version": "1"},
    });
    Post::raw(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string())
}

pub(crate) fn request(session: &str, id: Value, method: &str, params: Value) -> Post {
    message(session, json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

pub(crate) fn message(session: &str, body: Value) -> Post {
    Post::raw(body.to_string()).header("mcp-session-id", session)
}

fn get(session: &str) -> Post {
    message(session, Value::Null).method(Method::GET).without("content-type")
}

#[tokio::test]
async fn a_session_is_served_until_it_is_deleted() {
    let endpoint = endpoint();
    let session = initialize(&endpoint, "2025-11-25").await;
    assert!(session.len() == 32 && session.bytes().all(|byte| byte.is_ascii_hexdigit()), "{session}");
    let initialized = message(&session, json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(initialized.send(&endpoint).await.status, 202);

    let list = || request(&session, json!(1), "tools/list", json!({}));
    assert_eq!(list().send(&endpoint).await.json()["result"]["tools"][0]["name"], "echo");
    assert_eq!(list().without("mcp-session-id").send(&endpoint).await.refusal(), (400, json!(-32600)));
    assert_eq!(list().header("mcp-session-id", "guess").send(&endpoint).await.status, 404);
    assert_eq!(list().header("mcp-protocol-version", "2025-11-25").send(&endpoint).await.status, 200);
    assert_eq!(list().header("mcp-protocol-version", "1999-01-01").send(&endpoint).await.refusal(), (400, json!(-32022)));

    assert_eq!(get(&session).method(Method::DELETE).send(&endpoint).await.status, 204);
    assert_eq!(list().send(&endpoint).await.status, 404);
    assert_eq!(get(&session).send(&endpoint).await.status, 404);
    assert_eq!(get(&session).method(Method::DELETE).send(&endpoint).await.status, 404);
}

#[tokio::test]
async fn a_second_initialize_in_a_session_is_refused_and_the_session_stays() {
    let endpoint = endpoint();
    let session = initialize(&endpoint, "2025-06-18").await;
    let second = hello("2025-11-25").header("mcp-session-id", &session).send(&endpoint).await;
    assert_eq!((second.refusal(), second.json()["id"].clone()), ((400, json!(-32600)), json!(0)));
    assert!(!second.headers.contains_key("mcp-session-id"));
    // The negotiated revision is still the first one: it has no batches, and its name is accepted.
    let list = request(&session, json!(1), "tools/list", json!({})).header("mcp-protocol-version", "2025-06-18");
    assert_eq!(list.send(&endpoint).await.status, 200);
    let unknown = hello("2025-11-25").header("mcp-session-id", "unknown").send(&endpoint).await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn a_handshake_that_fails_opens_no_session() {
    let answer = Post::raw(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#).send(&endpoint()).await;
    assert_eq!(answer.refusal(), (200, json!(-32602)));
    assert!(!answer.headers.contains_key("mcp-session-id"));
}

#[tokio::test]
async fn messages_about_a_request_are_sent_on_its_stream_even_if_another_session_uses_its_id() {
    let endpoint = endpoint();
    let (one, two) = (initialize(&endpoint, "2025-06-18").await, initialize(&endpoint, "2025-06-18").await);
    let call = |session: &str, token: &str| {
        let params = json!({"name": "chatty", "_meta": {"progressToken": token}});
        request(session, json!(1), "tools/call", params)
    };
    let (first, second) = tokio::join!(call(&one, "first").send(&endpoint), call(&two, "second").send(&endpoint));
    for (answer, token) in [(first, "first"), (second, "second")] {
        let events = answer.events();
        assert_eq!(events.len(), 3, "{answer:?}");
        assert_eq!(events[0]["params"]["progressToken"], token);
        assert_eq!(events[2]["result"]["content"][0]["text"], "done");
    }
}

#[tokio::test]
async fn a_question_is_sent_on_the_stream_of_its_call_and_answered_with_a_post() {
    let endpoint = endpoint();
    let session = initialize(&endpoint, "2025-11-25").await;
    let mut stream = Stream::of(request(&session, json!(1), "tools/call", json!({"name": "ask"})).open(&endpoint).await);
    assert_eq!(stream.next().await.unwrap(), ("1-0".to_owned(), Value::Null));
    let (name, question) = stream.next().await.unwrap();
    assert_eq!((name.as_str(), &question["method"]), ("1-1", &json!("elicitation/create")));
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"name": "Ada"}}});
    assert_eq!(message(&session, answer).send(&endpoint).await.status, 202);
    assert_eq!(stream.next().await.unwrap().1["result"]["content"][0]["text"], "Hello, Ada");
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_notification_cancels_one_call_and_delete_cancels_all_calls() {
    let (server, mut events) = fixture::server();
    let endpoint = Http::new().endpoint(server).unwrap();
    let session = initialize(&endpoint, "2025-11-25").await;
    let hang = |id: i32| {
        let (post, endpoint) = (request(&session, json!(id), "tools/call", json!({"name": "hang"})), endpoint.clone());
        tokio::spawn(async move { post.send(&endpoint).await })
    };
    let first = hang(1);
    assert_eq!(events.recv().await, Some("started"));
    let second = hang(2);
    assert_eq!(events.recv().await, Some("started"));

    let params = json!({"requestId": 1});
    let cancel = message(&session, json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    assert_eq!(cancel.send(&endpoint).await.status, 202);
    assert_eq!(events.recv().await, Some("dropped"));
    assert_eq!(first.await.unwrap().events(), Vec::<Value>::new());

    assert_eq!(get(&session).method(Method::DELETE).send(&endpoint).await.status, 204);
    assert_eq!(events.recv().await, Some("dropped"));
    assert_eq!(second.await.unwrap().events(), Vec::<Value>::new());
}

#[tokio::test]
async fn only_the_revision_with_batches_accepts_them() {
    let endpoint = endpoint();
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "echo"}},
    ]);
    let with = initialize(&endpoint, "2025-03-26").await;
    let answers = message(&with, batch.clone()).send(&endpoint).await.json();
    assert_eq!((&answers[0]["id"], &answers[1]["id"]), (&json!(1), &json!(2)));
    let silent = message(&with, json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]));
    assert_eq!(silent.send(&endpoint).await.status, 202);
    let without = initialize(&endpoint, "2025-06-18").await;
    assert_eq!(message(&without, batch).send(&endpoint).await.refusal(), (400, json!(-32600)));
}

#[tokio::test(start_paused = true)]
async fn the_number_and_the_idle_time_of_sessions_are_limited() {
    let http = Http::new().max_sessions(2).session_idle(Duration::from_secs(600));
    let (server, mut events) = fixture::server();
    let endpoint = http.endpoint(server).unwrap();
    let (old, used) = (initialize(&endpoint, "2025-11-25").await, initialize(&endpoint, "2025-11-25").await);
    let ping = |session: &str| request(session, json!(1), "ping", json!({}));
    assert_eq!([ping(&old).send(&endpoint).await.status, ping(&used).send(&endpoint).await.status], [200, 200]);
    assert_eq!(hello("2025-11-25").send(&endpoint).await.refusal(), (503, json!(-32000)));

    tokio::time::advance(Duration::from_secs(50)).await;
    assert_eq!(ping(&used).send(&endpoint).await.status, 200);
    tokio::time::advance(Duration::from_secs(20)).await;
    let new = initialize(&endpoint, "2025-11-25").await;
    assert_eq!(ping(&old).send(&endpoint).await.status, 404);
    assert_eq!(ping(&used).send(&endpoint).await.status, 200);

    let post = request(&new, json!(1), "tools/call", json!({"name": "hang"}));
    let hanging = tokio::spawn({
        let endpoint = endpoint.clone();
        async move { post.send(&endpoint).await }
    });
    assert_eq!(events.recv().await, Some("started"));
    tokio::time::advance(Duration::from_secs(700)).await;
    assert_eq!(ping(&used).send(&endpoint).await.status, 404);
    assert_eq!(ping(&new).send(&endpoint).await.status, 200);
    hanging.abort();
}

#[tokio::test]
async fn without_sessions_every_request_is_independent() {
    let endpoint = Http::new().without_sessions().endpoint(fixture::server().0).unwrap();
    let answer = hello("2025-06-18").send(&endpoint).await;
    assert_eq!(answer.json()["result"]["protocolVersion"], "2025-06-18");
    assert!(!answer.headers.contains_key("mcp-session-id"));
    let call = request("ignored", json!(7), "tools/call", json!({"name": "chatty", "_meta": {"progressToken": 1}}));
    let events = call.header("mcp-protocol-version", "2025-06-18").send(&endpoint).await.events();
    assert_eq!(events[0]["method"], "notifications/progress");
    assert_eq!(events[2]["result"]["content"][0]["text"], "done");
    assert_eq!(request("x", json!(1), "ping", json!({})).send(&endpoint).await.json()["result"], json!({}));
    let ask = request("x", json!(1), "tools/call", json!({"name": "ask"})).send(&endpoint).await;
    assert_eq!(ask.json()["result"]["isError"], true);
    for method in [Method::GET, Method::DELETE] {
        let refused = get("x").method(method).send(&endpoint).await;
        assert_eq!((refused.status.as_u16(), &refused.headers["allow"]), (405, &"POST".parse().unwrap()));
    }
}
