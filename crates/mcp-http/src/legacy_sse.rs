//! The HTTP+SSE transport of 2024-11-05: one stream for all messages of the server, and a URL that the client posts to.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use http::{Response, StatusCode};
use mcp_core::Principal;
use mcp_core::transport::{Reply, Session};

use crate::backend::Backend;
use crate::body::{Body, EventStream};
use crate::checks::{Caller, header_check};
use crate::endpoint::Posted;
use crate::handshake::new_session_id;
use crate::message_queue::MessageQueue;
use crate::observer::{ObservedCall, RequestSpan};
use crate::quota::Share;
use crate::responses::{self, Refusal, encode};

/// The clients of this transport, by random session ids.
pub(crate) struct LegacySse {
    backend: Arc<Backend>,
    path: String,
    clients: Mutex<HashMap<Box<str>, Arc<Client>>>,
}

/// A client with an open stream. Its session ends when the stream is closed.
pub(crate) struct Client {
    session: Session,
    owner: Option<Box<str>>,
    queue: Arc<MessageQueue>,
    /// The number of calls in tasks. During a shutdown the stream stays open until all of them have responded.
    running: AtomicUsize,
}

impl LegacySse {
    pub(crate) fn new(backend: Arc<Backend>, path: String) -> LegacySse {
        LegacySse { backend, path, clients: Mutex::default() }
    }

    /// Returns whether this transport is served at this path.
    pub(crate) fn is_at(&self, path: &str) -> bool {
        path == self.path
    }

    /// Opens the stream of a new client. Its first event is the URL to post to.
    pub(crate) fn open(self: &Arc<LegacySse>, caller: &Caller) -> Result<Response<Body>, Refusal> {
        header_check::check_accept(&caller.parts.headers, ["text/event-stream"])?;
        let slot = self.backend.slots.stream(&caller.client)?;
        let id = new_session_id()?;
        let queue = Arc::new(MessageQueue::new(0));
        let session = self.backend.session(queue.clone());
        let owner = caller.principal.as_ref().map(|principal| principal.owner().into());
        let client = Arc::new(Client { session, owner, queue: queue.clone(), running: AtomicUsize::new(0) });
        self.clients().insert(id.clone().into(), client.clone());
        let endpoint = format!("event: endpoint\ndata: {}?session={id}\n\n", caller.parts.uri.path());
        let guard = OpenStream { transport: self.clone(), id: id.into() };
        let events = EventStream::new(queue).with_first_event(endpoint.into()).with_guard(guard);
        let is_idle = move || client.running.load(Ordering::Acquire) == 0;
        let events = events.until_idle_after(self.backend.shutdown_signal(), is_idle);
        Ok(responses::stream(events.with_shares(vec![slot])))
    }

    /// Returns the client that a POST belongs to, by the session id in the query.
    pub(crate) fn find(&self, caller: &Caller) -> Result<Arc<Client>, Refusal> {
        let query = caller.parts.uri.query().unwrap_or_default();
        let id = query.split('&').find_map(|pair| pair.strip_prefix("session=")).unwrap_or_default();
        let client = self.clients().get(id).cloned().filter(|client| client.belongs_to(caller.principal.as_ref()));
        client.ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, "no open stream for this session: open one with GET"))
    }

    fn clients(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<Client>>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Client {
    fn belongs_to(&self, principal: Option<&Principal>) -> bool {
        self.owner.as_deref() == principal.map(Principal::owner)
    }

    /// Passes a message to the session. The HTTP response is empty; the JSON-RPC response is sent on the stream.
    pub(crate) fn receive(self: &Arc<Client>, caller: &Caller, posted: Posted<'_>) -> Response<Body> {
        let Posted { message, slot, span } = posted;
        let session = self.session.held_by(caller.principal.clone());
        match RequestSpan::in_scope(span.as_ref(), || session.receive(message)) {
            Reply::None => {}
            Reply::Now(answer) => {
                RequestSpan::finish(span, &answer);
                self.queue.push_response(encode(&answer));
            }
            Reply::Later(later) => self.run(ObservedCall::new(later, span), slot),
        }
        responses::accepted()
    }

    /// Polls a call once, and spawns a task for it if it is not complete.
    fn run(self: &Arc<Client>, mut call: ObservedCall, slot: Share) {
        match Pin::new(&mut call).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => answer.iter().for_each(|answer| self.queue.push_response(encode(answer))),
            Poll::Pending => {
                let client = self.clone();
                client.running.fetch_add(1, Ordering::AcqRel);
                tokio::spawn(async move {
                    call.await.iter().for_each(|answer| client.queue.push_response(encode(answer)));
                    client.running.fetch_sub(1, Ordering::AcqRel);
                    client.queue.wake_reader();
                    drop(slot);
                });
            }
        }
    }
}

impl fmt::Debug for LegacySse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LegacySse").field("path", &self.path).field("clients", &self.clients().len()).finish_non_exhaustive()
    }
}

/// The guard of an open stream: dropping it ends the session and cancels its calls.
struct OpenStream {
    transport: Arc<LegacySse>,
    id: Box<str>,
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let client = self.transport.clients().remove(&self.id);
        if let Some(client) = client {
            client.session.cancel_all();
        }
    }
}
