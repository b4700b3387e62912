//! Headers that repeat fields of the body.

use mcp_core::serde_json::{Value, json};

use crate::client::{Post, endpoint, meta};

async fn refused(post: Post) -> (u16, Value) {
    let received = post.send(&endpoint()).await;
    assert_eq!(received.json()["id"], 1);
    received.refusal()
}

#[tokio::test]
async fn a_stateless_request_needs_its_protocol_fields() {
    for key in ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"] {
        let mut meta = meta();
        meta.as_object_mut().unwrap().remove(key);
        assert_eq!(refused(Post::stateless("tools/list", json!({"_meta": meta}))).await, (400, json!(-32602)), "{key}");
    }
    assert_eq!(refused(Post::stateless("server/discover", json!({"_meta": {}}))).await, (400, json!(-32602)));
}

#[tokio::test]
async fn each_mcp_header_must_be_present_once_and_match_the_body() {
    let call = || Post::stateless("tools/call", json!({"name": "echo"}));
    let mismatch = (400, json!(-32020));
    for name in ["mcp-protocol-version", "mcp-method", "mcp-name"] {
        assert_eq!(refused(call().without(name)).await, mismatch, "{name} missing");
        assert_eq!(refused(call().header(name, "other")).await, mismatch, "{name} other");
        let mut twice = call();
        let value = twice.0.headers[name].clone();
        twice.0.headers.append(name, value);
        assert_eq!(refused(twice).await, mismatch, "{name} twice");
    }
    assert_eq!(refused(call().header("mcp-method", "TOOLS/CALL")).await, mismatch);
    assert_eq!(call().header("mcp-name", "  echo ").send(&endpoint()).await.status, 200);
    assert_eq!(call().header("mcp-name", "=?base64?ZWNobw==?=").send(&endpoint()).await.status, 200);
    assert_eq!(refused(call().header("mcp-name", "=?base64?ZWNobw?=")).await, mismatch);
}

#[tokio::test]
async fn an_unsupported_revision_is_refused_with_the_supported_ones() {
    let mut meta = meta();
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let post = Post::stateless("tools/list", json!({"_meta": meta})).header("mcp-protocol-version", "2099-01-01");
    let received = post.send(&endpoint()).await;
    assert_eq!(received.refusal(), (400, json!(-32022)));
    assert_eq!(received.json()["error"]["data"], json!({"supported": ["2026-07-28"], "requested": "2099-01-01"}));
}

#[tokio::test]
async fn headers_that_repeat_arguments_must_match_them() {
    let call = |arguments: Value| Post::stateless("tools/call", json!({"name": "echo", "arguments": arguments}));
    let text = || call(json!({"text": "Hello, 世界", "count": 42}));
    let wrapped = "=?base64?SGVsbG8sIOS4lueVjA==?=";
    let good = text().header("mcp-param-text", wrapped).header("mcp-param-count", "42.0").send(&endpoint()).await;
    assert_eq!(good.json()["result"]["content"][0]["text"], "Hello, 世界");
    let mismatch = (400, json!(-32020));
    assert_eq!(refused(text().header("mcp-param-count", "42")).await, mismatch);
    assert_eq!(refused(text().header("mcp-param-text", wrapped).header("mcp-param-count", "43")).await, mismatch);
    assert_eq!(refused(text().header("mcp-param-text", "Hello").header("mcp-param-count", "42")).await, mismatch);
    assert_eq!(refused(call(json!({})).header("mcp-param-count", "42")).await, mismatch);
    assert_eq!(call(json!({"text": null})).header("mcp-param-unknown", "x").send(&endpoint()).await.status, 200);
}
