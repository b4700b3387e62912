//! Requests of stateless revisions, and requests to an endpoint without sessions: each has a session of its own.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use http::Response;
use mcp_core::protocol::Revision;
use mcp_core::transport::{BoxFuture, Reply, Response as RpcResponse};
use tokio::time::{Sleep, sleep};

use crate::backend::Backend;
use crate::body::{Body, EventStream};
use crate::checks::Caller;
use crate::endpoint::{Posted, Started};
use crate::limits::STREAM_AFTER;
use crate::message_queue::MessageQueue;
use crate::observer::{ObservedCall, RequestSpan};
use crate::quota::Share;
use crate::responses::{self, Refusal, encode};

/// Converts a JSON-RPC response to an HTTP response.
type Respond = fn(&RpcResponse) -> Response<Body>;

/// A call whose client waits for the response. Dropping it together with its [`ObservedCall`] cancels the call: the client
/// has disconnected.
pub(crate) struct PendingCall {
    queue: Arc<MessageQueue>,
    /// Ends a call that would otherwise stay open.
    shutdown: Option<BoxFuture<()>>,
    shares: Vec<Share>,
    respond: Respond,
}

/// Starts a request of a stateless revision. `long_lived`: the request opens a stream that stays open.
pub(crate) fn start(backend: &Backend, caller: &Caller, posted: Posted<'_>, long_lived: bool) -> Result<Started, Refusal> {
    let mut shares = vec![posted.slot];
    if long_lived {
        shares.push(backend.slots.stream(&caller.client)?);
    }
    let queue = Arc::new(MessageQueue::new(0));
    let session = backend.session_for(caller.principal.as_ref(), queue.clone());
    let shutdown = long_lived.then(|| backend.shutdown_signal());
    let call = PendingCall { queue, shutdown, shares, respond: responses::stateless };
    Ok(call.start(posted.span, || session.receive(posted.message)))
}

/// Starts a message of a revision with a handshake on an endpoint without sessions. `revision` is `None` for the handshake.
pub(crate) fn start_without_session(
    backend: &Backend,
    caller: &Caller,
    posted: Posted<'_>,
    revision: Option<Revision>,
) -> Started {
    let queue = Arc::new(MessageQueue::new(0));
    let mut session = backend.session_for(caller.principal.as_ref(), queue.clone());
    if let Some(revision) = revision {
        session = session.negotiated(revision);
    }
    let call = PendingCall { queue, shutdown: None, shares: vec![posted.slot], respond: responses::handshake };
    call.start(posted.span, || session.receive(posted.message))
}

impl PendingCall {
    fn start(self, span: Option<RequestSpan>, receive: impl FnOnce() -> Reply) -> Started {
        match RequestSpan::in_scope(span.as_ref(), receive) {
            Reply::None => Started::Done(responses::accepted()),
            Reply::Now(answer) => {
                RequestSpan::finish(span, &answer);
                Started::Done((self.respond)(&answer))
            }
            Reply::Later(later) => Started::Call(self, ObservedCall::new(later, span)),
        }
    }

    /// Waits for the response. Responds with JSON if the call sent nothing before its response, else with an event stream.
    pub(crate) async fn respond(self, mut call: ObservedCall) -> Response<Body> {
        // Most calls complete at the first poll. They need no timer.
        let mut timer: Option<Pin<Box<Sleep>>> = None;
        let answer = poll_fn(|task| {
            if let Poll::Ready(answer) = Pin::new(&mut call).poll(task) {
                return Poll::Ready(Some(answer));
            }
            if self.queue.poll_ready(task).is_ready() {
                return Poll::Ready(None);
            }
            timer.get_or_insert_with(|| Box::pin(sleep(STREAM_AFTER))).as_mut().poll(task).map(|()| None)
        })
        .await;
        let events = match answer {
            Some(Some(answer)) if self.queue.is_empty() => return (self.respond)(&answer),
            Some(answer) => {
                self.queue.finish(answer.as_ref().map(encode));
                EventStream::new(self.queue)
            }
            None => EventStream::new(self.queue).with_call(call),
        };
        let events = match self.shutdown {
            Some(shutdown) => events.until(shutdown),
            None => events,
        };
        responses::stream(events.with_shares(self.shares))
    }
}
