//! HTTP requests, each on a new connection.

use std::path::Path;

use bytes::Bytes;
use http::{HeaderMap, Request};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use mcp_core::serde_json::{self, Value, json};
use tokio::net::UnixStream;
use tokio::time::timeout;

use crate::services::TIMEOUT;

/// An HTTP response with a JSON body.
pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl HttpResponse {
    pub(crate) fn text(&self) -> &str {
        self.body["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{} {}", self.status, self.body))
    }
}

/// Sends a request of the revision without sessions.
pub(crate) async fn stateless(socket: &Path, method: &str, mut params: Value) -> HttpResponse {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {
            "elicitation": {"form": {}}, "extensions": {"io.modelcontextprotocol/tasks": {}},
        },
    });
    let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
    let name = params["name"].as_str().or(params["taskId"].as_str()).map(str::to_owned);
    headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
    post(socket, &headers, &json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).await
}

/// Sends any message.
pub(crate) async fn post(socket: &Path, headers: &[(&str, &str)], body: &Value) -> HttpResponse {
    timeout(TIMEOUT, exchange(socket, headers, body)).await.expect("a response")
}

async fn exchange(socket: &Path, headers: &[(&str, &str)], body: &Value) -> HttpResponse {
    let stream = UnixStream::connect(socket).await.unwrap();
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = sender.send_request(request.body(Full::new(Bytes::from(body.to_string()))).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    drop(sender);
    connection.await.unwrap().unwrap();
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    HttpResponse { status: parts.status.as_u16(), headers: parts.headers, body }
}
