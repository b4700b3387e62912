//! Response bodies: JSON text, or a stream of server-sent events.

use std::any::Any;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{BufMut, Bytes, BytesMut};
use http_body::{Frame, SizeHint};
use mcp_core::transport::BoxFuture;
use tokio::time::{Instant, Sleep, sleep};

use crate::connections::ServedRequest;
use crate::limits::{KEEP_ALIVE, RECONNECT_DELAY};
use crate::message_queue::{MessageQueue, Next, Reader};
use crate::observer::ObservedCall;
use crate::quota::Share;
use crate::responses::encode;

/// The body of a response: a JSON text, a stream of events, or empty.
#[derive(Debug)]
pub struct Body {
    kind: Kind,
    /// Keeps the connection marked as busy until the body was sent.
    request: Option<ServedRequest>,
}

#[derive(Debug)]
enum Kind {
    Empty,
    Json(Bytes),
    Events(Box<EventStream>),
}

impl Body {
    pub(crate) fn empty() -> Body {
        Kind::Empty.into()
    }

    pub(crate) fn json(text: Bytes) -> Body {
        Kind::Json(text).into()
    }

    pub(crate) fn events(events: EventStream) -> Body {
        Kind::Events(Box::new(events)).into()
    }

    /// Drops `request` together with the body.
    pub(crate) fn of_request(mut self, request: ServedRequest) -> Body {
        self.request = Some(request);
        self
    }
}

impl From<Kind> for Body {
    fn from(kind: Kind) -> Body {
        Body { kind, request: None }
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut self.kind {
            Kind::Empty => Poll::Ready(None),
            Kind::Json(text) => {
                let text = std::mem::take(text);
                self.kind = Kind::Empty;
                Poll::Ready(Some(Ok(Frame::data(text))))
            }
            Kind::Events(events) => events.poll_chunk(task).map(|chunk| chunk.map(|chunk| Ok(Frame::data(chunk)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.kind, Kind::Empty)
    }

    fn size_hint(&self) -> SizeHint {
        match &self.kind {
            Kind::Empty => SizeHint::with_exact(0),
            Kind::Json(text) => SizeHint::with_exact(text.len() as u64),
            Kind::Events(_) => SizeHint::default(),
        }
    }
}

/// A stream of events: the messages of a queue, and optionally the call whose response is the last message.
///
/// Dropping the stream drops the call, which cancels it.
pub(crate) struct EventStream {
    queue: Arc<MessageQueue>,
    reader: Reader,
    call: Option<ObservedCall>,
    /// Ends a stream that would otherwise stay open.
    shutdown: Option<Shutdown>,
    keep_alive: Pin<Box<Sleep>>,
    /// The number of the stream within its session, for event ids. `None`: the stream cannot be resumed.
    number: Option<u64>,
    /// Sent before the messages.
    first_event: Option<Bytes>,
    /// What the stream uses of the limits.
    shares: Vec<Share>,
    guard: Option<Box<dyn Any + Send + Sync>>,
}

impl EventStream {
    /// Streams the messages of a queue that were not read yet.
    pub(crate) fn new(queue: Arc<MessageQueue>) -> EventStream {
        EventStream::starting_at(queue, None)
    }

    /// Streams the messages of a queue, starting with the message number `first`.
    pub(crate) fn starting_at(queue: Arc<MessageQueue>, first: Option<u64>) -> EventStream {
        let (reader, keep_alive) = (queue.attach(first), Box::pin(sleep(KEEP_ALIVE)));
        let (call, shutdown, number, first_event, guard) = (None, None, None, None, None);
        EventStream { queue, reader, call, shutdown, keep_alive, number, first_event, shares: Vec::new(), guard }
    }

    /// Gives the events ids, so that the client can resume the stream.
    pub(crate) fn resumable(mut self, number: u64) -> EventStream {
        self.number = Some(number);
        self
    }

    /// Starts with an empty event that has an id, so that the client can resume the stream before the first message.
    pub(crate) fn with_initial_id(self) -> EventStream {
        let event = self.number.map(|number| format!("id: {number}-0\nretry: {}\ndata: \n\n", RECONNECT_DELAY.as_millis()));
        EventStream { first_event: event.map(Bytes::from), ..self }
    }

    /// Sets an event that is sent before all others.
    pub(crate) fn with_first_event(mut self, event: Bytes) -> EventStream {
        self.first_event = Some(event);
        self
    }

    /// Drops `guard` together with the stream.
    pub(crate) fn with_guard(mut self, guard: impl Any + Send + Sync) -> EventStream {
        self.guard = Some(Box::new(guard));
        self
    }

    /// Ends the stream with the response of `call`.
    pub(crate) fn with_call(mut self, call: ObservedCall) -> EventStream {
        self.call = Some(call);
        self
    }

    /// Ends the stream when `signal` completes.
    pub(crate) fn until(self, signal: BoxFuture<()>) -> EventStream {
        self.until_idle_after(signal, || true)
    }

    /// Ends the stream when `signal` has completed and `is_idle` returns true. It is called when `signal` completes, and each
    /// time that the queue wakes its reader.
    pub(crate) fn until_idle_after(
        mut self,
        signal: BoxFuture<()>,
        is_idle: impl Fn() -> bool + Send + Sync + 'static,
    ) -> EventStream {
        self.shutdown = Some(Shutdown { signal: Some(signal), is_idle: Box::new(is_idle) });
        self
    }

    /// Holds these shares of the limits as long as the stream is open.
    pub(crate) fn with_shares(mut self, shares: Vec<Share>) -> EventStream {
        self.shares = shares;
        self
    }

    /// Returns the next event or keep-alive comment, or `None` at the end of the stream.
    fn poll_chunk(&mut self, task: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(event) = self.first_event.take() {
            return Poll::Ready(Some(event));
        }
        if let Some(call) = &mut self.call
            && let Poll::Ready(response) = Pin::new(call).poll(task)
        {
            self.call = None;
            self.queue.finish(response.as_ref().map(encode));
        }
        match self.queue.poll_next(self.reader, task) {
            Poll::Ready(Next::Message(number, message)) => {
                self.keep_alive.as_mut().reset(Instant::now() + KEEP_ALIVE);
                return Poll::Ready(Some(event(&message, self.number.map(|stream| (stream, number)))));
            }
            Poll::Ready(Next::End) => return Poll::Ready(None),
            Poll::Pending => {}
        }
        if self.shutdown.as_mut().is_some_and(|shutdown| shutdown.is_over(task)) {
            return Poll::Ready(None);
        }
        ready!(self.keep_alive.as_mut().poll(task));
        self.keep_alive.as_mut().reset(Instant::now() + KEEP_ALIVE);
        Poll::Ready(Some(Bytes::from_static(b":\n\n")))
    }
}

/// When a stream ends that would otherwise stay open.
struct Shutdown {
    /// Completes when the server shuts down. `None` after that.
    signal: Option<BoxFuture<()>>,
    /// Whether no response will be sent on the stream.
    is_idle: Box<dyn Fn() -> bool + Send + Sync>,
}

impl Shutdown {
    fn is_over(&mut self, task: &mut Context<'_>) -> bool {
        if self.signal.as_mut().is_some_and(|signal| signal.as_mut().poll(task).is_ready()) {
            self.signal = None;
        }
        self.signal.is_none() && (self.is_idle)()
    }
}

/// Encodes a message as an event, with the id `stream-number` if it has one.
fn event(message: &[u8], id: Option<(u64, u64)>) -> Bytes {
    let mut out = BytesMut::with_capacity(message.len() + 64);
    if let Some((stream, number)) = id {
        out.put_slice(format!("id: {stream}-{number}\n").as_bytes());
    }
    out.put_slice(b"event: message\ndata: ");
    // A line break would end the event. JSON strings cannot contain a raw line break, and between tokens a space is equivalent.
    out.extend(message.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }));
    out.put_slice(b"\n\n");
    out.freeze()
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventStream").field("queue", &self.queue).field("call", &self.call).finish_non_exhaustive()
    }
}
