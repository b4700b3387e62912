//! One client's session that began with a handshake.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mcp_core::protocol::Revision;
use mcp_core::transport::{Host, Message, Outbox, Reply, Response, Session, SessionRecord};
use mcp_core::{Principal, Server};
use tokio::time::Instant;

use crate::channel::Channel;
use crate::events::{Events, encode};
use crate::watch::{Watch, Watched};

/// How many bytes of each stream are kept for a client that comes back.
const KEPT: usize = 64 << 10;

/// How many streams that have ended are kept for a client that comes back, and how many bytes in all.
const STREAMS: usize = 16;
const BYTES: usize = 1 << 20;

/// One client's session: what it was told, and on which stream.
pub(crate) struct Conversation {
    session: Session,
    /// Whom it was opened for; nobody else may use it.
    owner: Option<Box<str>>,
    /// What belongs to no request; its stream has the number 0.
    general: Arc<Channel>,
    streams: Mutex<VecDeque<(u64, Arc<Channel>)>>,
    last_stream: AtomicU64,
    open: AtomicUsize,
    used: Mutex<Instant>,
    /// What a store of sessions knows of it.
    kept: Mutex<SessionRecord>,
}

/// What a message came to.
pub(crate) enum Outcome {
    Nothing,
    Answer(Response),
    /// Will be on this channel.
    Later(Arc<Channel>),
}

impl Conversation {
    pub(crate) fn new(server: &Server, host: Arc<dyn Host>, opener: Option<&Principal>) -> Arc<Conversation> {
        let general = Arc::new(Channel::new(KEPT));
        let session = server.session(host, general.clone());
        let (streams, last_stream, open) = (Mutex::default(), AtomicU64::new(0), AtomicUsize::new(0));
        let owner = opener.map(|principal| principal.owner().into());
        let used = Mutex::new(Instant::now());
        let kept = Mutex::default();
        Arc::new(Conversation { session, owner, general, streams, last_stream, open, used, kept })
    }

    pub(crate) fn revision(&self) -> Option<Revision> {
        self.session.revision()
    }

    /// Whether that is whom it was opened for.
    pub(crate) fn belongs_to(&self, principal: Option<&Principal>) -> bool {
        self.owner.as_deref() == principal.map(Principal::owner)
    }

    /// Goes on from what a store knows of it.
    pub(crate) fn go_on_from(&self, record: SessionRecord) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if *kept != record {
            self.session.resume(&record);
            *kept = record;
        }
    }

    /// What a store has to know of it, if that is something else than what it knows.
    pub(crate) fn changed(&self) -> Option<SessionRecord> {
        let mut record = self.session.record();
        record.owner = self.owner.as_deref().map(str::to_owned);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if *kept == record {
            return None;
        }
        *kept = record.clone();
        Some(record)
    }

    /// Takes a message. What is said about it goes to a channel of its own, and nothing else does.
    pub(crate) fn receive(
        self: &Arc<Conversation>,
        message: Message<'_>,
        principal: Option<Principal>,
        watch: Option<Watch>,
    ) -> Outcome {
        self.touch();
        let channel = Arc::new(Channel::new(KEPT));
        let outbox: Arc<dyn Outbox> = channel.clone();
        let session = self.session.held_by(principal);
        let mut later = match Watch::during(watch.as_ref(), || session.receive_via(message, &outbox)) {
            Reply::None => return Outcome::Nothing,
            Reply::Now(answer) => {
                Watch::end(watch, &answer);
                return Outcome::Answer(answer);
            }
            Reply::Later(later) => Watched::new(later, watch),
        };
        match Pin::new(&mut later).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Some(answer)) if channel.is_empty() => return Outcome::Answer(answer),
            Poll::Ready(answer) => channel.finish(answer.as_ref().map(encode)),
            Poll::Pending => self.spawn(later, channel.clone()),
        }
        Outcome::Later(channel)
    }

    /// A call is not its client's connection: it goes on when that breaks, and ends with the session.
    fn spawn(self: &Arc<Conversation>, later: Watched, channel: Arc<Channel>) {
        let conversation = self.clone();
        tokio::spawn(async move {
            channel.finish(later.await.as_ref().map(encode));
            conversation.touch();
        });
    }

    /// The stream of what belongs to no request. Whoever read it before loses it.
    pub(crate) fn listen(self: &Arc<Conversation>) -> Events {
        self.stream(0, self.general.clone(), None)
    }

    /// A channel as a stream that its client can come back to.
    pub(crate) fn tell(self: &Arc<Conversation>, channel: Arc<Channel>) -> Events {
        let number = self.last_stream.fetch_add(1, Ordering::Relaxed) + 1;
        let mut streams = self.streams();
        streams.push_back((number, channel.clone()));
        forget(&mut streams);
        drop(streams);
        self.stream(number, channel, None)
    }

    /// What came after the event of that name, on the stream that it was on; none if that is no longer known.
    pub(crate) fn resume(self: &Arc<Conversation>, event: &str) -> Option<Events> {
        let (number, seen) = event.split_once('-')?;
        let (number, seen): (u64, u64) = (number.parse().ok()?, seen.parse().ok()?);
        let channel = match number {
            0 => self.general.clone(),
            _ => self.streams().iter().find(|(known, _)| *known == number).map(|(_, channel)| channel.clone())?,
        };
        Some(self.stream(number, channel, Some(seen.saturating_add(1))))
    }

    fn stream(self: &Arc<Conversation>, number: u64, channel: Arc<Channel>, from: Option<u64>) -> Events {
        self.touch();
        let events = Events::from(channel, from).named(number).of(Open::new(self.clone()));
        if from.is_none() && self.revision().is_some_and(Revision::primes_streams) { events.primed() } else { events }
    }

    /// How long nobody has used it; none while somebody does.
    pub(crate) fn idle(&self) -> Option<Duration> {
        let busy = self.open.load(Ordering::Acquire) > 0 || self.session.in_flight() > 0;
        (!busy).then(|| self.used.lock().unwrap_or_else(PoisonError::into_inner).elapsed())
    }

    /// Cancels what is being worked on and ends every stream.
    pub(crate) fn end(&self) {
        self.session.cancel_all();
        self.general.finish(None);
        self.streams().drain(..).for_each(|(_, channel)| channel.finish(None));
    }

    fn touch(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn streams(&self) -> MutexGuard<'_, VecDeque<(u64, Arc<Channel>)>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets go of the oldest streams that have ended, when there are too many.
fn forget(streams: &mut VecDeque<(u64, Arc<Channel>)>) {
    let over = |streams: &VecDeque<(u64, Arc<Channel>)>| {
        let ended = streams.iter().filter(|(_, channel)| channel.is_finished());
        let (count, bytes) = ended.fold((0, 0), |(count, bytes), (_, channel)| (count + 1, bytes + channel.size()));
        count > STREAMS || (count > 1 && bytes > BYTES)
    };
    while over(streams) {
        let oldest = streams.iter().position(|(_, channel)| channel.is_finished());
        oldest.and_then(|place| streams.remove(place));
    }
}

/// A stream of a session, which is not idle meanwhile.
struct Open(Arc<Conversation>);

impl Open {
    fn new(conversation: Arc<Conversation>) -> Open {
        conversation.open.fetch_add(1, Ordering::AcqRel);
        Open(conversation)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.touch();
        self.0.open.fetch_sub(1, Ordering::AcqRel);
    }
}

impl fmt::Debug for Conversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversation").field("session", &self.session).field("idle", &self.idle()).finish_non_exhaustive()
    }
}
