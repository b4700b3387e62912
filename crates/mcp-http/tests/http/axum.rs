//! The endpoint as a route of an axum application.

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use http::{Request, StatusCode};
use http_body_util::BodyExt;
use mcp_core::serde_json::{self, Value, json};
use tower_service::Service;

use crate::client::{Post, endpoint};

#[tokio::test]
async fn an_endpoint_is_a_route_of_an_axum_application() {
    let mut app: Router = Router::new().route("/", get(|| async { "home" })).route_service("/mcp", endpoint());
    let Post(parts, body) = Post::stateless("tools/call", json!({"name": "echo"}));
    let answer = app.call(Request::from_parts(parts, Body::from(body))).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let answer: Value = serde_json::from_slice(&answer.into_body().collect().await.unwrap().to_bytes()).unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "nothing");
    let home = app.call(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(home.into_body().collect().await.unwrap().to_bytes(), "home");
}
