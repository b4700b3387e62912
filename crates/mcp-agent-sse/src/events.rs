//! An HTTP response body with the events of a session.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt;
use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderValue, Response, header};
use http_body::Frame;
use mcp_agent::event::Narrator;
use mcp_agent::{Error, Message};
use tokio::time::{Instant, Sleep, sleep};

use crate::encode::encode;

/// The default interval of keep-alive comments.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A response body: the messages of a session as server-sent events.
///
/// `S` is a stream of messages: a [`Query`](mcp_agent::Query), a [`Session`](mcp_agent::Session), its
/// [`Messages`](mcp_agent::Messages), or the [`Receiver`](crate::Receiver) of a [`channel`](crate::channel()). The body
/// polls it only when the client reads, one message at a time, so a slow client delays only its own stream. When the
/// client disconnects, the body and the stream are dropped.
///
/// The data of each event is its complete envelope. By default the events have no name on the wire, so that
/// `source.onmessage` receives all of them. Use [`named`](Self::named) to send the names.
pub struct Events<S> {
    messages: Option<S>,
    narrator: Narrator,
    ready: VecDeque<Bytes>,
    number: u64,
    named: bool,
    heartbeat: Duration,
    pulse: Option<Pin<Box<Sleep>>>,
}

impl<S> Events<S>
where
    S: Stream<Item = Result<Message, Error>> + Unpin,
{
    /// Creates a body with the events that `narrator` makes of `messages`.
    pub fn new(messages: S, narrator: Narrator) -> Self {
        let (messages, ready) = (Some(messages), VecDeque::new());
        Self { messages, narrator, ready, number: 0, named: false, heartbeat: HEARTBEAT, pulse: None }
    }

    /// Sends the name of every event, for `source.addEventListener("claude.turn_end", ..)`. `source.onmessage` then receives
    /// nothing.
    #[must_use]
    pub fn named(mut self) -> Self {
        self.named = true;
        self
    }

    /// Sets how long the stream may be silent before it sends a keep-alive comment. The default is 15 seconds.
    #[must_use]
    pub fn heartbeat(mut self, every: Duration) -> Self {
        self.heartbeat = every;
        self
    }

    /// Returns a response with this body, and with headers that keep proxies from caching and buffering it.
    pub fn into_response(self) -> Response<Self> {
        let mut response = Response::new(self);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }

    fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                self.pulse = None;
                return Poll::Ready(Some(piece));
            }
            let Some(messages) = &mut self.messages else {
                return Poll::Ready(None);
            };
            match Pin::new(messages).poll_next(context) {
                Poll::Ready(Some(next)) => {
                    for event in self.narrator.next(&next) {
                        self.number += 1;
                        self.ready.push_back(encode(&event, self.number, self.named));
                    }
                }
                Poll::Ready(None) => self.messages = None,
                Poll::Pending => {
                    let pulse = self.pulse.get_or_insert_with(|| Box::pin(sleep(self.heartbeat)));
                    ready!(pulse.as_mut().poll(context));
                    pulse.as_mut().reset(Instant::now() + self.heartbeat);
                    return Poll::Ready(Some(Bytes::from_static(b":\n\n")));
                }
            }
        }
    }
}

impl<S> http_body::Body for Events<S>
where
    S: Stream<Item = Result<Message, Error>> + Unpin,
{
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.poll_piece(context).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.messages.is_none() && self.ready.is_empty()
    }
}

impl<S> fmt::Debug for Events<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("number", &self.number).field("ready", &self.ready.len()).finish_non_exhaustive()
    }
}
