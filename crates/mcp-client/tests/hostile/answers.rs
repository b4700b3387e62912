//! Invalid responses.

use std::time::Duration;

use mcp_client::CallError;
use serde_json::json;

use crate::wire::{call, connected, good, still_works};

/// Checks that a call fails with [`CallError::Invalid`], and returns the reason.
macro_rules! invalid {
    ($call:expr) => {
        match $call.await.unwrap() {
            Err(CallError::Invalid { method, reason }) => {
                assert_eq!(method, "tools/call");
                reason
            }
            other => panic!("{other:?}"),
        }
    };
}

/// Sends this line, which is not a response to the call. The call times out, and the next call works.
async fn no_answer(line: impl FnOnce(u64) -> String) {
    let (client, mut wire) = connected(|options| options.timeout(Duration::from_millis(300))).await;
    let first = call(&client);
    let (id, _) = wire.request().await;
    wire.line(line(id)).await;
    assert!(matches!(first.await.unwrap(), Err(CallError::Timeout(_))));
    still_works(&client, &mut wire).await;
}

pub(crate) async fn an_oversized_answer() {
    let (client, mut wire) = connected(|options| options.message_limit(1 << 20)).await;
    let call = call(&client);
    let (id, _) = wire.request().await;
    wire.send(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"x":""#)).await;
    for _ in 0..64 {
        wire.send(vec![b'x'; 256 << 10]).await;
    }
    wire.send("\"}}\n").await;
    assert!(invalid!(call).contains("limit 1048576"));
    still_works(&client, &mut wire).await;
}

pub(crate) async fn an_endless_line() {
    let (client, mut wire) = connected(|options| options.message_limit(1 << 20).timeout(Duration::from_secs(1))).await;
    let call = call(&client);
    wire.request().await;
    for _ in 0..1024 {
        wire.send(vec![b'x'; 256 << 10]).await;
    }
    assert!(matches!(call.await.unwrap(), Err(CallError::Timeout(_))));
    wire.send("\n").await;
    still_works(&client, &mut wire).await;
}

pub(crate) async fn an_answer_with_an_unknown_id() {
    no_answer(|id| json!({"jsonrpc": "2.0", "id": id + 1000, "result": good()}).to_string()).await;
}

pub(crate) async fn an_answer_with_the_id_as_text() {
    no_answer(|id| json!({"jsonrpc": "2.0", "id": id.to_string(), "result": good()}).to_string()).await;
}

pub(crate) async fn an_answer_with_a_fractional_id() {
    no_answer(|id| format!(r#"{{"jsonrpc":"2.0","id":{id}.0,"result":{}}}"#, good())).await;
}

pub(crate) async fn an_answer_with_a_huge_id() {
    no_answer(|id| format!(r#"{{"jsonrpc":"2.0","id":{id}{},"result":{}}}"#, "0".repeat(1 << 20), good())).await;
}

pub(crate) async fn a_duplicate_answer() {
    let (client, mut wire) = connected(|options| options).await;
    let call = call(&client);
    let (id, _) = wire.request().await;
    wire.answer(id, good()).await;
    for _ in 0..1000 {
        wire.answer(id, json!({"content": [{"type": "text", "text": "bad"}]})).await;
    }
    assert_eq!(call.await.unwrap().unwrap().to_text(), "good");
    still_works(&client, &mut wire).await;
}

pub(crate) async fn a_result_and_an_error() {
    let (client, mut wire) = connected(|options| options).await;
    let call = call(&client);
    let (id, _) = wire.request().await;
    wire.line(json!({"jsonrpc": "2.0", "id": id, "result": good(), "error": {"code": -1, "message": "both"}})).await;
    assert!(matches!(call.await.unwrap(), Err(CallError::Rpc(error)) if error.message == "both"));
}

pub(crate) async fn neither_result_nor_error() {
    let (client, mut wire) = connected(|options| options).await;
    let call = call(&client);
    let (id, _) = wire.request().await;
    wire.line(json!({"jsonrpc": "2.0", "id": id})).await;
    assert!(invalid!(call).contains("`result`"));
}

pub(crate) async fn an_error_that_is_not_an_object() {
    let (client, mut wire) = connected(|options| options).await;
    for error in [json!("broken"), json!({"code": "one"}), json!([])] {
        let call = call(&client);
        let (id, _) = wire.request().await;
        wire.line(json!({"jsonrpc": "2.0", "id": id, "error": error})).await;
        assert!(invalid!(call).contains("error object"));
    }
}

pub(crate) async fn garbage_between_answers() {
    let (client, mut wire) = connected(|options| options).await;
    for garbage in
        ["Welcome to my server!", "{", "[]", "null", "42", "{}", r#"{"jsonrpc":"2.0"}"#, "}{", "[[[[", "\u{feff}{}"]
    {
        wire.line(garbage).await;
    }
    still_works(&client, &mut wire).await;
}

pub(crate) async fn an_answer_that_is_not_utf_8() {
    let (client, mut wire) = connected(|options| options).await;
    let call = call(&client);
    let (id, _) = wire.request().await;
    wire.send(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":""#)).await;
    wire.send(b"\xff\xfe\"}]}}\n\xc3\n\x80\x80\n").await;
    assert!(invalid!(call).contains("UTF-8"));
    still_works(&client, &mut wire).await;
}

pub(crate) async fn a_lone_surrogate() {
    let (client, mut wire) = connected(|options| options).await;
    let call = call(&client);
    let (id, _) = wire.request().await;
    wire.line(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"\ud800"}}]}}}}"#)).await;
    let reason = invalid!(call);
    assert!(reason.contains("hex escape"), "{reason}");
    still_works(&client, &mut wire).await;
}

pub(crate) async fn deep_nesting() {
    let (client, mut wire) = connected(|options| options).await;
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    for result in
        [deep.clone(), format!(r#"{{"content":[],"structuredContent":{deep}}}"#), format!(r#"{{"content":{deep}}}"#)]
    {
        let call = call(&client);
        let (id, _) = wire.request().await;
        wire.line(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)).await;
        // The client keeps deep structured content as text. Only converting it to a type fails.
        if let Ok(result) = call.await.unwrap() {
            assert!(result.structured_as::<serde_json::Value>().is_err());
        }
    }
    wire.line(format!(r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","data":{deep}}}}}"#))
        .await;
    still_works(&client, &mut wire).await;
}

pub(crate) async fn a_duplicate_id_key() {
    no_answer(|id| format!(r#"{{"jsonrpc":"2.0","id":{id},"id":{},"result":{}}}"#, id + 1, good())).await;
}

pub(crate) async fn look_alike_keys() {
    let (client, mut wire) = connected(|options| options).await;
    let call = call(&client);
    let (id, _) = wire.request().await;
    wire.line(json!({"jsonrpc": "2.0", "id": id, "Result": good(), "result\u{0}": good(), "reſult": good()})).await;
    assert!(invalid!(call).contains("`result`"));
}

pub(crate) async fn a_result_of_another_shape() {
    let (client, mut wire) = connected(|options| options).await;
    for result in
        [json!(null), json!(1), json!([]), json!({}), json!({"content": "text"}), json!({"content": [{"type": "odd"}]})]
    {
        let call = call(&client);
        let (id, _) = wire.request().await;
        wire.answer(id, result).await;
        assert!(!invalid!(call).is_empty());
    }
    still_works(&client, &mut wire).await;
}

pub(crate) async fn nul_bytes_and_blank_lines() {
    let (client, mut wire) = connected(|options| options).await;
    wire.send(b"\0\0\0\n\r\n\n \t \n\r\r\n").await;
    let call = call(&client);
    let (id, _) = wire.request().await;
    wire.send(format!("{}\r\n", json!({"jsonrpc": "2.0", "id": id, "result": good()}))).await;
    assert_eq!(call.await.unwrap().unwrap().to_text(), "good");
}

pub(crate) async fn an_answer_in_a_batch() {
    let (client, mut wire) = connected(|options| options).await;
    let call = call(&client);
    let (id, _) = wire.request().await;
    wire.line(json!([[], 1, {"jsonrpc": "2.0", "id": id, "result": good()}, {"jsonrpc": "2.0", "id": id, "result": 1}]))
        .await;
    assert_eq!(call.await.unwrap().unwrap().to_text(), "good");
}

pub(crate) async fn the_end_in_the_middle_of_a_call() {
    let (client, mut wire) = connected(|options| options).await;
    let first = call(&client);
    wire.request().await;
    wire.send(r#"{"jsonrpc":"2.0","id":"#).await;
    drop(wire);
    assert!(matches!(first.await.unwrap(), Err(CallError::Lost { begun: true, .. })));
    assert!(call(&client).await.unwrap().unwrap_err().not_begun());
}

pub(crate) async fn an_error_with_a_huge_message() {
    let (client, mut wire) = connected(|options| options).await;
    let call = call(&client);
    let (id, _) = wire.request().await;
    wire.line(
        json!({"jsonrpc": "2.0", "id": id, "error": {"code": i64::MIN, "message": "x".repeat(4 << 20), "data": [1, 2]}}),
    )
    .await;
    assert!(matches!(call.await.unwrap(), Err(CallError::Rpc(error)) if error.code.0 == i64::MIN));
}
