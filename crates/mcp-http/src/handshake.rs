//! Requests of the revisions that begin with a handshake.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::{HeaderMap, Response, StatusCode};
use mcp_core::protocol::Revision;
use mcp_core::serde_json::json as value;
use mcp_core::transport::{Code, Message, Outbox, Response as Answer, RpcError};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::sleep;

use crate::admission::Caller;
use crate::body::Body;
use crate::channel::Channel;
use crate::conversation::{Conversation, Outcome};
use crate::endpoint::{Begun, Entry, Shared};
use crate::events::encode;
use crate::media;
use crate::mirror;
use crate::refusal::{Refusal, accepted, json, stream, with_status};
use crate::sessions::{SESSION_ID, Sessions};
use crate::stateless::Call;

/// After so much silence a response begins all the same, as a stream, which its client can come back to.
const PATIENCE: Duration = Duration::from_secs(10);

/// The methods of HTTP that are served where there are no sessions.
const WITHOUT_SESSIONS: &str = "POST";

/// A call of a session whose client waits for it.
pub(crate) struct Waiting {
    conversation: Arc<Conversation>,
    channel: Arc<Channel>,
    permit: OwnedSemaphorePermit,
}

impl Shared {
    /// Takes a message of a client that begins, or began, with a handshake.
    pub(crate) fn by_handshake(&self, caller: &Caller, entry: Entry<'_>, opens: bool) -> Result<Begun, Refusal> {
        let id = match &entry.message {
            Message::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        let begun = self.in_session(caller, entry, opens);
        begun.map_err(|refusal| refusal.to(id))
    }

    fn in_session(&self, caller: &Caller, entry: Entry<'_>, opens: bool) -> Result<Begun, Refusal> {
        let revision = revision(&caller.parts.headers)?;
        let Some(sessions) = &self.sessions else {
            return self.alone(caller, entry, revision.filter(|_| !opens), opens);
        };
        if opens && !caller.parts.headers.contains_key(SESSION_ID) {
            return self.open(sessions, caller, entry);
        }
        let conversation = sessions.find(caller)?;
        let permit = entry.permit;
        Ok(match conversation.receive(entry.message, caller.principal.clone(), entry.watch) {
            Outcome::Nothing => Begun::Answered(accepted()),
            Outcome::Answer(answer) => Begun::Answered(answered(&answer)),
            Outcome::Later(channel) => Begun::Waiting(Waiting { conversation, channel, permit }),
        })
    }

    /// Opens a session, unless the handshake fails.
    fn open(&self, sessions: &Sessions, caller: &Caller, entry: Entry<'_>) -> Result<Begun, Refusal> {
        let conversation = Conversation::new(&self.server, self.host.clone(), caller.principal.as_ref());
        let outcome = conversation.receive(entry.message, caller.principal.clone(), entry.watch);
        let Outcome::Answer(answer) = outcome else {
            return Ok(Begun::Answered(accepted()));
        };
        let mut response = answered(&answer);
        if answer.error().is_none() {
            response.headers_mut().insert(SESSION_ID, sessions.open(conversation)?);
        }
        Ok(Begun::Answered(response))
    }

    /// Serves a message in a session that ends with it.
    fn alone(&self, caller: &Caller, entry: Entry<'_>, revision: Option<Revision>, opens: bool) -> Result<Begun, Refusal> {
        let channel = Arc::new(Channel::new(0));
        let outbox: Arc<dyn Outbox> = channel.clone();
        let mut session = self.server.session(self.host.clone(), outbox).held_by(caller.principal.clone());
        if !opens {
            session = session.negotiated(revision.unwrap_or(Revision::UNNAMED_OVER_HTTP));
        }
        Ok(Call::new(channel, entry.permit, answered).run(&session, entry.message, entry.watch))
    }

    /// Opens the stream of what belongs to no request, or goes on with a stream that broke.
    pub(crate) async fn listen(&self, caller: &Caller) -> Result<Response<Body>, Refusal> {
        let headers = &caller.parts.headers;
        let sessions = self.sessions(headers)?;
        media::check_accept(headers, ["text/event-stream"])?;
        self.fetch_session(caller).await?;
        let conversation = sessions.find(caller)?;
        let permit = self.streams.clone().try_acquire_owned().map_err(|_| Refusal::busy("too many streams at once"))?;
        let events = match headers.get("last-event-id") {
            None => conversation.listen(),
            Some(event) => event.to_str().ok().and_then(|event| conversation.resume(event)).ok_or_else(|| {
                Refusal::new(StatusCode::BAD_REQUEST, "`Last-Event-ID` names no event that is still known")
            })?,
        };
        Ok(stream(events.until(self.closed()).holding(vec![permit])))
    }

    /// Ends a session.
    pub(crate) async fn end(&self, caller: &Caller) -> Result<Response<Body>, Refusal> {
        let sessions = self.sessions(&caller.parts.headers)?;
        self.fetch_session(caller).await?;
        sessions.end(caller)?;
        if let Some(shelf) = &self.shelf {
            shelf.remove(caller).await?;
        }
        Ok(with_status(StatusCode::NO_CONTENT, Body::empty()))
    }

    /// The sessions, for methods of HTTP that mean nothing without.
    fn sessions(&self, headers: &HeaderMap) -> Result<&Sessions, Refusal> {
        let sessions = self.sessions.as_ref().filter(|_| !mirror::is_stateless(headers));
        let sessions = sessions.ok_or_else(|| Refusal::method(WITHOUT_SESSIONS))?;
        revision(headers)?;
        Ok(sessions)
    }
}

impl Waiting {
    /// One JSON text if the answer is all there is to say, else a stream.
    pub(crate) async fn respond(self) -> Response<Body> {
        let mut patience = pin!(sleep(PATIENCE));
        poll_fn(|task| match self.channel.poll_ready(task) {
            Poll::Ready(()) => Poll::Ready(()),
            Poll::Pending => patience.as_mut().poll(task),
        })
        .await;
        match self.channel.answer() {
            Some(answer) => json(StatusCode::OK, answer),
            None => stream(self.conversation.tell(self.channel).holding(vec![self.permit])),
        }
    }
}

/// The revision that the headers name, which must be one that is served.
fn revision(headers: &HeaderMap) -> Result<Option<Revision>, Refusal> {
    let bad = |error: RpcError| Refusal::with(StatusCode::BAD_REQUEST, error);
    let Some(name) = mirror::text(headers, &mirror::VERSION).map_err(bad)? else {
        return Ok(None);
    };
    Revision::parse(name).map(Some).ok_or_else(|| {
        let supported: Vec<&str> = Revision::ALL.into_iter().map(Revision::as_str).collect();
        let requested: String = name.chars().take(100).collect();
        let error = RpcError::new(Code::UNSUPPORTED_VERSION, "unsupported protocol version");
        bad(error.data(value!({"supported": supported, "requested": requested})))
    })
}

/// An answer of a session. What is no message at all is a bad request; all else was served.
fn answered(answer: &Answer) -> Response<Body> {
    let status = match answer.error().map(|error| error.code) {
        Some(Code::PARSE_ERROR | Code::INVALID_REQUEST) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    };
    json(status, encode(answer))
}
