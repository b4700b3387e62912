//! Requests of 2026-07-28, which are independent of each other.

use http_body_util::BodyExt;
use mcp_core::Live;
use mcp_core::serde_json::{self, Value, json};
use mcp_http::Http;

use crate::client::{Post, endpoint, meta};
use crate::fixture;

#[tokio::test]
async fn a_call_without_notifications_is_answered_with_json() {
    let answer = Post::stateless("tools/call", json!({"name": "echo", "arguments": {}})).send(&endpoint()).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["result"]["content"][0]["text"], "nothing");
}

#[tokio::test]
async fn a_call_with_notifications_is_answered_with_a_stream_that_ends_with_the_response() {
    let mut meta = meta();
    meta["progressToken"] = json!("p");
    meta["io.modelcontextprotocol/logLevel"] = json!("debug");
    let answer = Post::stateless("tools/call", json!({"name": "chatty", "_meta": meta})).send(&endpoint()).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.headers["x-accel-buffering"], "no");
    let events = answer.events();
    let methods: Vec<_> = events.iter().map(|event| event["method"].as_str()).collect();
    assert_eq!(methods, [Some("notifications/progress"), Some("notifications/message"), None]);
    assert_eq!(events[2]["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn a_call_whose_client_wants_no_notifications_is_answered_with_json() {
    let answer = Post::stateless("tools/call", json!({"name": "chatty"})).send(&endpoint()).await;
    assert_eq!(answer.json()["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn each_kind_of_error_has_its_status() {
    let endpoint = endpoint();
    let unknown = Post::stateless("tools/dance", json!({})).send(&endpoint).await;
    assert_eq!(unknown.refusal(), (404, json!(-32601)));
    assert_eq!(unknown.json()["id"], 1);
    for gone in ["initialize", "ping", "logging/setLevel", "resources/subscribe"] {
        assert_eq!(Post::stateless(gone, json!({})).send(&endpoint).await.refusal(), (404, json!(-32601)), "{gone}");
    }
    let no_tool = Post::stateless("tools/call", json!({"name": "nothing"})).send(&endpoint).await;
    assert_eq!(no_tool.refusal(), (200, json!(-32602)));
    let panicked = Post::stateless("tools/call", json!({"name": "panics"})).send(&endpoint).await;
    assert_eq!((panicked.status.as_u16(), &panicked.json()["result"]["isError"]), (200, &json!(true)));
    let garbage = Post::raw("{").header("mcp-protocol-version", "2026-07-28").send(&endpoint).await;
    assert_eq!(garbage.refusal(), (400, json!(-32700)));
    let batch = Post::raw("[]").header("mcp-protocol-version", "2026-07-28").send(&endpoint).await;
    assert_eq!(batch.refusal(), (400, json!(-32600)));
    let answer = Post::raw(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).header("mcp-protocol-version", "2026-07-28");
    assert_eq!(answer.send(&endpoint).await.status, 400);
}

#[tokio::test]
async fn notifications_get_202_and_no_body() {
    let note = Post::raw(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    let answer = note.header("mcp-protocol-version", "2026-07-28").send(&endpoint()).await;
    assert_eq!((answer.status.as_u16(), answer.body.as_str()), (202, ""));
}

#[tokio::test]
async fn a_client_that_disconnects_cancels_its_call() {
    let (server, mut events) = fixture::server();
    let endpoint = Http::new().endpoint(server).unwrap();
    let post = Post::stateless("tools/call", json!({"name": "hang"}));
    let call = tokio::spawn(async move { post.send(&endpoint).await.status });
    assert_eq!(events.recv().await, Some("started"));
    call.abort();
    assert_eq!(events.recv().await, Some("dropped"));
}

#[tokio::test(start_paused = true)]
async fn a_long_call_is_answered_with_a_stream_with_keep_alive_comments() {
    let (server, mut events) = fixture::server();
    let endpoint = Http::new().endpoint(server).unwrap();
    let mut response = Post::stateless("tools/call", json!({"name": "hang"})).open(&endpoint).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["cache-control"], "no-cache, no-transform");
    for _ in 0..3 {
        let Ok(frame) = response.body_mut().frame().await.unwrap();
        assert_eq!(frame.into_data().unwrap(), ":\n\n");
    }
    drop(response);
    assert_eq!((events.recv().await, events.recv().await), (Some("started"), Some("dropped")));
}

#[tokio::test]
async fn changes_are_sent_on_a_subscription_until_the_endpoint_closes() {
    let live = Live::new(fixture::server().0).unwrap();
    let endpoint = Http::new().max_streams(1).endpoint(live.clone()).unwrap();
    let listen = || Post::stateless("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    let mut response = listen().open(&endpoint).await;
    let mut next = async || {
        let Ok(frame) = response.body_mut().frame().await?;
        let text = String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap();
        Some(serde_json::from_str::<Value>(text.lines().nth(1).unwrap().strip_prefix("data: ").unwrap()).unwrap())
    };
    assert_eq!(next().await.unwrap()["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(listen().send(&endpoint).await.refusal(), (503, json!(-32000)));

    live.replace(mcp_core::Server::builder("fixture", "2.0.0")).unwrap();
    let changed = next().await.unwrap();
    assert_eq!(changed["method"], "notifications/tools/list_changed");
    assert_eq!(changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    endpoint.close();
    assert_eq!(next().await, None);
}
