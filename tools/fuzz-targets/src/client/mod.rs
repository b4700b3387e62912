//! A client whose server sends arbitrary bytes: it does not panic, every operation ends, and what it sends is valid.

mod http;
mod script;
mod stdio;

use std::time::Duration;

use mcp_client::{Builder, Client, Completable, Elicited, Recovery, Root, RpcError};
use serde_json::{Map, json};

pub use http::client_http;
pub use stdio::client;

/// Adds what lets the server reach as much of the client as possible. `timeout` is that of one operation.
fn options(builder: Builder, timeout: Duration) -> Builder {
    builder
        .timeout(timeout)
        .connect_timeout(timeout)
        .probe_timeout(timeout / 4)
        .recovery(Recovery::default().attempts(2).first_delay(Duration::from_millis(1)))
        .message_limit(8 << 10)
        .page_limit(4)
        .on_elicit(async |_| Ok(Elicited::Accepted(Map::new())))
        .on_sample(async |_| Err(RpcError::invalid_request("no model")))
        .roots([Root::new("file:///a")])
}

/// Uses each feature of the client once. The results do not matter, because the server may send anything.
async fn use_everything(client: &Client) {
    let (mut changes, mut logs) = (client.changes(), client.logs());
    let _ = client.tools().all().await;
    let _ = client.call("t", json!({"a": 1, "b": "x"})).await;
    let mut call = client.call("t", ()).start();
    while call.progress().await.is_some() {}
    let _ = call.await;
    let _ = client.resources().all().await;
    let _ = client.resource_templates().all().await;
    let _ = client.read("file:///a").await;
    let _ = client.read("file:///a").await;
    let _ = client.prompts().all().await;
    let _ = client.prompt("p", [("a", "x")]).await;
    let _ = client.complete(Completable::Prompt("p".to_owned()), "a", "x", [("b", "y")]).await;
    let subscription = client.subscribe("file:///a").await;
    let listening = client.listen().await;
    let _ = client.ping().await;
    let _ = client.call("t", ()).start_task(None).await;
    let _ = client.task("1").result().await;
    let _ = client.tasks().all().await;
    let _ = client.roots_changed().await;
    drop((subscription, listening));
    // What has arrived can be read without waiting.
    let mut unread = std::pin::pin!(async { while changes.next().await.is_some() || logs.next().await.is_some() {} });
    let _ = unread.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop()));
}
