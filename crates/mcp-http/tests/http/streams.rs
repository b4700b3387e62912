//! Streams of a session, and how a client resumes them.

use http::Method;
use mcp_core::serde_json::{Value, json};
use mcp_core::{Live, Server};
use mcp_http::Http;

use crate::client::{Post, Stream, endpoint};
use crate::fixture;
use crate::handshake::{initialize, message, request};

fn get(session: &str) -> Post {
    message(session, Value::Null).method(Method::GET).without("content-type")
}

#[tokio::test]
async fn changes_are_sent_on_the_newest_stream_and_none_is_lost() {
    let live = Live::new(fixture::server().0).unwrap();
    let endpoint = Http::new().endpoint(live.clone()).unwrap();
    let session = initialize(&endpoint, "2025-06-18").await;
    let change = |version: &str| live.replace(Server::builder("fixture", version)).unwrap();
    let other = |_: &str| live.replace(fixture::server().0).unwrap();

    change("2");
    let mut first = Stream::of(get(&session).open(&endpoint).await);
    assert_eq!(first.next().await.unwrap().1["method"], "notifications/tools/list_changed");
    let mut second = Stream::of(get(&session).open(&endpoint).await);
    assert_eq!(first.next().await, None);
    other("3");
    let (name, changed) = second.next().await.unwrap();
    assert_eq!((name.as_str(), &changed["method"]), ("0-2", &json!("notifications/tools/list_changed")));
    endpoint.close();
    assert_eq!(second.next().await, None);
}

#[tokio::test]
async fn a_call_continues_after_a_disconnect_and_its_stream_can_be_resumed() {
    let endpoint = endpoint();
    let session = initialize(&endpoint, "2025-11-25").await;
    let params = json!({"name": "chatty", "_meta": {"progressToken": 1}});
    let mut stream = Stream::of(request(&session, json!(5), "tools/call", params).open(&endpoint).await);
    assert_eq!(stream.next().await.unwrap().0, "1-0");
    assert_eq!(stream.next().await.unwrap().0, "1-1");
    drop(stream);

    let mut rest = Stream::of(get(&session).header("last-event-id", "1-1").open(&endpoint).await);
    assert_eq!(rest.next().await.unwrap().1["method"], "notifications/message");
    assert_eq!(rest.next().await.unwrap().1["result"]["content"][0]["text"], "done");
    assert_eq!(rest.next().await, None);

    let mut again = Stream::of(get(&session).header("last-event-id", "1-0").open(&endpoint).await);
    let names: Vec<String> =
        [again.next().await, again.next().await, again.next().await].map(|event| event.unwrap().0).into();
    assert_eq!(names, ["1-1", "1-2", "1-3"]);
}

#[tokio::test]
async fn a_tool_can_release_its_connection_if_the_client_can_resume_the_stream() {
    let endpoint = endpoint();
    let session = initialize(&endpoint, "2025-11-25").await;
    let call = |session: &str| request(session, json!(5), "tools/call", json!({"name": "patient"}));
    let mut stream = Stream::of(call(&session).open(&endpoint).await);
    assert_eq!(stream.next().await.unwrap().0, "1-0");
    assert_eq!(stream.next().await, None);
    let mut rest = Stream::of(get(&session).header("last-event-id", "1-0").open(&endpoint).await);
    assert_eq!(rest.next().await.unwrap().1["result"]["content"][0]["text"], "worth the wait");

    let older = initialize(&endpoint, "2025-06-18").await;
    assert_eq!(call(&older).send(&endpoint).await.json()["result"]["content"][0]["text"], "worth the wait");
    let stateless = Post::stateless("tools/call", json!({"name": "patient"})).send(&endpoint).await;
    assert_eq!(stateless.json()["result"]["content"][0]["text"], "worth the wait");
}

#[tokio::test]
async fn a_stream_of_another_session_cannot_be_resumed() {
    let endpoint = endpoint();
    let (one, two) = (initialize(&endpoint, "2025-11-25").await, initialize(&endpoint, "2025-11-25").await);
    let params = json!({"name": "chatty", "_meta": {"progressToken": 1}});
    assert_eq!(request(&one, json!(5), "tools/call", params).send(&endpoint).await.status, 200);
    for event in ["1-0", "9-9", "nonsense", "-", "18446744073709551616-1"] {
        assert_eq!(get(&two).header("last-event-id", event).send(&endpoint).await.status, 400, "{event}");
    }
}

#[tokio::test]
async fn old_finished_streams_are_dropped_and_new_ones_are_kept() {
    let endpoint = endpoint();
    let session = initialize(&endpoint, "2025-11-25").await;
    for id in 0..40 {
        let params = json!({"name": "chatty", "_meta": {"progressToken": 1}});
        assert_eq!(request(&session, json!(id), "tools/call", params).send(&endpoint).await.events().len(), 3);
    }
    assert_eq!(get(&session).header("last-event-id", "1-0").send(&endpoint).await.status, 400);
    assert_eq!(get(&session).header("last-event-id", "40-1").send(&endpoint).await.events().len(), 2);
}

#[tokio::test]
async fn a_stream_needs_an_accept_header_a_session_and_a_revision_with_sessions() {
    let endpoint = endpoint();
    let session = initialize(&endpoint, "2025-11-25").await;
    assert_eq!(get(&session).header("accept", "application/json").send(&endpoint).await.status, 406);
    assert_eq!(get(&session).without("mcp-session-id").send(&endpoint).await.status, 400);
    assert_eq!(get(&session).header("mcp-protocol-version", "2026-07-28").send(&endpoint).await.status, 405);
}
