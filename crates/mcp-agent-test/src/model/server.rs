//! HTTP/1.1 server of the mock model.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame, Incoming};
use hyper::header::{CONTENT_TYPE, RETRY_AFTER};
use hyper::service::service_fn;
use hyper::{Response, server};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::api_error::ApiError;
use super::reply::{self, ReplyId, StreamStep};
use super::request::{ReplyOutcome, Request};
use super::state::ModelState;
use super::turn::Turn;

/// Accepts connections until the future is dropped.
pub(crate) async fn serve(listener: TcpListener, state: Arc<ModelState>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // For example out of file descriptors: wait until others are closed.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let state = Arc::clone(&state);
        let service = service_fn(move |request| {
            let state = Arc::clone(&state);
            async move { Ok::<_, Infallible>(answer(&state, request).await) }
        });
        // Errors of the connection are ignored: `OutcomeGuard` records them for each request.
        tokio::spawn(server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

async fn answer(state: &Arc<ModelState>, incoming: hyper::Request<Incoming>) -> Response<Outgoing> {
    let request = read(incoming).await;
    let number = state.record(request.clone());
    let mut guard = OutcomeGuard { state: Arc::clone(state), outcome: request.outcome(), answered: false };
    if !request.is_turn() {
        guard.answered = true;
        return other_endpoint(&request);
    }
    let turn = state.take(&request);
    if let Some(pause) = &turn.pause_before {
        state.pause_point(pause).pass().await;
    }
    if let Some(error) = &turn.error {
        guard.answered = true;
        return failed(error);
    }
    let id = ReplyId { port: state.port, number };
    let blocks = reply::replace_unoffered_tools(&turn, &request.tools());
    if request.body()["stream"] != true {
        guard.answered = true;
        return whole(200, &reply::message(&turn, &blocks, request.model(), id));
    }
    let stream_steps = reply::stream_steps(&turn, &blocks, request.model(), id);
    let (events, body) = mpsc::channel(1);
    tokio::spawn(stream_turn(stream_steps, turn, events, guard));
    let mut response = Response::new(Outgoing::Stream(body));
    set_headers(&mut response, "text/event-stream; charset=utf-8");
    response
}

/// Streams a turn. Waits for the client to read and at the pause points of the turn.
async fn stream_turn(
    stream_steps: Vec<StreamStep>,
    turn: Turn,
    events: mpsc::Sender<io::Result<Bytes>>,
    mut guard: OutcomeGuard,
) {
    for step in stream_steps {
        match step {
            StreamStep::Event(event) => {
                let line = format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default());
                if events.send(Ok(line.into())).await.is_err() {
                    return;
                }
            }
            StreamStep::Midpoint => {
                if let Some(pause) = &turn.pause_midway {
                    let pause = guard.state.pause_point(pause);
                    tokio::select! {
                        () = pause.pass() => {}
                        () = events.closed() => return,
                    }
                }
                if turn.drop {
                    guard.answered = true;
                    let _ = events.send(Err(io::ErrorKind::ConnectionReset.into())).await;
                    return;
                }
            }
        }
    }
    guard.answered = true;
}

async fn read(incoming: hyper::Request<Incoming>) -> Request {
    let (head, body) = incoming.into_parts();
    let bytes = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let header = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    let headers = head.headers.iter().map(header).collect();
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    Request::new(head.method.to_string(), head.uri.path().to_owned(), headers, body)
}

/// Answers requests that are not for a turn: token counting, and 404 for all other endpoints.
fn other_endpoint(request: &Request) -> Response<Outgoing> {
    match request.path() {
        "/v1/messages/count_tokens" => whole(200, &json!({"input_tokens": 1234})),
        _ => whole(404, &reply::error("not_found_error", "the mock model does not have this endpoint")),
    }
}

fn failed(error: &ApiError) -> Response<Outgoing> {
    let mut response = whole(error.status, &reply::error(&error.kind, &error.message));
    if let Some(seconds) = error.retry_after {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

fn whole(status: u16, body: &Value) -> Response<Outgoing> {
    let mut response = Response::new(Outgoing::Whole(Some(body.to_string().into())));
    if let Ok(status) = status.try_into() {
        *response.status_mut() = status;
    }
    set_headers(&mut response, "application/json");
    response
}

fn set_headers(response: &mut Response<Outgoing>, content_type: &'static str) {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static(content_type));
    headers.insert("request-id", hyper::header::HeaderValue::from_static("req_mock"));
}

/// Sets the outcome of a request on drop. hyper drops the future if the client disconnects.
struct OutcomeGuard {
    state: Arc<ModelState>,
    outcome: Arc<ReplyOutcome>,
    answered: bool,
}

impl Drop for OutcomeGuard {
    fn drop(&mut self) {
        self.outcome.set(self.answered);
        self.state.changed();
    }
}

enum Outgoing {
    Whole(Option<Bytes>),
    Stream(mpsc::Receiver<io::Result<Bytes>>),
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match self.get_mut() {
            Self::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Stream(events) => events.poll_recv(cx).map(|event| event.map(|event| event.map(Frame::data))),
        }
    }
}
