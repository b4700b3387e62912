//! Invalid lists, schemas and capabilities.

use std::time::Duration;

use mcp_client::CallError;
use serde_json::{Value, json};

use crate::wire::{call, connected, good, stateless, still_works};

pub(crate) async fn ten_thousand_pages() {
    let (client, mut wire) = connected(|options| options).await;
    let listing = tokio::spawn(client.tools().all());
    for number in 0..1000 {
        let (id, _) = wire.request().await;
        let tool = json!({"name": format!("t{number}"), "inputSchema": {"type": "object"}});
        wire.answer(id, json!({"tools": [tool], "nextCursor": number.to_string()})).await;
    }
    assert!(
        matches!(listing.await.unwrap(), Err(CallError::Invalid { reason, .. }) if reason == "the list has more than 1000 pages")
    );
    still_works(&client, &mut wire).await;
}

pub(crate) async fn pages_that_are_too_large_together() {
    let (client, mut wire) = connected(|options| options.message_limit(1 << 20)).await;
    let listing = tokio::spawn(client.tools().all());
    for number in 0..5 {
        let (id, _) = wire.request().await;
        let tool = json!({"name": "t", "inputSchema": {"type": "object"}, "description": "x".repeat(1_000_000)});
        wire.answer(id, json!({"tools": [tool], "nextCursor": number.to_string()})).await;
    }
    assert!(matches!(listing.await.unwrap(), Err(CallError::Invalid { reason, .. }) if reason.contains("4194304 bytes")));
    still_works(&client, &mut wire).await;
}

pub(crate) async fn the_same_cursor_for_ever() {
    let (client, mut wire) = connected(|options| options).await;
    let listing = tokio::spawn(client.prompts().all());
    for _ in 0..2 {
        let (id, _) = wire.request().await;
        wire.answer(id, json!({"prompts": [], "nextCursor": "again"})).await;
    }
    assert!(matches!(listing.await.unwrap(), Err(CallError::Invalid { reason, .. }) if reason.contains("same cursor")));
}

pub(crate) async fn tools_that_are_not_tools() {
    let (client, mut wire) = connected(|options| options).await;
    let listing = tokio::spawn(client.tools().all());
    let (id, _) = wire.request().await;
    let good = json!({"name": "good", "inputSchema": {"type": "object"}});
    wire.answer(id, json!({"tools": [1, {}, {"name": 1}, {"name": "no schema"}, [], null, good]})).await;
    let tools = listing.await.unwrap().unwrap();
    assert_eq!(tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["good"]);
}

pub(crate) async fn a_list_that_is_not_a_list() {
    let (client, mut wire) = connected(|options| options).await;
    for result in
        [json!([]), json!("tools"), json!({"tools": {}}), json!({"tools": null}), json!({"tools": [], "nextCursor": 1})]
    {
        let listing = tokio::spawn(client.tools().all());
        let (id, _) = wire.request().await;
        wire.answer(id, result.clone()).await;
        assert!(matches!(listing.await.unwrap(), Err(CallError::Invalid { .. })), "{result}");
    }
}

pub(crate) async fn a_list_without_items() {
    let (client, mut wire) = connected(|options| options).await;
    let listing = tokio::spawn(client.resources().all());
    let (id, _) = wire.request().await;
    wire.answer(id, json!({})).await;
    assert!(matches!(listing.await.unwrap(), Err(CallError::Invalid { reason, .. }) if reason == "`resources` is missing"));
}

/// Lists a tool with this output schema, calls it, and returns the outcome of a call with this result.
async fn with_schema(schema: Value, result: Value) -> Result<mcp_client::ToolResult, CallError> {
    let (client, mut wire) = connected(|options| options).await;
    let listing = tokio::spawn(client.tools().all());
    let (id, _) = wire.request().await;
    wire.answer(id, json!({"tools": [{"name": "t", "inputSchema": {"type": "object"}, "outputSchema": schema}]})).await;
    listing.await.unwrap().unwrap();
    let call = call(&client);
    let (id, _) = wire.request().await;
    wire.answer(id, result).await;
    call.await.unwrap()
}

pub(crate) async fn an_output_schema_that_refers_to_itself() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"$anchor": "a", "$ref": "#a"}),
        json!({"$id": "https://example.com/", "$ref": "https://example.com/"}),
        json!({"$dynamicRef": "#"}),
    ] {
        let result = with_schema(schema, json!({"content": [], "structuredContent": {"a": 1}})).await;
        assert!(
            matches!(&result, Err(CallError::Output { reason, .. }) if reason.contains("refers to itself")),
            "{result:?}"
        );
    }
}

/// The references double only inside of a subschema that has an identifier, or behind an anchor.
pub(crate) async fn an_output_schema_with_hidden_references() {
    let (mut definitions, mut anchors) = (json!({"a60": true}), json!({"a60": {"$anchor": "a60"}}));
    for level in 0..60 {
        let (own, next) = (format!("a{level}"), format!("a{}", level + 1));
        let (by_path, by_anchor) = (json!({"$ref": format!("#/$defs/{next}")}), json!({"$ref": format!("#{next}")}));
        definitions[&own] = json!({"allOf": [by_path, by_path]});
        anchors[&own] = json!({"$anchor": own, "allOf": [by_anchor, by_anchor]});
    }
    let inner = json!({"$id": "l", "$ref": "#/$defs/a0", "$defs": definitions});
    for schema in [
        json!({"$ref": "#/$defs/l", "$defs": {"a0": {"type": "object"}, "l": inner}}),
        json!({"$ref": "#a0", "$defs": anchors}),
        json!({"properties": {"a": {"$ref": "#a0"}}, "$defs": anchors}),
        json!({"properties": {"a": {"$ref": "#/$defs/%61%30"}}, "$defs": definitions}),
    ] {
        let result = with_schema(schema, json!({"content": [], "structuredContent": {"a": 1}})).await;
        assert!(matches!(&result, Err(CallError::Output { reason, .. }) if reason.contains("multiply")), "{result:?}");
    }
}

pub(crate) async fn an_output_that_is_too_large_for_its_schema() {
    let names: Vec<_> = (0..20_000).map(|number| format!("n{number}")).collect();
    let schema = json!({"properties": {"a": {"items": {"enum": names}}}});
    let result = with_schema(schema, json!({"content": [], "structuredContent": {"a": vec!["n1"; 50_000]}})).await;
    assert!(matches!(&result, Err(CallError::Output { reason, .. }) if reason.contains("too large")), "{result:?}");
}

pub(crate) async fn an_output_schema_that_doubles() {
    let mut schema = json!({"$ref": "#/$defs/a0", "$defs": {"a60": {"type": "string"}}});
    for level in 0..60 {
        let next = format!("#/$defs/a{}", level + 1);
        schema["$defs"][format!("a{level}")] = json!({"anyOf": [{"$ref": next}, {"$ref": next}]});
    }
    let result = with_schema(schema, json!({"content": [], "structuredContent": {"a": 1}})).await;
    assert!(matches!(&result, Err(CallError::Output { reason, .. }) if reason.contains("multiply")), "{result:?}");
}

pub(crate) async fn output_against_its_schema() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let result = with_schema(schema, json!({"content": [], "structuredContent": {"n": "one"}})).await;
    assert!(
        matches!(&result, Err(CallError::Output { tool, reason }) if tool == "t" && reason.contains("`n`")),
        "{result:?}"
    );
}

pub(crate) async fn output_that_is_missing() {
    let result = with_schema(json!({"type": "object"}), good()).await;
    assert!(
        matches!(&result, Err(CallError::Output { reason, .. }) if reason.contains("no structured content")),
        "{result:?}"
    );
}

pub(crate) async fn a_capability_that_is_a_lie() {
    let (client, mut wire) = connected(|options| options).await;
    let listing = tokio::spawn(client.tools().all());
    let (id, _) = wire.request().await;
    wire.line(json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no tools here"}})).await;
    assert!(matches!(listing.await.unwrap(), Err(CallError::Rpc(error)) if error.code.0 == -32601));
}

pub(crate) async fn a_subscription_that_is_a_lie() {
    let (client, mut wire) = connected(|options| options).await;
    let subscriber = client.clone();
    let subscribing = tokio::spawn(async move { subscriber.subscribe("file:///a").await.map(drop) });
    let (id, _) = wire.request().await;
    wire.line(json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no subscriptions here"}})).await;
    assert!(matches!(subscribing.await.unwrap(), Err(CallError::Rpc(_))));
    still_works(&client, &mut wire).await;
}

pub(crate) async fn a_subscription_without_an_answer() {
    let limit = Duration::from_millis(200);
    let (client, mut wire) = connected(|options| options.timeout(limit)).await;
    assert!(matches!(client.subscribe("file:///a").await, Err(CallError::Timeout(after)) if after == limit));
    assert_eq!(wire.request().await.1["method"], "resources/subscribe");
    still_works(&client, &mut wire).await;

    let (client, mut wire) = stateless(|options| options.timeout(limit)).await;
    assert!(matches!(client.listen().await, Err(CallError::Timeout(after)) if after == limit));
    assert_eq!(wire.request().await.1["method"], "subscriptions/listen");
    still_works(&client, &mut wire).await;
}
