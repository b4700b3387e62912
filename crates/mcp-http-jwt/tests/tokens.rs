//! Valid and invalid tokens of an issuer on loopback.

mod issuer;

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Full};
use mcp_core::serde_json::{self, Value, json};
use mcp_core::{Context, Principal, Server, ToolSpec, tool_fn};
use mcp_http::{Endpoint, Http, Protection};
use mcp_http_jwt::{Claims, Jwt};
use tower_service::Service;

use crate::issuer::{RESOURCE, TestIssuer};

fn endpoint(issuer: &TestIssuer) -> Endpoint {
    let whoami = tool_fn(ToolSpec::new("whoami", "Who calls."), |_: Value, cx: Context| async move {
        let principal = cx.principal().unwrap();
        let claims = principal.details::<Claims>().unwrap();
        format!("{} {:?}", claims.sub.as_deref().unwrap_or("nobody"), claims.rest["team"].as_str())
    });
    let delete = ToolSpec::new("delete", "Delete a file.").scopes(["files:write"]);
    let delete = tool_fn(delete, |_: Value, cx: Context| async move {
        cx.principal().map(Principal::owner).unwrap_or_default().to_owned()
    });
    let protection = Protection::new(RESOURCE, Jwt::new(RESOURCE, issuer.as_issuer())).unwrap();
    Http::new().protect(protection).endpoint(Server::builder("files", "1.0.0").tools([whoami, delete])).unwrap()
}

/// Calls a tool with a token. Returns the status and the response.
async fn call(endpoint: &Endpoint, tool: &str, token: &str) -> (StatusCode, Value) {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "_meta": meta}});
    let request = Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", tool)
        .header("authorization", format!("Bearer {token}"));
    let Ok(response) = endpoint.clone().call(request.body(Full::<Bytes>::from(body.to_string())).unwrap()).await;
    let status = response.status();
    let Ok(body) = response.into_body().collect().await;
    (status, serde_json::from_slice(&body.to_bytes()).unwrap())
}

#[tokio::test]
async fn a_valid_token_gives_the_principal_and_its_scopes() {
    let issuer = TestIssuer::start().await;
    let endpoint = endpoint(&issuer);
    let (status, answer) = call(&endpoint, "whoami", &issuer.token(json!({"team": "red"}))).await;
    assert_eq!((status.as_u16(), &answer["result"]["content"][0]["text"]), (200, &json!("ada Some(\"red\")")));
    assert_eq!(call(&endpoint, "delete", &issuer.token(json!({"scope": "files:read"}))).await.0, 403);
    let (_, answer) = call(&endpoint, "delete", &issuer.token(json!({"scope": "files:read files:write"}))).await;
    assert_eq!(answer["result"]["content"][0]["text"], format!("{} ada", issuer.name()));
    assert_eq!(issuer.fetched(), 1);
}

#[tokio::test]
async fn tokens_with_another_audience_or_issuer_and_expired_tokens_are_refused() {
    let issuer = TestIssuer::start().await;
    let endpoint = endpoint(&issuer);
    let refused = [
        ("another audience", issuer.token(json!({"aud": "https://other.example/mcp"}))),
        ("no audience", issuer.token(json!({"aud": null}))),
        ("another issuer", issuer.token(json!({"iss": "https://evil.example"}))),
        ("no issuer", issuer.token(json!({"iss": null}))),
        ("expired", issuer.token(json!({"exp": 1_000_000_000}))),
        ("no expiry", issuer.token(json!({"exp": null}))),
        ("not yet valid", issuer.token(json!({"nbf": 99_999_999_999_u64}))),
        ("no subject", issuer.token(json!({"sub": null}))),
        ("unsigned", issuer.unsigned()),
        ("signed with the public key as a secret", issuer.confused()),
        ("another kind of token", issuer.token_of_type("id+jwt")),
        ("not a token", "abc".to_owned()),
        ("empty parts", "..".to_owned()),
        ("too long", "a".repeat(20_000)),
    ];
    for (what, token) in refused {
        assert_eq!(call(&endpoint, "whoami", &token).await.0, 401, "{what}");
    }
    let mut tampered = issuer.token(json!({}));
    tampered.replace_range(tampered.len() - 4.., "AAAA");
    assert_eq!(call(&endpoint, "whoami", &tampered).await.0, 401);
    let several = issuer.token(json!({"aud": ["https://other.example", RESOURCE]}));
    assert_eq!(call(&endpoint, "whoami", &several).await.0, 200);
}

#[tokio::test]
async fn keys_rotate_and_unknown_key_ids_do_not_cause_a_fetch_each_time() {
    let issuer = TestIssuer::start().await;
    let endpoint = endpoint(&issuer);
    let first = issuer.token(json!({}));
    assert_eq!(call(&endpoint, "whoami", &first).await.0, 200);
    issuer.rotate();
    let second = issuer.token(json!({}));
    for _ in 0..20 {
        // The keys were fetched a moment ago, so the new key stays unknown and the issuer gets no requests.
        assert_eq!(call(&endpoint, "whoami", &second).await.0, 401);
    }
    assert_eq!(issuer.fetched(), 1);
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(31)).await;
    tokio::time::resume();
    assert_eq!(call(&endpoint, "whoami", &second).await.0, 200);
    assert_eq!((issuer.fetched(), call(&endpoint, "whoami", &first).await.0.as_u16()), (2, 401));
}

#[tokio::test]
async fn while_the_issuer_is_unreachable_known_keys_are_used_and_unknown_ones_give_503() {
    let issuer = TestIssuer::start().await;
    let early = endpoint(&issuer);
    let token = issuer.token(json!({}));
    assert_eq!(call(&early, "whoami", &token).await.0, 200);
    issuer.stop().await;
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(7200)).await;
    tokio::time::resume();
    assert_eq!(call(&early, "whoami", &token).await.0, 200);
    let late = endpoint(&issuer);
    assert_eq!(call(&late, "whoami", &token).await.0, 503);
}
