//! A session as the body of a response.

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

/// How long a stream is silent before it says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The messages of a session as server-sent events: a response body.
///
/// `S` is anything that gives messages: a [`Query`](mcp_agent::Query), a [`Session`](mcp_agent::Session), its
/// [`Messages`](mcp_agent::Messages), or what comes out of a [`channel`](crate::channel()). It is read when the client
/// reads, one message at a time, so a slow client holds nothing up here but itself; and it is dropped when the client goes.
///
/// The data of each event is its whole envelope. Events have no name of their own on the wire, so that
/// `source.onmessage` hears all of them; [`named`](Self::named) changes that.
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
    /// The messages of `messages`, told by `narrator`.
    pub fn new(messages: S, narrator: Narrator) -> Self {
        let (messages, ready) = (Some(messages), VecDeque::new());
        Self { messages, narrator, ready, number: 0, named: false, heartbeat: HEARTBEAT, pulse: None }
    }

    /// Gives every event its name, for `source.addEventListener("claude.turn_end", ..)`. Listeners for unnamed events then
    /// hear nothing.
    #[must_use]
    pub fn named(mut self) -> Self {
        self.named = true;
        self
    }

    /// How long the stream may be silent before it says that it is alive: 15 seconds unless said otherwise.
    #[must_use]
    pub fn heartbeat(mut self, every: Duration) -> Self {
        self.heartbeat = every;
        self
    }

    /// A response with this body, and headers that keep those in between from holding it back.
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
