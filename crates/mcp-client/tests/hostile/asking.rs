//! Requests that a server must not send to its client.

use mcp_client::Elicited;
use serde_json::{Map, json};

use crate::wire::{connected, still_works};

pub(crate) async fn a_question_that_was_not_offered() {
    let (client, mut wire) = connected(|options| options).await;
    for method in
        ["sampling/createMessage", "elicitation/create", "roots/list", "tools/call", "initialize", &"x".repeat(1 << 20)]
    {
        wire.line(json!({"jsonrpc": "2.0", "id": "q", "method": method, "params": {"message": "?"}})).await;
        let answer = wire.message().await;
        assert!(answer["id"] == "q" && answer["error"]["code"].is_i64(), "{answer}");
        assert!(answer.to_string().len() < 1000);
    }
    still_works(&client, &mut wire).await;
}

pub(crate) async fn a_question_with_a_duplicate_id() {
    let never = async |_| std::future::pending::<Result<Elicited<_>, _>>().await;
    let (client, mut wire) = connected(|options| options.on_elicit(never)).await;
    for _ in 0..2 {
        wire.line(json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {"message": "?"}})).await;
    }
    assert_eq!(wire.message().await["error"]["message"], "duplicate request id");
    still_works(&client, &mut wire).await;
}

pub(crate) async fn a_question_that_is_taken_back() {
    let (dropped, mut is_dropped) = tokio::sync::mpsc::channel::<()>(1);
    let elicit = move |_| {
        let dropped = dropped.clone();
        async move {
            let _dropped = dropped;
            std::future::pending::<Result<Elicited<Map<String, serde_json::Value>>, _>>().await
        }
    };
    let (client, mut wire) = connected(|options| options.on_elicit(elicit)).await;
    wire.line(json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {"message": "?"}})).await;
    still_works(&client, &mut wire).await;
    wire.line(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})).await;
    still_works(&client, &mut wire).await;
    // The client still has the other sender, so the channel is open. But the handler's future was dropped, and the id is free.
    wire.line(json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})).await;
    assert_eq!(wire.message().await["error"]["code"], -32601);
    drop(client);
    assert!(is_dropped.recv().await.is_none());
}

pub(crate) async fn questions_that_never_existed_are_taken_back() {
    let (client, mut wire) = connected(|options| options).await;
    for params in
        [json!({"requestId": 9}), json!({"requestId": {}}), json!({}), json!({"requestId": null}), json!({"requestId": "x"})]
    {
        wire.line(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
    }
    wire.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}"#).await;
    still_works(&client, &mut wire).await;
}

pub(crate) async fn a_form_of_another_shape() {
    let accept = async |_| Ok(Elicited::Accepted(Map::new()));
    let (client, mut wire) = connected(|options| options.on_elicit(accept)).await;
    for (params, fails) in [
        (json!({}), true),
        (json!({"message": 1}), true),
        (json!({"message": "?", "mode": "url"}), true),
        (json!({"message": "?", "requestedSchema": "no schema"}), false),
        (json!({"message": "?", "requestedSchema": {"properties": [1, 2]}}), false),
    ] {
        wire.line(json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": params})).await;
        let answer = wire.message().await;
        assert_eq!(answer.get("error").is_some(), fails, "{answer}");
    }
    still_works(&client, &mut wire).await;
}
