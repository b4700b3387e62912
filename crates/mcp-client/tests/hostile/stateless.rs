//! Invalid messages of 2026-07-28: input that is always required, and tasks that never end.

use std::time::Duration;

use mcp_client::{CallError, Elicited};
use serde_json::{Map, Value, json};

use crate::wire::{call, stateless, still_works};

fn question() -> Value {
    json!({"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {}}})
}

/// Answers every call with this result, and returns the error of the call.
async fn always(result: Value) -> CallError {
    let accept = async |_| Ok(Elicited::Accepted(Map::new()));
    let (client, mut wire) = stateless(|options| options.on_elicit(accept)).await;
    let mut call = call(&client);
    loop {
        tokio::select! {
            done = &mut call => {
                let error = done.unwrap().unwrap_err();
                still_works(&client, &mut wire).await;
                return error;
            }
            (id, _) = wire.request() => wire.answer(id, result.clone()).await,
        }
    }
}

fn reason(error: CallError) -> String {
    match error {
        CallError::Invalid { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn input_required_for_ever() {
    let result = json!({"resultType": "input_required", "inputRequests": {"a": question()}, "requestState": "s"});
    assert!(reason(always(result).await).contains("more than 32 times"));
}

pub(crate) async fn input_required_for_nothing() {
    assert!(reason(always(json!({"resultType": "input_required"})).await).contains("without questions"));
}

pub(crate) async fn input_required_from_an_unknown_method() {
    for method in ["tools/call", "sampling/createMessage", "", "initialize"] {
        let result = json!({"resultType": "input_required", "inputRequests": {"a": {"method": method, "params": {}}}});
        assert!(reason(always(result).await).contains("cannot answer a question"));
    }
}

pub(crate) async fn thousands_of_questions_at_once() {
    let questions: Map<String, Value> = (0..5000).map(|number| (number.to_string(), question())).collect();
    let result = json!({"resultType": "input_required", "inputRequests": questions});
    assert!(reason(always(result).await).contains("more than 64 questions"));
}

pub(crate) async fn an_unknown_result_type() {
    let error = reason(always(json!({"resultType": "x".repeat(1 << 20)})).await);
    assert!(error.contains("unknown `resultType`") && error.len() < 300);
    reason(always(json!({"resultType": 7})).await);
}

pub(crate) async fn a_task_without_end() {
    let (client, mut wire) = stateless(|options| options.timeout(Duration::from_secs(1))).await;
    let mut call = call(&client);
    let (mut asked, mut timed_out, mut cancelled) = (0, false, false);
    while !(timed_out && cancelled) {
        tokio::select! {
            done = &mut call, if !timed_out => {
                assert!(matches!(done.unwrap(), Err(CallError::Timeout(_))));
                timed_out = true;
            }
            (id, message) = wire.request() => {
                asked += usize::from(message["method"] == "tasks/get");
                cancelled |= message["method"] == "tasks/cancel";
                let kind = if message["method"] == "tools/call" { "task" } else { "complete" };
                let task = json!({"resultType": kind, "taskId": "t", "status": "working", "ttlMs": 1, "pollIntervalMs": 0});
                wire.answer(id, task).await;
            }
        }
    }
    // At most every 50 milliseconds, also if the server requests a shorter interval.
    assert!(0 < asked && asked <= 21, "{asked}");
}

pub(crate) async fn a_task_about_another_task() {
    let (client, mut wire) = stateless(|options| options).await;
    let call = call(&client);
    for (kind, task) in [("task", "mine"), ("complete", "another")] {
        let (id, _) = wire.request().await;
        wire.answer(id, json!({"resultType": kind, "taskId": task, "status": "working"})).await;
    }
    assert!(reason(call.await.unwrap().unwrap_err()).contains("another task"));
}

pub(crate) async fn a_poll_interval_of_nothing() {
    for interval in ["-5", "1e999", "0.000001", "null"] {
        let (client, mut wire) = stateless(|options| options).await;
        let call = call(&client);
        let (id, _) = wire.request().await;
        wire.line(format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"task","taskId":"t","status":"working","pollIntervalMs":{interval}}}}}"#
        ))
        .await;
        if interval == "1e999" {
            // Not a JSON number.
            assert!(call.await.unwrap().is_err());
            continue;
        }
        let (id, _) = wire.request().await;
        let result = crate::wire::good();
        wire.answer(id, json!({"resultType": "complete", "taskId": "t", "status": "completed", "result": result})).await;
        assert_eq!(call.await.unwrap().unwrap().to_text(), "good", "{interval}");
    }
}

pub(crate) async fn a_lifetime_of_an_age() {
    let (client, mut wire) = stateless(|options| options).await;
    for lifetime in [json!(1e300), json!(-1), json!("soon"), json!(u64::MAX)] {
        let listing = tokio::spawn(client.prompts().all());
        let (id, _) = wire.request().await;
        wire.answer(id, json!({"prompts": [], "ttlMs": lifetime, "cacheScope": "public", "resultType": "complete"})).await;
        listing.await.unwrap().unwrap();
        // The notification of a change drops the cached results.
        wire.line(json!({"jsonrpc": "2.0", "method": "notifications/prompts/list_changed"})).await;
        still_works(&client, &mut wire).await;
    }
}

pub(crate) async fn a_request_to_the_client() {
    let accept = async |_| Ok(Elicited::Accepted(Map::new()));
    let (client, mut wire) = stateless(|options| options.on_elicit(accept)).await;
    wire.line(json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": question()["params"]})).await;
    assert_eq!(wire.message().await["error"]["code"], -32601);
    still_works(&client, &mut wire).await;
}
