//! The events of a chat as server-sent events.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use bytes::{BufMut as _, Bytes, BytesMut};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use http_body::Frame;
use mcp_agent::Pending;
use tokio::time::timeout;

use super::ChatPath;
use crate::shared::Shared;
use crate::watch::{Update, Watch};

/// Streams the events of a chat after `Last-Event-ID`. Returns 204 after the end of the chat, so that an `EventSource` does
/// not connect again.
pub(super) async fn events(
    State(shared): State<Arc<Shared>>,
    Path(ChatPath { chat }): Path<ChatPath>,
    headers: HeaderMap,
) -> Response {
    let after = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let (heartbeat, retry) = (shared.options.heartbeat, shared.options.retry);
    let watch = match Watch::new(shared, &chat, after).await {
        Ok(watch) => watch,
        Err(error) => return error.into_response(),
    };
    match watch.is_over().await {
        Ok(true) => StatusCode::NO_CONTENT.into_response(),
        Ok(false) => {
            // The last two keep proxies from transforming and buffering the stream.
            let headers = [
                (CONTENT_TYPE, "text/event-stream"),
                (CACHE_CONTROL, "no-store, no-transform"),
                (http::HeaderName::from_static("x-accel-buffering"), "no"),
            ];
            (headers, Body::new(Events { next: first(watch, heartbeat, retry) })).into_response()
        }
        Err(error) => error.into_response(),
    }
}

/// A body that reads the chat only as fast as the client reads the body.
struct Events {
    next: Pending<'static, Option<(Bytes, Watch, Duration)>>,
}

/// Returns the time after which an `EventSource` connects again, as the first piece.
fn first(watch: Watch, heartbeat: Duration, retry: Duration) -> Pending<'static, Option<(Bytes, Watch, Duration)>> {
    Box::pin(std::future::ready(Some((format!("retry: {}\n\n", retry.as_millis()).into(), watch, heartbeat))))
}

fn next(mut watch: Watch, heartbeat: Duration) -> Pending<'static, Option<(Bytes, Watch, Duration)>> {
    Box::pin(async move {
        let piece = match timeout(heartbeat, watch.next()).await {
            // A comment, which keeps the connection open.
            Err(_) => Bytes::from_static(b":\n\n"),
            Ok(Ok(Some(update))) => encode(&update),
            Ok(Ok(None)) => return None,
            Ok(Err(error)) => {
                tracing::error!(error = %crate::session::Chain(&error), "cannot read the events of a chat");
                return None;
            }
        };
        Some((piece, watch, heartbeat))
    })
}

impl http_body::Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match ready!(self.next.as_mut().poll(context)) {
            Some((piece, watch, heartbeat)) => {
                self.next = next(watch, heartbeat);
                Poll::Ready(Some(Ok(Frame::data(piece))))
            }
            None => {
                self.next = Box::pin(std::future::ready(None));
                Poll::Ready(None)
            }
        }
    }
}

/// Encodes an update. Events have no name, so that `onmessage` receives all of them. A snapshot has the format of an event.
fn encode(update: &Update) -> Bytes {
    let (Update::Event { id, data } | Update::Snapshot { id, data }) = update;
    let mut out = BytesMut::with_capacity(data.len() + 96);
    out.put_slice(b"id: ");
    out.put_slice(id.as_bytes());
    out.put_slice(b"\ndata: ");
    let is_snapshot = matches!(update, Update::Snapshot { .. });
    if is_snapshot {
        out.put_slice(br#"{"event":"chat.snapshot","data":{"sessionId":null,"timestamp":0,"metadata":{},"raw":"#);
    }
    // A line break would end the data. JSON has line breaks only between tokens, where a space has the same meaning.
    out.extend(data.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
    if is_snapshot {
        out.put_slice(b"}}");
    }
    out.put_slice(b"\n\n");
    out.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_break_in_the_data_does_not_end_it() {
        let update = Update::Event { id: "e-7".into(), data: "{\"a\":\r\n1}".into() };
        assert_eq!(encode(&update), "id: e-7\ndata: {\"a\":  1}\n\n");
    }
}
