//! One session of a client, opened by a handshake.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mcp_core::Principal;
use mcp_core::protocol::Revision;
use mcp_core::transport::{BoxFuture, Message, Outbox, Reply, Response, Session, SessionRecord};
use tokio::time::Instant;

use super::streams::{GENERAL, Streams};
use crate::backend::Backend;
use crate::body::EventStream;
use crate::checks::Caller;
use crate::limits::REPLAY_BYTES_PER_STREAM;
use crate::message_queue::MessageQueue;
use crate::observer::{ObservedCall, RequestSpan};
use crate::peer::Client;
use crate::responses::encode;

/// A session of mcp-core, its owner, its streams, and when it was last used.
pub(crate) struct HttpSession {
    session: Session,
    /// The principal that opened it. Requests of other principals do not find the session.
    owner: Option<Box<str>>,
    /// The client whose limit on sessions counts this session.
    client: Client,
    streams: Streams,
    /// Whether a message was received after the handshake.
    used: AtomicBool,
    open_streams: AtomicUsize,
    last_used: Mutex<Instant>,
    /// The state that was last loaded from or saved to a session store.
    stored: Mutex<SessionRecord>,
}

/// The result of a message.
pub(crate) enum Outcome {
    /// The message has no response.
    None,
    /// The response, without any message before it.
    Response(Response),
    /// Messages and the response are, or will be, in this queue.
    Later(Arc<MessageQueue>),
}

impl HttpSession {
    pub(crate) fn new(backend: &Backend, opener: &Caller) -> Arc<HttpSession> {
        let streams = Streams::new();
        Arc::new(HttpSession {
            session: backend.session(streams.general()),
            owner: opener.principal.as_ref().map(|principal| principal.owner().into()),
            client: opener.client.clone(),
            streams,
            used: AtomicBool::new(false),
            open_streams: AtomicUsize::new(0),
            last_used: Mutex::new(Instant::now()),
            stored: Mutex::default(),
        })
    }

    /// Returns the client that opened the session.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Returns whether a request of the client was served after the handshake.
    pub(crate) fn is_used(&self) -> bool {
        self.used.load(Ordering::Acquire)
    }

    /// Marks the session as used.
    pub(crate) fn mark_used(&self) {
        self.used.store(true, Ordering::Release);
    }

    /// Returns whether the session was opened by this principal.
    pub(crate) fn belongs_to(&self, principal: Option<&Principal>) -> bool {
        self.owner.as_deref() == principal.map(Principal::owner)
    }

    /// Applies the state from a session store, if it has changed.
    pub(crate) fn restore(&self, record: SessionRecord) {
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        if *stored != record {
            self.session.resume(&record);
            *stored = record;
        }
    }

    /// Returns the state to save, or `None` if it has not changed since it was last loaded or saved.
    pub(crate) fn take_changes(&self) -> Option<SessionRecord> {
        let mut record = self.session.record();
        record.owner = self.owner.as_deref().map(str::to_owned);
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        if *stored == record {
            return None;
        }
        *stored = record.clone();
        Some(record)
    }

    /// Passes a message to the session. Messages about it go to a queue of its own, never to that of another request.
    pub(crate) fn receive(
        self: &Arc<HttpSession>,
        message: Message<'_>,
        principal: Option<Principal>,
        span: Option<RequestSpan>,
    ) -> Outcome {
        self.touch();
        let queue = Arc::new(MessageQueue::new(REPLAY_BYTES_PER_STREAM));
        let outbox: Arc<dyn Outbox> = queue.clone();
        let session = self.session.held_by(principal);
        let mut call = match RequestSpan::in_scope(span.as_ref(), || session.receive_via(message, &outbox)) {
            Reply::None => return Outcome::None,
            Reply::Now(answer) => {
                RequestSpan::finish(span, &answer);
                return Outcome::Response(answer);
            }
            Reply::Later(later) => ObservedCall::new(later, span),
        };
        match Pin::new(&mut call).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Some(answer)) if queue.is_empty() => return Outcome::Response(answer),
            Poll::Ready(answer) => queue.finish(answer.as_ref().map(encode)),
            Poll::Pending => self.spawn(call, queue.clone()),
        }
        Outcome::Later(queue)
    }

    /// Runs a call in a task, so that it continues when its client disconnects. It is cancelled when the session ends.
    fn spawn(self: &Arc<HttpSession>, call: ObservedCall, queue: Arc<MessageQueue>) {
        let session = self.clone();
        tokio::spawn(async move {
            queue.finish(call.await.as_ref().map(encode));
            session.touch();
        });
    }

    /// Streams the messages that belong to no request, until `shutdown`. A stream that was opened before ends.
    pub(crate) fn listen(self: &Arc<HttpSession>, shutdown: BoxFuture<()>) -> EventStream {
        self.events(GENERAL, self.streams.general(), None).until(shutdown)
    }

    /// Streams the messages of a call. The client can resume the stream.
    pub(crate) fn stream(self: &Arc<HttpSession>, queue: Arc<MessageQueue>) -> EventStream {
        self.events(self.streams.add(queue.clone()), queue, None)
    }

    /// Resumes a stream after the event with this id; `None` if the id is invalid or the stream is not kept. The stream of a
    /// call ends with its response, any other one at `shutdown`.
    pub(crate) fn resume(self: &Arc<HttpSession>, event_id: &str, shutdown: BoxFuture<()>) -> Option<EventStream> {
        let (number, queue, first) = self.streams.after(event_id)?;
        let events = self.events(number, queue, Some(first));
        Some(if number == GENERAL { events.until(shutdown) } else { events })
    }

    fn events(self: &Arc<HttpSession>, number: u64, queue: Arc<MessageQueue>, first: Option<u64>) -> EventStream {
        self.touch();
        let events = EventStream::starting_at(queue, first).resumable(number).with_guard(OpenStream::new(self.clone()));
        let is_primed = first.is_none() && self.session.revision().is_some_and(Revision::primes_streams);
        if is_primed { events.with_initial_id() } else { events }
    }

    /// Returns how long the session has not been used; `None` while a stream is open or a call is in flight.
    pub(crate) fn idle(&self) -> Option<Duration> {
        let busy = self.open_streams.load(Ordering::Acquire) > 0 || self.session.in_flight() > 0;
        (!busy).then(|| self.last_used.lock().unwrap_or_else(PoisonError::into_inner).elapsed())
    }

    /// Cancels all calls and ends every stream.
    pub(crate) fn end(&self) {
        self.session.cancel_all();
        self.streams.finish();
    }

    fn touch(&self) {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

/// The guard of an open stream: the session is not idle until it is dropped.
struct OpenStream(Arc<HttpSession>);

impl OpenStream {
    fn new(session: Arc<HttpSession>) -> OpenStream {
        session.open_streams.fetch_add(1, Ordering::AcqRel);
        OpenStream(session)
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        // Before the count falls, so that the session does not appear to be idle since before the stream was opened.
        self.0.touch();
        self.0.open_streams.fetch_sub(1, Ordering::AcqRel);
    }
}

impl fmt::Debug for HttpSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSession").field("session", &self.session).field("idle", &self.idle()).finish_non_exhaustive()
    }
}
