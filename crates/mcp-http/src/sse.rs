//! The transport of 2024-11-05: one stream for all that the server says, and an address to which the client posts.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use http::{Method, Response, StatusCode};
use mcp_core::Principal;
use mcp_core::transport::{Message, Reply, Session};
use tokio::sync::OwnedSemaphorePermit;

use crate::admission::Caller;
use crate::body::Body;
use crate::channel::Channel;
use crate::endpoint::Shared;
use crate::events::{Events, encode};
use crate::media;
use crate::refusal::{Refusal, accepted, stream};
use crate::sessions::unguessable;
use crate::watch::{Watch, Watched};

/// The streams that are open, by names that cannot be guessed.
#[derive(Debug)]
pub(crate) struct Sse {
    path: String,
    lines: Mutex<HashMap<Box<str>, Arc<Line>>>,
}

/// A client and its stream. It lives as long as the stream does.
struct Line {
    session: Session,
    owner: Option<Box<str>>,
    channel: Arc<Channel>,
}

impl Sse {
    pub(crate) fn new(path: String) -> Sse {
        Sse { path, lines: Mutex::default() }
    }

    /// Whether that is where such clients come to.
    pub(crate) fn is_at(&self, path: &str) -> bool {
        path == self.path
    }

    fn find(&self, caller: &Caller) -> Result<Arc<Line>, Refusal> {
        let query = caller.parts.uri.query().unwrap_or_default();
        let name = query.split('&').find_map(|pair| pair.strip_prefix("session=")).unwrap_or_default();
        let line = self.lines().get(name).cloned().filter(|line| line.belongs_to(caller.principal.as_ref()));
        line.ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, "there is no such stream"))
    }

    fn lines(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<Line>>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Serves a client of 2024-11-05.
    pub(crate) async fn serve_sse<B: http_body::Body>(
        self: &Arc<Shared>,
        caller: &Caller,
        body: B,
    ) -> Result<Response<Body>, Refusal> {
        match caller.parts.method {
            Method::GET => self.open_line(caller),
            Method::POST => self.take_from_line(caller, body).await,
            _ => Err(Refusal::method("GET, POST")),
        }
    }

    /// Opens a stream, which begins with the address to post to.
    fn open_line(self: &Arc<Shared>, caller: &Caller) -> Result<Response<Body>, Refusal> {
        let sse = self.sse.as_ref().ok_or_else(|| Refusal::method("POST"))?;
        media::check_accept(&caller.parts.headers, ["text/event-stream"])?;
        let permit = self.streams.clone().try_acquire_owned().map_err(|_| Refusal::busy("too many streams at once"))?;
        let name = unguessable()?;
        let channel = Arc::new(Channel::new(0));
        let session = self.server.session(self.host.clone(), channel.clone());
        let owner = caller.principal.as_ref().map(|principal| principal.owner().into());
        sse.lines().insert(name.clone().into(), Arc::new(Line { session, owner, channel: channel.clone() }));
        let greeting = format!("event: endpoint\ndata: {}?session={name}\n\n", caller.parts.uri.path());
        let open = Open { shared: self.clone(), name: name.into() };
        let events = Events::new(channel).greeted(greeting.into()).of(open).until(self.closed());
        Ok(stream(events.holding(vec![permit])))
    }

    /// Takes a message, whose answer will be on the stream.
    async fn take_from_line<B: http_body::Body>(&self, caller: &Caller, body: B) -> Result<Response<Body>, Refusal> {
        let sse = self.sse.as_ref().ok_or_else(|| Refusal::method("GET"))?;
        let permit = self.permit()?;
        media::check_content_type(&caller.parts.headers)?;
        let line = sse.find(caller)?;
        let taken = self.read(&caller.parts.headers, body).await?;
        let message = Message::parse(&taken.bytes);
        let mut watch = None;
        if let Message::Request(request) = &message {
            let outline = request.summary();
            self.check_scopes(caller, &outline).map_err(|refusal| refusal.to(Some(request.id.clone())))?;
            watch = self.watchers.begin(request, &outline, &caller.parts.headers);
        }
        let session = line.session.held_by(caller.principal.clone());
        match Watch::during(watch.as_ref(), || session.receive(message)) {
            Reply::None => {}
            Reply::Now(answer) => {
                Watch::end(watch, &answer);
                line.channel.answer_with(encode(&answer));
            }
            Reply::Later(later) => line.work(Watched::new(later, watch), permit),
        }
        Ok(accepted())
    }
}

impl Line {
    fn belongs_to(&self, principal: Option<&Principal>) -> bool {
        self.owner.as_deref() == principal.map(Principal::owner)
    }

    /// Answers when the call is done, at once if it is now.
    fn work(&self, mut later: Watched, permit: OwnedSemaphorePermit) {
        let channel = self.channel.clone();
        match Pin::new(&mut later).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => answer.iter().for_each(|answer| channel.answer_with(encode(answer))),
            Poll::Pending => drop(tokio::spawn(async move {
                later.await.iter().for_each(|answer| channel.answer_with(encode(answer)));
                drop(permit);
            })),
        }
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("session", &self.session).finish_non_exhaustive()
    }
}

/// An open stream. With it goes its session, and all that is worked on in it.
struct Open {
    shared: Arc<Shared>,
    name: Box<str>,
}

impl Drop for Open {
    fn drop(&mut self) {
        let line = self.shared.sse.as_ref().and_then(|sse| sse.lines().remove(&self.name));
        if let Some(line) = line {
            line.session.cancel_all();
        }
    }
}
