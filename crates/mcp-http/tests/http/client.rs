//! Requests and responses of a client.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use mcp_core::serde_json::{self, Value, json};
use mcp_http::{Body, Endpoint, Http};
use tokio::time::timeout;
use tower_service::Service;

use crate::fixture;

/// The `_meta` of a stateless request.
pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A POST request and its body.
#[derive(Clone, Debug)]
pub(crate) struct Post(pub(crate) http::request::Parts, pub(crate) Bytes);

impl Post {
    /// A request with any body and the headers that every client sends.
    pub(crate) fn raw(body: impl Into<Bytes>) -> Post {
        let request = Request::builder()
            .method(Method::POST)
            .uri("/mcp")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        Post(request.body(()).unwrap().into_parts().0, body.into())
    }

    /// A request of revision 2026-07-28 with its headers.
    pub(crate) fn stateless(method: &str, mut params: Value) -> Post {
        if params.get("_meta").is_none() {
            params["_meta"] = meta();
        }
        let name = params["name"].as_str().or(params["uri"].as_str()).map(str::to_owned);
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let post = Post::raw(body.to_string()).header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
        name.map_or(post.clone(), |name| post.header("mcp-name", &name))
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Post {
        self.0.headers.insert(name, value.parse().unwrap());
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Post {
        self.0.headers.remove(name);
        self
    }

    pub(crate) fn method(mut self, method: Method) -> Post {
        self.0.method = method;
        self
    }

    /// Returns the response without reading its body.
    pub(crate) async fn open(self, endpoint: &Endpoint) -> Response<Body> {
        let Ok(response) = endpoint.clone().call(Request::from_parts(self.0, Full::new(self.1))).await;
        response
    }

    pub(crate) async fn send(self, endpoint: &Endpoint) -> Received {
        let (parts, body) = self.open(endpoint).await.into_parts();
        let Ok(body) = body.collect().await;
        let body = String::from_utf8(body.to_bytes().to_vec()).unwrap();
        Received { status: parts.status, headers: parts.headers, body }
    }
}

/// A response and its whole body.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Received {
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.headers["content-type"], "application/json", "{self:?}");
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn events(&self) -> Vec<Value> {
        assert_eq!(self.headers["content-type"], "text/event-stream", "{self:?}");
        self.body.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok()).collect()
    }

    /// Returns the status and the code of the JSON-RPC error.
    pub(crate) fn refusal(&self) -> (u16, Value) {
        (self.status.as_u16(), self.json()["error"]["code"].clone())
    }
}

/// An event stream, read event by event.
pub(crate) struct Stream(Body);

impl Stream {
    pub(crate) fn of(response: Response<Body>) -> Stream {
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Stream(response.into_body())
    }

    /// Returns the id and the data of the next event; null if it has no data.
    pub(crate) async fn next(&mut self) -> Option<(String, Value)> {
        let frame = timeout(Duration::from_secs(60), self.0.frame()).await.unwrap();
        let Ok(frame) = frame?;
        let text = String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap();
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned();
        Some((field("id: "), serde_json::from_str(&field("data: ")).unwrap_or_default()))
    }
}

/// The endpoint under test.
pub(crate) fn endpoint() -> Endpoint {
    Http::new().endpoint(fixture::server().0).unwrap()
}
