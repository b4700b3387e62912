//! Requests that stand alone: each has a session of its own, which ends with it.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::{Response, StatusCode};
use mcp_core::transport::{BoxFuture, Code, Message, Outbox, Reply, Response as Answer, Session};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Sleep, sleep};

use crate::admission::Caller;
use crate::body::Body;
use crate::channel::Channel;
use crate::endpoint::{Begun, Entry, Shared};
use crate::events::{Events, encode};
use crate::refusal::{Refusal, accepted, json, stream};
use crate::watch::{Watch, Watched};

/// After so much silence a response begins all the same, as a stream, so that nobody in between gives it up for lost.
const PATIENCE: Duration = Duration::from_secs(10);

/// How an answer becomes a response.
pub(crate) type Answered = fn(&Answer) -> Response<Body>;

/// A call whose client waits for it. Dropping it cancels it: its client is gone.
pub(crate) struct Call {
    channel: Arc<Channel>,
    /// Ends it if it has no end of its own.
    closing: Option<BoxFuture<()>>,
    permit: OwnedSemaphorePermit,
    /// For those that stay open.
    stream: Option<OwnedSemaphorePermit>,
    answered: Answered,
}

impl Call {
    pub(crate) fn begin(shared: &Shared, caller: &Caller, entry: Entry<'_>, long_lived: bool) -> Result<Begun, Refusal> {
        let stream = long_lived.then(|| shared.streams.clone().try_acquire_owned()).transpose();
        let stream = stream.map_err(|_| Refusal::busy("too many streams at once"))?;
        let channel = Arc::new(Channel::new(0));
        let outbox: Arc<dyn Outbox> = channel.clone();
        let session = shared.server.session(shared.host.clone(), outbox).held_by(caller.principal.clone());
        let closing = long_lived.then(|| shared.closed());
        Ok(Call { channel, closing, permit: entry.permit, stream, answered }.run(&session, entry.message, entry.watch))
    }

    /// A call of a session that ends with it.
    pub(crate) fn new(channel: Arc<Channel>, permit: OwnedSemaphorePermit, answered: Answered) -> Call {
        Call { channel, closing: None, permit, stream: None, answered }
    }

    pub(crate) fn run(self, session: &Session, message: Message<'_>, watch: Option<Watch>) -> Begun {
        match Watch::during(watch.as_ref(), || session.receive(message)) {
            Reply::None => Begun::Answered(accepted()),
            Reply::Now(answer) => {
                Watch::end(watch, &answer);
                Begun::Answered((self.answered)(&answer))
            }
            Reply::Later(later) => Begun::Called(self, Watched::new(later, watch)),
        }
    }

    /// One JSON text if the answer is all there is to say, else a stream.
    pub(crate) async fn respond(self, mut later: Watched) -> Response<Body> {
        // Most calls are done at once, and need no clock.
        let mut patience: Option<Pin<Box<Sleep>>> = None;
        let answer = poll_fn(|task| {
            if let Poll::Ready(answer) = Pin::new(&mut later).poll(task) {
                return Poll::Ready(Some(answer));
            }
            if self.channel.poll_ready(task).is_ready() {
                return Poll::Ready(None);
            }
            patience.get_or_insert_with(|| Box::pin(sleep(PATIENCE))).as_mut().poll(task).map(|()| None)
        })
        .await;
        let events = match answer {
            Some(Some(answer)) if self.channel.is_empty() => return (self.answered)(&answer),
            Some(answer) => {
                self.channel.finish(answer.as_ref().map(encode));
                Events::new(self.channel)
            }
            None => Events::new(self.channel).work(later),
        };
        let events = match self.closing {
            Some(closing) => events.until(closing),
            None => events,
        };
        stream(events.holding([self.permit].into_iter().chain(self.stream).collect()))
    }
}

/// The status that goes with an answer. An error of a call is an answer like any other; one of the protocol is not.
fn answered(answer: &Answer) -> Response<Body> {
    let status = match answer.error().map(|error| error.code) {
        Some(Code::METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        Some(Code::MISSING_CLIENT_CAPABILITY | Code::UNSUPPORTED_VERSION | Code::HEADER_MISMATCH) => StatusCode::BAD_REQUEST,
        Some(Code::INVALID_REQUEST | Code::PARSE_ERROR) => StatusCode::BAD_REQUEST,
        Some(Code::BUSY) => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::OK,
    };
    json(status, encode(answer))
}
