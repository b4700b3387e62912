//! A response that is a stream of server-sent events.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use mcp_core::transport::{BoxFuture, Response};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Sleep, sleep};

use crate::channel::{Channel, Next, Reader};
use crate::watch::Watched;

/// How long a stream may be silent: after this much a comment goes out, so that nobody in between takes it for dead.
const PULSE: Duration = Duration::from_secs(15);

/// When a client that lost its stream should come back.
const RETRY: Duration = Duration::from_millis(500);

/// A stream of events: the messages of a channel, and the work that ends it.
///
/// Dropping it drops the work, which cancels the call.
pub(crate) struct Events {
    channel: Arc<Channel>,
    reader: Reader,
    work: Option<Watched>,
    /// Ends a stream that has no end of its own.
    closing: Option<BoxFuture<()>>,
    pulse: Pin<Box<Sleep>>,
    /// The number of the stream, where its client may come back to it.
    name: Option<u64>,
    /// What comes before all else.
    greeting: Option<Bytes>,
    permits: Vec<OwnedSemaphorePermit>,
    open: Option<Box<dyn Any + Send + Sync>>,
}

impl Events {
    /// The messages of that channel, from where its last reader stopped.
    pub(crate) fn new(channel: Arc<Channel>) -> Events {
        Events::from(channel, None)
    }

    /// The messages of that channel, beginning with the number `from`.
    pub(crate) fn from(channel: Arc<Channel>, from: Option<u64>) -> Events {
        let (reader, pulse) = (channel.attach(from), Box::pin(sleep(PULSE)));
        let (work, closing, name, greeting, open) = (None, None, None, None, None);
        Events { channel, reader, work, closing, pulse, name, greeting, permits: Vec::new(), open }
    }

    /// Names the stream and its events, so that its client can come back for what it missed.
    pub(crate) fn named(mut self, name: u64) -> Events {
        self.name = Some(name);
        self
    }

    /// Begins with an empty event, which says where to come back to.
    pub(crate) fn primed(mut self) -> Events {
        self.greeting = self.name.map(|name| format!("id: {name}-0\nretry: {}\ndata: \n\n", RETRY.as_millis()).into());
        self
    }

    /// Begins with these bytes.
    pub(crate) fn greeted(mut self, greeting: Bytes) -> Events {
        self.greeting = Some(greeting);
        self
    }

    /// Keeps what its session counts on, as long as it lives.
    pub(crate) fn of(mut self, open: impl Any + Send + Sync) -> Events {
        self.open = Some(Box::new(open));
        self
    }

    /// What comes out of `work` is the last of them.
    pub(crate) fn work(mut self, work: Watched) -> Events {
        self.work = Some(work);
        self
    }

    /// The stream ends when `closing` does.
    pub(crate) fn until(mut self, closing: BoxFuture<()>) -> Events {
        self.closing = Some(closing);
        self
    }

    /// Holds these as long as it lives.
    pub(crate) fn holding(mut self, permits: Vec<OwnedSemaphorePermit>) -> Events {
        self.permits = permits;
        self
    }

    /// The next piece of the stream, or its end.
    pub(crate) fn poll_piece(&mut self, task: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(greeting) = self.greeting.take() {
            return Poll::Ready(Some(greeting));
        }
        if let Some(work) = &mut self.work
            && let Poll::Ready(response) = Pin::new(work).poll(task)
        {
            self.work = None;
            self.channel.finish(response.as_ref().map(encode));
        }
        match self.channel.poll_next(self.reader, task) {
            Poll::Ready(Next::Message(number, message)) => {
                self.pulse.as_mut().reset(Instant::now() + PULSE);
                return Poll::Ready(Some(event(&message, self.name.map(|name| (name, number)))));
            }
            Poll::Ready(Next::End) => return Poll::Ready(None),
            Poll::Pending => {}
        }
        if self.closing.as_mut().is_some_and(|closing| closing.as_mut().poll(task).is_ready()) {
            return Poll::Ready(None);
        }
        ready!(self.pulse.as_mut().poll(task));
        self.pulse.as_mut().reset(Instant::now() + PULSE);
        Poll::Ready(Some(Bytes::from_static(b":\n\n")))
    }
}

/// The JSON text of a response.
pub(crate) fn encode(response: &Response) -> Bytes {
    let mut out = Vec::with_capacity(512);
    response.encode(&mut out);
    out.into()
}

/// A message as an event, with a name where it has one.
fn event(message: &[u8], name: Option<(u64, u64)>) -> Bytes {
    let mut out = BytesMut::with_capacity(message.len() + 64);
    if let Some((stream, number)) = name {
        out.put_slice(format!("id: {stream}-{number}\n").as_bytes());
    }
    out.put_slice(b"event: message\ndata: ");
    // A newline would end the event. Between tokens of JSON it means nothing, and inside of them it does not stand.
    out.extend(message.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }));
    out.put_slice(b"\n\n");
    out.freeze()
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("channel", &self.channel).field("work", &self.work).finish_non_exhaustive()
    }
}
