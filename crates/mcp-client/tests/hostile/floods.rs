//! Large numbers of messages.

use std::time::Duration;

use mcp_client::{CallError, Elicited};
use serde_json::json;
use tokio::task::JoinSet;

use crate::wire::{call, connected, still_works};

pub(crate) async fn log_messages() {
    let (client, mut wire) = connected(|options| options).await;
    let (mut logs, text) = (client.logs(), "x".repeat(1000));
    for number in 0..50_000 {
        wire.line(json!({"jsonrpc": "2.0", "method": "notifications/message",
            "params": {"level": "info", "data": {"number": number, "text": text}}}))
            .await;
    }
    wire.line(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud","data":1}}"#).await;
    still_works(&client, &mut wire).await;
    let first = logs.next().await.unwrap().data["number"].as_u64().unwrap();
    assert!(logs.missed() > 0 && first == logs.missed(), "the oldest are dropped: {first}");
}

pub(crate) async fn progress_of_one_call() {
    let (client, mut wire) = connected(|options| options).await;
    let mut call = client.call("t", ()).start();
    let sending = async {
        let (id, message) = wire.request().await;
        let token = message["params"]["_meta"]["progressToken"].clone();
        for number in 0..50_000 {
            wire.line(json!({"jsonrpc": "2.0", "method": "notifications/progress",
                "params": {"progressToken": token, "progress": number, "message": "x".repeat(500)}}))
                .await;
        }
        wire.line(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": "much"}})).await;
        wire.answer(id, crate::wire::good()).await;
    };
    let (result, ()) = tokio::join!(&mut call, sending);
    assert_eq!(result.unwrap().to_text(), "good");
}

pub(crate) async fn progress_of_unknown_calls() {
    let (client, mut wire) = connected(|options| options).await;
    for number in 0..50_000 {
        wire.line(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": number, "progress": 1}})).await;
    }
    for token in [json!("a"), json!([]), json!(null), json!(-1), json!(1.5)] {
        wire.line(
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}}),
        )
        .await;
    }
    still_works(&client, &mut wire).await;
}

pub(crate) async fn pings_from_a_server_that_does_not_read() {
    let (client, mut wire) = connected(|options| options).await;
    for number in 0..100_000 {
        wire.line(json!({"jsonrpc": "2.0", "id": number, "method": "ping"})).await;
    }
    // The client continued to read, and dropped the messages that it could not send.
    let call = call(&client);
    loop {
        let message = wire.message().await;
        if message["method"] == "tools/call" {
            wire.answer(message["id"].as_u64().unwrap(), crate::wire::good()).await;
            break;
        }
        assert!(message["result"].is_object(), "{message}");
    }
    assert_eq!(call.await.unwrap().unwrap().to_text(), "good");
}

pub(crate) async fn questions_all_at_once() {
    let never = async |_| std::future::pending::<Result<Elicited<_>, _>>().await;
    let (client, mut wire) = connected(|options| options.on_elicit(never)).await;
    let reading = async {
        let mut busy = 0;
        for number in 0..1000 {
            wire.line(json!({"jsonrpc": "2.0", "id": number, "method": "elicitation/create",
                "params": {"message": "x".repeat(1000), "requestedSchema": {}}}))
                .await;
            if number >= 16 {
                assert_eq!(wire.message().await["error"]["code"], -32000);
                busy += 1;
            }
        }
        busy
    };
    // All but the first 16 are refused at once.
    let busy = tokio::time::timeout(Duration::from_secs(20), reading).await;
    assert_eq!(busy.unwrap(), 984);
    still_works(&client, &mut wire).await;
}

pub(crate) async fn batches_of_notifications() {
    let (client, mut wire) = connected(|options| options).await;
    let note = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let batch = format!("[{}{note}]", format!("{note},").repeat(20_000));
    for _ in 0..5 {
        wire.line(&batch).await;
    }
    still_works(&client, &mut wire).await;
}

pub(crate) async fn calls_to_a_server_that_does_not_read() {
    let (client, wire) = connected(|options| options.timeout(Duration::from_secs(2))).await;
    let mut calls = JoinSet::new();
    for _ in 0..2000 {
        calls.spawn(client.call("t", json!({"text": "x".repeat(1000)})).into_future());
    }
    while let Some(result) = calls.join_next().await {
        assert!(matches!(result.unwrap(), Err(CallError::Timeout(_))));
    }
    drop(wire);
}

pub(crate) async fn unknown_notifications() {
    let (client, mut wire) = connected(|options| options).await;
    let mut notifications = client.notifications();
    for number in 0..50_000 {
        wire.line(json!({"jsonrpc": "2.0", "method": format!("odd/{number}"), "params": {"text": "x".repeat(500)}})).await;
    }
    still_works(&client, &mut wire).await;
    assert!(notifications.next().await.unwrap().method.starts_with("odd/"));
}
