//! HTTP/1.1 around the desk: requests in, streams out.

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
use super::desk::Desk;
use super::reply::{self, Beat, ReplyId};
use super::request::{Fate, Request};
use super::turn::Turn;

/// Accepts connections for as long as it is polled.
pub(crate) async fn serve(listener: TcpListener, desk: Arc<Desk>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of descriptors, say: give others the chance to close theirs.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let desk = Arc::clone(&desk);
        let service = service_fn(move |request| {
            let desk = Arc::clone(&desk);
            async move { Ok::<_, Infallible>(answer(&desk, request).await) }
        });
        // A connection that breaks is the client's business: its requests say so themselves.
        tokio::spawn(server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

async fn answer(desk: &Arc<Desk>, incoming: hyper::Request<Incoming>) -> Response<Outgoing> {
    let request = read(incoming).await;
    let number = desk.record(request.clone());
    let mut verdict = Verdict { desk: Arc::clone(desk), fate: request.fate(), answered: false };
    if !request.is_turn() {
        verdict.answered = true;
        return aside(&request);
    }
    let turn = desk.take(&request);
    if let Some(gate) = &turn.hold {
        desk.gate(gate).pass().await;
    }
    if let Some(error) = &turn.error {
        verdict.answered = true;
        return failed(error);
    }
    let id = ReplyId { port: desk.port, number };
    let blocks = reply::spoken(&turn, &request.tools());
    if request.body()["stream"] != true {
        verdict.answered = true;
        return whole(200, &reply::message(&turn, &blocks, request.model(), id));
    }
    let beats = reply::beats(&turn, &blocks, request.model(), id);
    let (events, body) = mpsc::channel(1);
    tokio::spawn(play(beats, turn, events, verdict));
    let mut response = Response::new(Outgoing::Stream(body));
    stamp(&mut response, "text/event-stream; charset=utf-8");
    response
}

/// Streams a turn, as fast as the client reads it and the gates allow.
async fn play(beats: Vec<Beat>, turn: Turn, events: mpsc::Sender<io::Result<Bytes>>, mut verdict: Verdict) {
    for beat in beats {
        match beat {
            Beat::Event(event) => {
                let line = format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default());
                if events.send(Ok(line.into())).await.is_err() {
                    return;
                }
            }
            Beat::Middle => {
                if let Some(gate) = &turn.stall {
                    let gate = verdict.desk.gate(gate);
                    tokio::select! {
                        () = gate.pass() => {}
                        () = events.closed() => return,
                    }
                }
                if turn.drop {
                    verdict.answered = true;
                    let _ = events.send(Err(io::ErrorKind::ConnectionReset.into())).await;
                    return;
                }
            }
        }
    }
    verdict.answered = true;
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

/// What is not a turn: the counting of tokens, and whatever else the CLI asks for, which the stand-in does not have.
fn aside(request: &Request) -> Response<Outgoing> {
    match request.path() {
        "/v1/messages/count_tokens" => whole(200, &json!({"input_tokens": 1234})),
        _ => whole(404, &reply::error("not_found_error", "the stand-in has no such page")),
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
    stamp(&mut response, "application/json");
    response
}

fn stamp(response: &mut Response<Outgoing>, content_type: &'static str) {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static(content_type));
    headers.insert("request-id", hyper::header::HeaderValue::from_static("req_stand_in"));
}

/// Settles the fate of a request, also when hyper drops the future because the client is gone.
struct Verdict {
    desk: Arc<Desk>,
    fate: Arc<Fate>,
    answered: bool,
}

impl Drop for Verdict {
    fn drop(&mut self) {
        self.fate.settle(self.answered);
        self.desk.changed();
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
