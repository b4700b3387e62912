//! Requests of the revisions with a handshake (`initialize`), which have sessions.

mod session;
mod sessions;
mod shared_sessions;
mod streams;

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use http::{HeaderMap, Response, StatusCode};
use mcp_core::protocol::Revision;
use mcp_core::serde_json::json as value;
use mcp_core::transport::{Code, Message, RpcError};
use tokio::time::sleep;

use self::session::{HttpSession, Outcome};
use self::sessions::SessionTable;
pub(crate) use self::sessions::new_session_id;
use self::shared_sessions::SharedSessions;
use crate::backend::Backend;
use crate::body::Body;
use crate::checks::Caller;
use crate::checks::header_check::{self, SESSION_ID};
use crate::endpoint::{Posted, Started};
use crate::limits::STREAM_AFTER;
use crate::message_queue::MessageQueue;
use crate::options::Http;
use crate::quota::Share;
use crate::responses::{self, Refusal};
use crate::stateless;

/// The HTTP methods of an endpoint without sessions.
const METHODS_WITHOUT_SESSIONS: &str = "POST";

/// Serves the revisions with a handshake.
pub(crate) struct Handshake {
    backend: Arc<Backend>,
    /// The sessions of this instance. `None` if the endpoint has no sessions.
    sessions: Option<SessionTable>,
    /// The store of sessions. `None` if sessions are not shared with other instances.
    shared: Option<SharedSessions>,
}

/// A call of a session whose client waits for the response. Dropping it does not cancel the call.
pub(crate) struct PendingSessionCall {
    session: Arc<HttpSession>,
    queue: Arc<MessageQueue>,
    slot: Share,
}

impl Handshake {
    pub(crate) fn new(backend: Arc<Backend>, options: &Http) -> Handshake {
        let limits = &options.limits;
        let sessions = (limits.sessions.total > 0).then(|| SessionTable::new(limits.sessions, limits.session_idle));
        let store = options.session_store.clone();
        let shared = store.map(|store| SharedSessions::new(store, backend.clone(), limits.session_idle));
        Handshake { backend, sessions, shared }
    }

    /// Passes a message to its session. `initialize` opens a session.
    pub(crate) fn post(&self, caller: &Caller, posted: Posted<'_>, is_initialize: bool) -> Result<Started, Refusal> {
        let id = match &posted.message {
            Message::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        self.start(caller, posted, is_initialize).map_err(|refusal| refusal.for_request(id))
    }

    fn start(&self, caller: &Caller, posted: Posted<'_>, is_initialize: bool) -> Result<Started, Refusal> {
        let revision = revision(&caller.parts.headers)?;
        let Some(sessions) = &self.sessions else {
            let revision = (!is_initialize).then(|| revision.unwrap_or(Revision::UNNAMED_OVER_HTTP));
            return Ok(stateless::start_without_session(&self.backend, caller, posted, revision));
        };
        if is_initialize && !caller.parts.headers.contains_key(SESSION_ID) {
            return self.open(sessions, caller, posted);
        }
        let session = sessions.find(caller)?;
        if is_initialize {
            let message = "the session is already initialized: omit `Mcp-Session-Id` to open another session";
            return Err(Refusal::new(StatusCode::BAD_REQUEST, message));
        }
        let slot = posted.slot;
        Ok(match session.receive(posted.message, caller.principal.clone(), posted.span) {
            Outcome::None => Started::Done(responses::accepted()),
            Outcome::Response(answer) => Started::Done(responses::handshake(&answer)),
            Outcome::Later(queue) => Started::SessionCall(PendingSessionCall { session, queue, slot }),
        })
    }

    /// Opens a session, unless the handshake fails.
    fn open(&self, sessions: &SessionTable, caller: &Caller, posted: Posted<'_>) -> Result<Started, Refusal> {
        let session = HttpSession::new(&self.backend, caller);
        let outcome = session.receive(posted.message, caller.principal.clone(), posted.span);
        let Outcome::Response(answer) = outcome else {
            return Ok(Started::Done(responses::accepted()));
        };
        let mut response = responses::handshake(&answer);
        if answer.error().is_none() {
            response.headers_mut().insert(SESSION_ID, sessions.open(session)?);
        }
        Ok(Started::Done(response))
    }

    /// Serves GET: opens the stream of messages that belong to no request, or resumes the stream of `Last-Event-ID`.
    pub(crate) async fn get(&self, caller: &Caller) -> Result<Response<Body>, Refusal> {
        let headers = &caller.parts.headers;
        let sessions = self.sessions(headers)?;
        header_check::check_accept(headers, ["text/event-stream"])?;
        self.load_session(caller).await?;
        let session = sessions.find(caller)?;
        let slot = self.backend.slots.stream(&caller.client)?;
        let shutdown = self.backend.shutdown_signal();
        let events = match headers.get("last-event-id") {
            None => session.listen(shutdown),
            Some(event) => event.to_str().ok().and_then(|event| session.resume(event, shutdown)).ok_or_else(|| {
                Refusal::new(StatusCode::BAD_REQUEST, "the stream of `Last-Event-ID` is unknown or no longer kept")
            })?,
        };
        Ok(responses::stream(events.with_shares(vec![slot])))
    }

    /// Serves DELETE: ends a session.
    pub(crate) async fn delete(&self, caller: &Caller) -> Result<Response<Body>, Refusal> {
        let sessions = self.sessions(&caller.parts.headers)?;
        self.load_session(caller).await?;
        sessions.end(caller)?;
        if let Some(shared) = &self.shared {
            shared.remove(caller).await?;
        }
        Ok(responses::no_content())
    }

    /// Loads the session of a request, which another instance may have changed.
    pub(crate) async fn load_session(&self, caller: &Caller) -> Result<(), Refusal> {
        match (&self.shared, &self.sessions) {
            (Some(shared), Some(sessions)) => Box::pin(shared.load(sessions, caller)).await,
            _ => Ok(()),
        }
    }

    /// Saves the session that a request opened or changed.
    pub(crate) async fn save_session(&self, caller: &Caller, response: Response<Body>) -> Result<Response<Body>, Refusal> {
        if let (Some(shared), Some(sessions)) = (&self.shared, &self.sessions) {
            let opened = response.headers().get(SESSION_ID).cloned();
            Box::pin(shared.save(sessions, caller, opened)).await?;
        }
        Ok(response)
    }

    /// Ends all sessions of this instance and cancels their calls.
    pub(crate) fn end_sessions(&self) {
        if let Some(sessions) = &self.sessions {
            sessions.end_all();
        }
    }

    /// Returns the sessions, for the HTTP methods that need one.
    fn sessions(&self, headers: &HeaderMap) -> Result<&SessionTable, Refusal> {
        let sessions = self.sessions.as_ref().filter(|_| !header_check::is_stateless(headers));
        let sessions = sessions.ok_or_else(|| Refusal::method(METHODS_WITHOUT_SESSIONS))?;
        revision(headers)?;
        Ok(sessions)
    }
}

impl PendingSessionCall {
    /// Waits for the response. Responds with JSON if the call sent nothing before its response, else with an event stream,
    /// which the client can resume.
    pub(crate) async fn respond(self) -> Response<Body> {
        let mut timer = pin!(sleep(STREAM_AFTER));
        poll_fn(|task| match self.queue.poll_ready(task) {
            Poll::Ready(()) => Poll::Ready(()),
            Poll::Pending => timer.as_mut().poll(task),
        })
        .await;
        match self.queue.only_response() {
            Some(answer) => responses::json(StatusCode::OK, answer),
            None => responses::stream(self.session.stream(self.queue).with_shares(vec![self.slot])),
        }
    }
}

/// Returns the revision of the header `MCP-Protocol-Version`; refuses unsupported revisions.
fn revision(headers: &HeaderMap) -> Result<Option<Revision>, Refusal> {
    let bad_request = |error: RpcError| Refusal::with(StatusCode::BAD_REQUEST, error);
    let Some(name) = header_check::text(headers, &header_check::VERSION).map_err(bad_request)? else {
        return Ok(None);
    };
    Revision::parse(name).map(Some).ok_or_else(|| {
        let supported: Vec<&str> = Revision::ALL.into_iter().map(Revision::as_str).collect();
        let requested: String = name.chars().take(100).collect();
        let error = RpcError::new(Code::UNSUPPORTED_VERSION, "unsupported protocol version");
        bad_request(error.data(value!({"supported": supported, "requested": requested})))
    })
}
