//! Every HTTP response: results, errors, streams and refusals, with their status codes.

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderName, HeaderValue, Response, StatusCode};
use mcp_core::transport::{Code, Id, Response as RpcResponse, RpcError};

use crate::body::{Body, EventStream};
use crate::quota::Exceeded;

/// Responds to a stateless request. Protocol errors have a status of their own; errors of a tool have `200`.
pub(crate) fn stateless(answer: &RpcResponse) -> Response<Body> {
    let status = match answer.error().map(|error| error.code) {
        Some(Code::METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        Some(Code::MISSING_CLIENT_CAPABILITY | Code::UNSUPPORTED_VERSION | Code::HEADER_MISMATCH) => StatusCode::BAD_REQUEST,
        Some(Code::INVALID_REQUEST | Code::PARSE_ERROR) => StatusCode::BAD_REQUEST,
        Some(Code::BUSY) => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::OK,
    };
    json(status, encode(answer))
}

/// Responds to a request of a revision with a handshake. Only a body that is not a valid message has an error status.
pub(crate) fn handshake(answer: &RpcResponse) -> Response<Body> {
    let status = match answer.error().map(|error| error.code) {
        Some(Code::PARSE_ERROR | Code::INVALID_REQUEST) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    };
    json(status, encode(answer))
}

/// Responds with a JSON text.
pub(crate) fn json(status: StatusCode, text: Bytes) -> Response<Body> {
    let mut response = with_status(status, Body::json(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Responds with an event stream. The headers ask proxies not to buffer it.
pub(crate) fn stream(events: EventStream) -> Response<Body> {
    let mut response = with_status(StatusCode::OK, Body::events(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// Responds to a message that has no JSON-RPC response, such as a notification.
pub(crate) fn accepted() -> Response<Body> {
    with_status(StatusCode::ACCEPTED, Body::empty())
}

/// Responds to a successful request whose response has no content.
pub(crate) fn no_content() -> Response<Body> {
    with_status(StatusCode::NO_CONTENT, Body::empty())
}

fn with_status(status: StatusCode, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
}

/// Encodes a JSON-RPC response as JSON text.
pub(crate) fn encode(response: &RpcResponse) -> Bytes {
    let mut out = Vec::with_capacity(512);
    response.encode(&mut out);
    out.into()
}

/// The response to a request that failed a check before a session received it: a status and a JSON-RPC error.
#[derive(Debug)]
pub(crate) struct Refusal(Box<Reason>);

#[derive(Debug)]
struct Reason {
    status: StatusCode,
    id: Option<Id>,
    error: RpcError,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Refusal {
    /// Creates a refusal with the JSON-RPC error "invalid request".
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal::with(status, RpcError::invalid_request(message))
    }

    /// Creates a refusal with this JSON-RPC error.
    pub(crate) fn with(status: StatusCode, error: RpcError) -> Refusal {
        Refusal(Box::new(Reason { status, id: None, error, header: None }))
    }

    /// Creates a refusal with `400` for a request that violates the protocol.
    pub(crate) fn protocol_violation(id: Id, error: RpcError) -> Refusal {
        Refusal::with(StatusCode::BAD_REQUEST, error).for_request(Some(id))
    }

    /// Creates a refusal with `503` and `Retry-After`, for a limit that is reached.
    pub(crate) fn busy(message: &str) -> Refusal {
        let refusal = Refusal::with(StatusCode::SERVICE_UNAVAILABLE, RpcError::new(Code::BUSY, message));
        refusal.header(RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// Returns the refusal of a request that would exceed a limit on `what`: `429` for the limit of one client, `503` for the
    /// total.
    pub(crate) fn over_limit(exceeded: Exceeded, what: &str) -> Refusal {
        match exceeded {
            Exceeded::Total => Refusal::busy(&format!("too many concurrent {what}")),
            Exceeded::Client => {
                let error = RpcError::new(Code::BUSY, format!("too many concurrent {what} of one client"));
                let refusal = Refusal::with(StatusCode::TOO_MANY_REQUESTS, error);
                refusal.header(RETRY_AFTER, HeaderValue::from_static("1"))
            }
        }
    }

    /// Creates a refusal with `405` and the HTTP methods that are allowed.
    pub(crate) fn method(allowed: &'static str) -> Refusal {
        let message = format!("method not allowed: this endpoint supports {allowed}");
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message).header(ALLOW, HeaderValue::from_static(allowed))
    }

    /// Sets the id of the request in the JSON-RPC error.
    pub(crate) fn for_request(mut self, id: Option<Id>) -> Refusal {
        self.0.id = id;
        self
    }

    /// Sets an additional header.
    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Refusal {
        self.0.header = Some((name, value));
        self
    }

    pub(crate) fn into_response(self) -> Response<Body> {
        let Reason { status, id, error, header } = *self.0;
        tracing::debug!(status = status.as_u16(), reason = error.message, "refused a request");
        let mut response = json(status, encode(&RpcResponse::refusal(id, error)));
        response.headers_mut().extend(header);
        response
    }
}
