//! Tool calls: errors, progress, timeouts and cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_client::{CallError, Revision};
use mcp_core::transport::Code;
use serde_json::json;

use crate::test_server::{Way, ways, ways_since};

#[tokio::test]
async fn the_three_kinds_of_error_are_distinguished() {
    for (way, revision) in ways() {
        let (client, _served) = way.connect(revision).await;
        // The tool fails: a result that the model can read.
        let result = client.call("fail", ()).await.unwrap();
        assert!(result.is_error && result.to_text().contains("it is broken"), "{way:?} {revision}");
        let error = client.call_as::<String>("fail", ()).await.unwrap_err();
        assert!(matches!(&error, CallError::Tool(result) if result.is_error), "{error:?}");
        // The request fails.
        let error = client.call("no_such_tool", ()).await.unwrap_err();
        assert!(matches!(&error, CallError::Rpc(error) if error.code == Code::INVALID_PARAMS), "{error:?}");
        // The result is of another type.
        let error = client.call_as::<bool>("add", json!({"a": 1, "b": 2})).await.unwrap_err();
        assert!(matches!(&error, CallError::Convert(reason) if reason.contains("`add`")), "{error:?}");
        // Arguments that are not an object are not sent.
        let error = client.call("add", [1, 2]).await.unwrap_err();
        assert!(error.not_begun(), "{error:?}");
    }
}

#[tokio::test]
async fn progress_is_a_stream_and_ends_with_the_result() {
    for (way, revision) in ways() {
        let (client, _served) = way.connect(revision).await;
        let mut call = client.call("count", json!({"to": 5})).start();
        let mut seen = Vec::new();
        while let Some(progress) = call.progress().await {
            assert_eq!(progress.total, Some(5.0));
            seen.push(progress.progress);
        }
        assert!(seen.is_sorted() && !seen.is_empty(), "{way:?} {revision}: {seen:?}");
        assert_eq!(call.await.unwrap().to_text(), "5");
    }
}

#[tokio::test]
async fn progress_goes_to_a_function_too() {
    let (client, _served) = Way::Streams.connect(Revision::NEWEST).await;
    let seen = Arc::new(AtomicUsize::new(0));
    let counter = seen.clone();
    client
        .call("count", json!({"to": 3}))
        .on_progress(move |_| {
            counter.fetch_add(1, Ordering::SeqCst);
        })
        .await
        .unwrap();
    assert!(seen.load(Ordering::SeqCst) > 0);
}

#[tokio::test]
async fn dropping_a_call_cancels_it_on_the_server() {
    for (way, revision) in ways() {
        let (client, served) = way.connect(revision).await;
        let mut call = client.call("wait", ()).start();
        tokio::select! {
            result = &mut call => panic!("{way:?} {revision}: {result:?}"),
            begun = served.probe.0.begun.acquire() => begun.unwrap().forget(),
        }
        drop(call);
        let dropped = tokio::time::timeout(Duration::from_secs(20), served.probe.0.dropped.acquire()).await;
        dropped.unwrap_or_else(|_| panic!("{way:?} {revision}: the tool still runs")).unwrap().forget();
        // The connection is still good.
        client.ping().await.unwrap();
    }
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled_on_the_server() {
    for (way, revision) in ways_since(Revision::V2025_11_25) {
        let (client, served) = way.connect(revision).await;
        let error = client.call("wait", ()).timeout(Duration::from_millis(300)).await.unwrap_err();
        assert!(matches!(error, CallError::Timeout(_)), "{way:?} {revision}: {error:?}");
        let dropped = tokio::time::timeout(Duration::from_secs(20), served.probe.0.dropped.acquire()).await;
        dropped.unwrap_or_else(|_| panic!("{way:?} {revision}: the tool still runs")).unwrap().forget();
    }
}

#[test]
fn a_call_may_be_dropped_outside_of_the_runtime() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for (way, revision) in ways_since(Revision::V2025_11_25) {
        let (client, served) = runtime.block_on(way.connect(revision));
        let mut call = client.call("wait", ()).start();
        runtime.block_on(async {
            tokio::select! {
                result = &mut call => panic!("{way:?} {revision}: {result:?}"),
                begun = served.probe.0.begun.acquire() => begun.unwrap().forget(),
            }
        });
        drop(call);
        runtime.block_on(served.probe.0.dropped.acquire()).unwrap().forget();
        drop(client);
    }
}

#[tokio::test]
async fn many_calls_at_once_get_their_own_answers() {
    for (way, revision) in ways_since(Revision::V2025_11_25) {
        let (client, _served) = way.connect(revision).await;
        let calls: Vec<_> = (0..200).map(|number| client.call("add", json!({"a": number, "b": 1})).start()).collect();
        let tasks: Vec<_> = calls.into_iter().map(tokio::spawn).collect();
        for (number, task) in tasks.into_iter().enumerate() {
            assert_eq!(task.await.unwrap().unwrap().to_text(), (number + 1).to_string(), "{way:?} {revision}");
        }
    }
}

#[tokio::test]
async fn any_request_can_be_sent_as_json() {
    let (client, _served) = Way::InProcess.connect(Revision::V2025_11_25).await;
    let result = client.request("tools/call", json!({"name": "add", "arguments": {"a": 1, "b": 2}})).await.unwrap();
    assert_eq!(result["content"][0]["text"], "3");
    let error = client.request("no/such/method", json!({})).await.unwrap_err();
    assert!(matches!(error, CallError::Rpc(error) if error.code == Code::METHOD_NOT_FOUND));
}
