//! Reads the response body as a client does.

use std::time::Duration;

use http_body_util::BodyExt as _;
use mcp_agent::Message;
use mcp_agent::event::Narrator;
use mcp_agent_sse::{Disconnected, Events, Receiver, channel};
use serde_json::{Value, json};

fn message(message: Value) -> Message {
    serde_json::from_value(message).unwrap()
}

fn events(messages: Receiver) -> Events<Receiver> {
    Events::new(messages, Narrator::new("chat").without_original())
}

async fn piece(
    body: &mut (impl http_body::Body<Data = bytes::Bytes, Error = std::convert::Infallible> + Unpin),
) -> Option<String> {
    let frame = body.frame().await?.unwrap();
    Some(String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap())
}

/// Returns the envelope in a frame of the body.
fn envelope(piece: &str) -> Value {
    let data = piece.lines().find_map(|line| line.strip_prefix("data: ")).unwrap_or_else(|| panic!("{piece}"));
    serde_json::from_str(data).unwrap()
}

#[tokio::test]
async fn every_message_is_an_event_and_the_body_ends_with_the_session() {
    let (sender, receiver) = channel(8);
    sender.send(Ok(message(json!({"type": "system", "subtype": "init", "session_id": "s"})))).await.unwrap();
    sender.send(Ok(message(json!({"type": "result", "subtype": "success", "session_id": "s"})))).await.unwrap();
    drop(sender);
    let response = events(receiver).into_response();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    let mut names = Vec::new();
    while let Some(piece) = piece(&mut body).await {
        assert!(piece.ends_with("\n\n") && !piece.contains("event:"), "{piece}");
        names.push(envelope(&piece)["event"].as_str().unwrap().to_owned());
    }
    assert_eq!(names, ["claude.session_start", "claude.system.init", "claude.result.success", "claude.turn_end"]);
}

#[tokio::test]
async fn events_are_numbered_and_have_names_on_request() {
    let (sender, receiver) = channel(8);
    sender.send(Ok(message(json!({"type": "user", "message": {"content": "x"}})))).await.unwrap();
    let mut body = events(receiver).named();
    let piece = piece(&mut body).await.unwrap();
    assert!(piece.starts_with("event: claude.user\nid: 1\ndata: {"), "{piece}");
}

#[tokio::test]
async fn line_breaks_in_a_message_do_not_break_the_event() {
    let (sender, receiver) = channel(8);
    let text = "{\"type\": \"user\",\r\n \"message\":\n{\"content\": \"a\\nb\\u2028c\"}}";
    sender.send(Ok(serde_json::from_str(text).unwrap())).await.unwrap();
    let mut body = events(receiver);
    let piece = piece(&mut body).await.unwrap();
    assert_eq!(piece.lines().count(), 3, "{piece:?}");
    assert_eq!(envelope(&piece)["data"]["raw"]["message"]["content"], "a\nb\u{2028}c");
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_sends_keep_alive_comments() {
    let (sender, receiver) = channel(8);
    let mut body = events(receiver).heartbeat(Duration::from_secs(5));
    for _ in 0..3 {
        let start = tokio::time::Instant::now();
        assert_eq!(piece(&mut body).await.unwrap(), ":\n\n");
        assert_eq!(start.elapsed().as_secs(), 5);
    }
    sender.send(Ok(message(json!({"type": "user", "message": {}})))).await.unwrap();
    assert!(piece(&mut body).await.unwrap().contains("claude.user"));
}

#[tokio::test]
async fn a_client_that_does_not_read_blocks_the_sender_and_no_message_is_lost() {
    let (sender, receiver) = channel(2);
    let user = || Ok(message(json!({"type": "user", "message": {}})));
    assert_eq!((sender.try_send(user()), sender.try_send(user()), sender.try_send(user())), (Ok(true), Ok(true), Ok(false)));
    let mut body = events(receiver);
    let waiting = tokio::spawn({
        let sender = sender.clone();
        async move { sender.send(user()).await }
    });
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished(), "the buffer is full");
    drop(sender);
    let mut count = 0;
    while piece(&mut body).await.is_some() {
        count += 1;
    }
    assert_eq!((count, waiting.await.unwrap()), (3, Ok(())));
}

#[tokio::test]
async fn the_sender_notices_that_the_client_has_disconnected() {
    let (sender, receiver) = channel(1);
    let body = events(receiver);
    let noticed = tokio::spawn({
        let sender = sender.clone();
        async move { sender.disconnected().await }
    });
    drop(body);
    noticed.await.unwrap();
    assert_eq!(sender.send(Ok(message(json!({"type": "user"})))).await, Err(Disconnected));
}
