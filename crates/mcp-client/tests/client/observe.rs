//! Observers of messages and of standard error.

use std::sync::{Arc, Mutex};

use mcp_client::{Client, Direction, Revision, open_browser};
use serde_json::{Value, json};

#[tokio::test]
async fn an_observer_gets_every_message_in_both_directions() {
    let seen: Arc<Mutex<Vec<(Direction, Value)>>> = Arc::default();
    let observer = seen.clone();
    let observe = move |direction, json: &[u8]| {
        observer.lock().unwrap().push((direction, serde_json::from_slice(json).unwrap()));
    };
    let server = mcp_core::Server::builder("empty", "1.0.0");
    let client = Client::of(server).on_message(observe).await.unwrap();
    client.request("tools/list", json!({})).await.unwrap_err();
    let seen = seen.lock().unwrap();
    let methods: Vec<_> = seen.iter().map(|(direction, message)| (*direction, message["method"].as_str())).collect();
    let expected =
        [(Direction::Sent, Some("server/discover")), (Direction::Received, None), (Direction::Sent, Some("tools/list"))];
    assert_eq!(methods[..3], expected);
    assert!(seen[3].1["error"].is_object() && seen[3].1["id"] == seen[2].1["id"], "{seen:?}");
}

#[tokio::test]
async fn an_observer_gets_the_standard_error_of_a_process() {
    let (sender, mut parts) = tokio::sync::mpsc::unbounded_channel();
    let (shell, arguments) = if cfg!(windows) {
        ("cmd", ["/c", "echo one>&2&echo two>&2"])
    } else {
        ("sh", ["-c", "echo one >&2; echo two >&2"])
    };
    let mut command = std::process::Command::new(shell);
    command.args(arguments);
    let client = Client::spawn(command).revision(Revision::V2025_11_25);
    client.on_stderr(move |bytes| sender.send(bytes.to_owned()).unwrap()).await.unwrap_err();
    let mut seen = Vec::new();
    // The channel is closed when the process and its pipe are gone.
    while let Some(part) = parts.recv().await {
        seen.extend(part);
    }
    assert_eq!(String::from_utf8(seen).unwrap().lines().collect::<Vec<_>>(), ["one", "two"]);
}

#[test]
fn only_web_pages_are_opened_in_the_browser() {
    for url in ["file:///etc/passwd", "javascript:alert(1)", "mailto:a@b.c"] {
        assert!(open_browser(&url::Url::parse(url).unwrap()).is_err(), "{url}");
    }
}
