//! Endpoints that require a token.

use http::Method;
use mcp_core::serde_json::{Value, json};
use mcp_core::{Context, Principal, Server, ToolSpec, tool_fn};
use mcp_http::{Endpoint, Http, Protection, TokenError};

use crate::client::{Post, Received};
use crate::handshake::{hello, request};

/// Returns an endpoint whose tokens have the form `principal+scope+scope`.
fn protected() -> Endpoint {
    let bearer = |token: String| async move {
        let (name, scopes) = token.split_once('+').unwrap_or((&token, ""));
        match name {
            "old" => Err(TokenError::Expired),
            "away" => Err(TokenError::Unavailable),
            "ada" | "bob" => Ok(Principal::new(name).scopes(scopes.split('+').filter(|scope| !scope.is_empty()))),
            _ => Err(TokenError::Invalid),
        }
    };
    let protection = Protection::new("https://mcp.example.com/mcp", bearer).unwrap();
    let protection = protection.require(["mcp"]).issuers(["https://issuer.example.com"]).name("Files");
    Http::new().protect(protection).endpoint(server()).unwrap()
}

fn server() -> mcp_core::Builder {
    let whoami = tool_fn(ToolSpec::new("whoami", "Who calls."), |_: Value, cx: Context| async move {
        cx.principal().map_or("nobody", Principal::owner).to_owned()
    });
    let delete = ToolSpec::new("delete", "Delete a file.").scopes(["files"]);
    Server::builder("doors", "1.0.0").tools([whoami, tool_fn(delete, |_: Value, _: Context| async { "gone" })])
}

fn call(tool: &str, token: &str) -> Post {
    Post::stateless("tools/call", json!({"name": tool})).header("authorization", &format!("Bearer {token}"))
}

fn challenge(answer: &Received) -> (u16, &str) {
    (answer.status.as_u16(), answer.headers["www-authenticate"].to_str().unwrap())
}

#[tokio::test]
async fn a_request_without_a_valid_token_is_refused_with_a_challenge() {
    let endpoint = protected();
    const METADATA: &str = r#"resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp""#;
    let none = Post::stateless("tools/list", json!({})).send(&endpoint).await;
    assert_eq!(challenge(&none), (401, &*format!(r#"Bearer scope="mcp", {METADATA}"#)));
    for (token, description) in [("forged", "the token is invalid for this server"), ("old", "the token has expired")] {
        let answer = call("whoami", token).send(&endpoint).await;
        let expected =
            format!(r#"Bearer error="invalid_token", error_description="{description}", scope="mcp", {METADATA}"#);
        assert_eq!(challenge(&answer), (401, &*expected));
    }
    let basic = call("whoami", "").header("authorization", "Basic YWRhOmFkYQ==").send(&endpoint).await;
    assert!(challenge(&basic).0 == 400 && challenge(&basic).1.contains(r#"error="invalid_request""#), "{basic:?}");
    assert_eq!(call("whoami", "away").send(&endpoint).await.status, 503);
    let listening = Post::raw("").method(Method::GET).send(&endpoint).await;
    assert_eq!(challenge(&listening).0, 401);
}

#[tokio::test]
async fn a_tool_knows_its_caller_and_requires_its_scopes() {
    let endpoint = protected();
    let answer = call("whoami", "ada+mcp").send(&endpoint).await;
    assert_eq!(answer.json()["result"]["content"][0]["text"], "ada");

    let bare = call("whoami", "ada").send(&endpoint).await;
    assert!(challenge(&bare).0 == 403 && challenge(&bare).1.contains(r#"error="insufficient_scope""#), "{bare:?}");
    let lacking = call("delete", "ada+mcp").send(&endpoint).await;
    assert_eq!(challenge(&lacking).0, 403);
    assert!(challenge(&lacking).1.contains(r#"error="insufficient_scope""#), "{lacking:?}");
    assert!(challenge(&lacking).1.contains(r#"scope="mcp files""#), "{lacking:?}");
    assert_eq!((lacking.refusal(), lacking.json()["id"].clone()), ((403, json!(-32003)), json!(1)));
    let allowed = call("delete", "ada+mcp+files").send(&endpoint).await;
    assert_eq!(allowed.json()["result"]["content"][0]["text"], "gone");
}

#[tokio::test]
async fn a_session_belongs_to_the_principal_that_opened_it() {
    let endpoint = protected();
    let token = |post: Post, token: &str| post.header("authorization", &format!("Bearer {token}"));
    let opened = token(hello("2025-11-25"), "ada+mcp").send(&endpoint).await;
    let session = opened.headers["mcp-session-id"].to_str().unwrap();
    let whoami = || request(session, json!(1), "tools/call", json!({"name": "whoami"}));
    let answer = token(whoami(), "ada+mcp+files").send(&endpoint).await;
    assert_eq!(answer.json()["result"]["content"][0]["text"], "ada");
    for method in [Method::POST, Method::GET, Method::DELETE] {
        assert_eq!(token(whoami(), "bob+mcp").method(method).send(&endpoint).await.status, 404);
    }
    let delete = request(session, json!(1), "tools/call", json!({"name": "delete"}));
    assert_eq!(token(delete, "ada+mcp").send(&endpoint).await.status, 403);
    assert_eq!(token(whoami(), "ada+mcp").method(Method::DELETE).send(&endpoint).await.status, 204);
}

#[tokio::test]
async fn a_batch_does_not_bypass_scopes() {
    let endpoint = protected();
    let token = |post: Post| post.header("authorization", "Bearer ada+mcp");
    let opened = token(hello("2025-03-26")).send(&endpoint).await;
    let one = |id: i32, tool: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool}});
    let batch = Post::raw(json!([one(1, "whoami"), one(2, "delete")]).to_string());
    let batch = batch.header("mcp-session-id", opened.headers["mcp-session-id"].to_str().unwrap());
    let answers = token(batch).send(&endpoint).await.json();
    assert_eq!(answers[0]["result"]["content"][0]["text"], "ada");
    assert_eq!(answers[1]["error"]["code"], -32003);
}

#[tokio::test]
async fn the_metadata_is_served_without_a_token() {
    let endpoint = protected();
    for path in ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"] {
        let mut get = Post::raw("").method(Method::GET);
        get.0.uri = path.parse().unwrap();
        let answer = get.send(&endpoint).await;
        let expected = json!({
            "resource": "https://mcp.example.com/mcp",
            "authorization_servers": ["https://issuer.example.com"],
            "scopes_supported": ["mcp", "files"],
            "bearer_methods_supported": ["header"],
            "resource_name": "Files",
        });
        assert_eq!((answer.status.as_u16(), answer.json()), (200, expected));
    }
}

#[tokio::test]
async fn an_application_can_set_the_principal() {
    let endpoint = Http::new().endpoint(server()).unwrap();
    let mut post = Post::stateless("tools/call", json!({"name": "whoami"}));
    post.0.extensions.insert(Principal::new("carol"));
    assert_eq!(post.send(&endpoint).await.json()["result"]["content"][0]["text"], "carol");
    let mut post = Post::stateless("tools/call", json!({"name": "delete"}));
    post.0.extensions.insert(Principal::new("carol"));
    let lacking = post.send(&endpoint).await;
    assert!(challenge(&lacking).0 == 403 && challenge(&lacking).1.contains(r#"scope="files""#), "{lacking:?}");
}

#[test]
fn a_protected_endpoint_needs_a_valid_url() {
    let bearer = |_: String| async { Err(TokenError::Invalid) };
    for good in ["https://mcp.example.com", "http://127.0.0.1:8080/mcp"] {
        assert!(Protection::new(good, bearer).is_ok(), "{good}");
    }
    for bad in ["", "/mcp", "mcp.example.com/mcp", "https://x/mcp?a=b", "https://x/mcp#a", "ftp://x/mcp"] {
        assert!(Protection::new(bad, bearer).is_err(), "{bad}");
    }
    assert_eq!(Protection::new("https://x/", bearer).unwrap().metadata_path(), "/.well-known/oauth-protected-resource");
}
