//! Options of every request: timeouts that progress resets, `_meta`, trace context, pinned options.

use std::time::Duration;

use mcp_client::{CallError, Client, ConnectError, Revision};
use serde_json::json;

use crate::wire::{connected, good, stateless};

#[tokio::test(start_paused = true)]
async fn progress_resets_the_timeout_up_to_a_limit() {
    let (client, mut wire) = connected(|options| options).await;
    let call =
        client.call("t", ()).timeout(Duration::from_secs(10)).reset_timeout_on_progress(Duration::from_secs(60)).start();
    let began = tokio::time::Instant::now();
    let serving = async {
        let (_, message) = wire.request().await;
        let token = message["params"]["_meta"]["progressToken"].clone();
        loop {
            tokio::time::sleep(Duration::from_secs(8)).await;
            let params = json!({"progressToken": token, "progress": 1});
            wire.line(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})).await;
        }
    };
    let result = tokio::select! {
        result = call => result,
        () = serving => unreachable!("it serves for ever"),
    };
    assert!(matches!(result, Err(CallError::Timeout(limit)) if limit == Duration::from_secs(60)), "{result:?}");
    assert_eq!(began.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn without_progress_the_short_timeout_ends_the_call() {
    let (client, _wire) = connected(|options| options).await;
    let began = tokio::time::Instant::now();
    let call = client.call("t", ()).timeout(Duration::from_secs(10)).reset_timeout_on_progress(None);
    assert!(matches!(call.await, Err(CallError::Timeout(_))));
    assert_eq!(began.elapsed().as_secs(), 10);
}

#[tokio::test]
async fn trace_context_and_own_entries_are_in_the_meta_of_a_request() {
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for (client, mut wire) in [
        connected(|options| options.trace_context(|| Some(trace.to_owned()))).await,
        stateless(|options| options.trace_context(|| Some(trace.to_owned()))).await,
    ] {
        let calling = tokio::spawn(client.call("t", ()).meta("example.com/color", "red").into_future());
        let (id, message) = wire.request().await;
        let meta = &message["params"]["_meta"];
        assert_eq!((&meta["traceparent"], &meta["example.com/color"]), (&json!(trace), &json!("red")), "{message}");
        wire.answer(id, good()).await;
        calling.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_stateless_request_says_who_asks_and_what_it_can_do() {
    let (client, mut wire) = stateless(|options| options.name("my app", "2.0").roots([])).await;
    let calling = tokio::spawn(client.call("t", ()).into_future());
    let (id, message) = wire.request().await;
    let meta = &message["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "my app");
    let capabilities = &meta["io.modelcontextprotocol/clientCapabilities"];
    assert_eq!(*capabilities, json!({"roots": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}));
    // No progress was requested.
    assert!(meta.get("progressToken").is_none());
    wire.answer(id, good()).await;
    calling.await.unwrap().unwrap();
}

#[tokio::test]
async fn headers_that_a_tool_asks_for_do_not_matter_without_http() {
    let (client, mut wire) = connected(|options| options).await;
    let listing = tokio::spawn(client.tools().all());
    let (id, _) = wire.request().await;
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "not a header"}}});
    wire.answer(id, json!({"tools": [{"name": "t", "inputSchema": schema}]})).await;
    assert_eq!(listing.await.unwrap().unwrap().len(), 1);
}

#[tokio::test]
async fn invalid_options_are_named() {
    for (url, word) in [("no url", "invalid"), ("ftp://example.com", "ftp")] {
        let error = Client::http(url).await.unwrap_err();
        assert!(matches!(&error, ConnectError::Options(reason) if reason.contains(word)), "{error}");
    }
    let error = Client::http("http://127.0.0.1:1").header("two words", "x").await.unwrap_err();
    assert!(error.to_string().contains("`two words`"), "{error}");
    let error = Client::sse("http://127.0.0.1:1").revision(Revision::NEWEST).await.unwrap_err();
    assert!(matches!(error, ConnectError::Options(_)), "{error}");
}

#[tokio::test]
async fn a_list_that_was_requested_before_it_changed_is_not_cached() {
    let (client, mut wire) = stateless(|options| options).await;
    let list = json!({"tools": [], "ttlMs": 60_000, "cacheScope": "public", "resultType": "complete"});
    let listing = tokio::spawn(client.tools().all());
    let (id, _) = wire.request().await;
    wire.line(json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})).await;
    wire.answer(id, list.clone()).await;
    listing.await.unwrap().unwrap();

    let mut listing = tokio::spawn(client.tools().all());
    tokio::select! {
        (id, _) = wire.request() => wire.answer(id, list).await,
        _ = &mut listing => panic!("the list of before the change was returned again"),
    }
    listing.await.unwrap().unwrap();
    // The new list is cached.
    client.tools().all().await.unwrap();
}
