//! Requests that are turned away before a session sees them, and the other ready-made responses.

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderName, HeaderValue, Response, StatusCode};
use mcp_core::transport::{Code, Id, Response as Reply, RpcError};

use crate::body::Body;
use crate::events::{Events, encode};

/// Why a request is turned away: a status, and a JSON-RPC error that says it in words.
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
    pub(crate) fn new(status: StatusCode, what: impl Into<String>) -> Refusal {
        Refusal::with(status, RpcError::invalid_request(what))
    }

    /// A request that breaks a rule of the protocol.
    pub(crate) fn rule(id: Id, error: RpcError) -> Refusal {
        Refusal::with(StatusCode::BAD_REQUEST, error).to(Some(id))
    }

    /// The server has too much to do at the moment.
    pub(crate) fn busy(what: &str) -> Refusal {
        let refusal = Refusal::with(StatusCode::SERVICE_UNAVAILABLE, RpcError::new(Code::BUSY, what));
        refusal.header(RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// The methods of HTTP that are served instead.
    pub(crate) fn method(allowed: &'static str) -> Refusal {
        let refusal = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, format!("this endpoint takes {allowed}"));
        refusal.header(ALLOW, HeaderValue::from_static(allowed))
    }

    pub(crate) fn with(status: StatusCode, error: RpcError) -> Refusal {
        Refusal(Box::new(Reason { status, id: None, error, header: None }))
    }

    /// The same refusal, as the answer to that request.
    pub(crate) fn to(mut self, id: Option<Id>) -> Refusal {
        self.0.id = id;
        self
    }

    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Refusal {
        self.0.header = Some((name, value));
        self
    }

    pub(crate) fn into_response(self) -> Response<Body> {
        let Reason { status, id, error, header } = *self.0;
        tracing::debug!(status = status.as_u16(), reason = error.message, "refused a request");
        let mut response = json(status, encode(&Reply::refusal(id, error)));
        response.headers_mut().extend(header);
        response
    }
}

/// One JSON text.
pub(crate) fn json(status: StatusCode, text: Bytes) -> Response<Body> {
    let mut response = with_status(status, Body::whole(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A stream of events, which nobody in between is to hold back.
pub(crate) fn stream(events: Events) -> Response<Body> {
    let mut response = with_status(StatusCode::OK, Body::events(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// A message that wants no answer has been taken.
pub(crate) fn accepted() -> Response<Body> {
    with_status(StatusCode::ACCEPTED, Body::empty())
}

pub(crate) fn with_status(status: StatusCode, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
}
