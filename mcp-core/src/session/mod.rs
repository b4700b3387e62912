//! One client's conversation with a server: a message goes in, a reply comes out.

pub(crate) mod dispatch;
pub(crate) mod in_flight;
pub(crate) mod incoming;
pub(crate) mod load;
pub(crate) mod principal;
pub(crate) mod reply;
pub(crate) mod requests;
pub(crate) mod store;
pub(crate) mod subscriptions;

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::ask::Questions;
use crate::call::state::CallState;
use crate::host::{Host, Outbox};
use crate::jsonrpc::{Message, RpcError};
use crate::protocol::{Client, LogLevel, Revision};
use crate::server::Server;
use crate::session::in_flight::InFlight;
use crate::session::load::Load;
use crate::session::principal::Principal;
use crate::session::reply::Reply;
use crate::session::subscriptions::Subscriptions;
use crate::task::unguessable;

/// One client's conversation with a server.
///
/// Sans-I/O: it never reads, writes, spawns or sleeps by itself. A transport gives it messages in order of arrival and
/// writes its [replies](Reply). Sharing it between threads is fine.
///
/// ```
/// use std::sync::Arc;
/// use mcp_core::transport::{Message, Reply};
/// use mcp_core::Server;
/// # use mcp_core::transport::{BoxFuture, Host, Job};
/// # struct NoHost;
/// # impl Host for NoHost {
/// #     fn now(&self) -> std::time::Instant { std::time::Instant::now() }
/// #     fn sleep(&self, _: std::time::Duration) -> BoxFuture<()> { Box::pin(std::future::pending()) }
/// #     fn run_blocking(&self, job: Job) { job() }
/// #     fn spawn(&self, _: BoxFuture<()>) {}
/// # }
///
/// let server = Server::new("empty", "1.0.0").build()?;
/// let session = server.session(Arc::new(NoHost), Arc::new(()));
/// let Reply::Now(pong) = session.receive(Message::parse(br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#)) else { panic!() };
/// assert_eq!(pong.to_json(), r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
pub struct Session(pub(crate) Arc<Shared>, pub(crate) Option<Principal>);

/// What a session shares with its calls.
pub(crate) struct Shared {
    pub(crate) server: Server,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) outbox: Arc<dyn Outbox>,
    pub(crate) inflight: InFlight<CallState>,
    pub(crate) load: Load,
    /// What `initialize` agreed on: a place in `Revision::ALL`, or `NOT_NEGOTIATED`.
    pub(crate) negotiated: AtomicU8,
    /// What `logging/setLevel` asked for: a place in `LogLevel::ALL`.
    pub(crate) log_level: AtomicU8,
    client: RwLock<Arc<Client>>,
    pub(crate) questions: Questions,
    pub(crate) subscriptions: Subscriptions,
    /// What tells this session from others, made when it is first needed.
    pub(crate) secret: OnceLock<String>,
}

const NOT_NEGOTIATED: u8 = u8::MAX;

impl Shared {
    /// The server as it is now.
    pub(crate) fn server(&self) -> Cow<'_, Server> {
        self.server.current()
    }

    /// What the client said of itself in the handshake.
    pub(crate) fn client(&self) -> Arc<Client> {
        self.client.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers what the client says of itself.
    pub(crate) fn meet(&self, client: Client) {
        *self.client.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(client);
    }

    /// What `initialize` agreed on.
    pub(crate) fn revision(&self) -> Option<Revision> {
        Revision::ALL.get(usize::from(self.negotiated.load(Ordering::Acquire))).copied()
    }
}

impl Session {
    pub(crate) fn new(server: Server, host: Arc<dyn Host>, outbox: Arc<dyn Outbox>) -> Session {
        let shared = Shared {
            server,
            host,
            outbox,
            inflight: InFlight::new(),
            load: Load::default(),
            negotiated: AtomicU8::new(NOT_NEGOTIATED),
            log_level: AtomicU8::new(LogLevel::Info as u8),
            client: RwLock::default(),
            questions: Questions::default(),
            subscriptions: Subscriptions::default(),
            secret: OnceLock::new(),
        };
        Session(Arc::new(shared), None)
    }

    /// The same session in the hands of that principal: what comes through these is done in its name.
    ///
    /// For transports that authenticate their clients. A session may pass through several hands that belong to one owner,
    /// such as tokens that replace each other; that it is one owner is for the transport to see to.
    ///
    /// What a request leaves behind belongs to its principal: a task is shown to nobody else, and what was asked in one call
    /// is answered in another only by the same. Without one, a session with a handshake owns what it left; of requests that
    /// stand alone whoever has the name of a task owns it.
    #[must_use]
    pub fn held_by(&self, principal: Option<Principal>) -> Session {
        Session(self.0.clone(), principal)
    }

    /// The same session as if `initialize` had agreed on that revision, for clients that skip the handshake.
    #[must_use]
    pub fn negotiated(self, revision: Revision) -> Session {
        self.agree_on(revision);
        self
    }

    /// From now on that revision is in force, and in all of these the client is told when lists change.
    pub(crate) fn agree_on(&self, revision: Revision) {
        self.0.negotiated.store(revision as u8, Ordering::Release);
        if self.0.server.live.is_some() {
            self.0.server.audience.admit(&self.0);
        }
    }

    /// Takes one message and says what to answer.
    ///
    /// Not async: whatever depends on the order of messages (handshake, ids, cancelling) is done when this returns.
    pub fn receive(&self, message: Message<'_>) -> Reply {
        self.receive_via(message, &self.0.outbox)
    }

    /// Takes one message and says what to answer; what the server has to say meanwhile about this very request goes to `outbox`.
    ///
    /// For transports that give each request a stream of its own, such as HTTP. What belongs to no request, such as a change
    /// that the client subscribed to with a handshake, still goes to the session's own outbox.
    pub fn receive_via(&self, message: Message<'_>, outbox: &Arc<dyn Outbox>) -> Reply {
        match message {
            Message::Request(ref request) => self.request(request, outbox),
            Message::Notification(ref notification) => {
                self.notification(notification);
                Reply::None
            }
            // An error in answer to an answer could go on for ever.
            Message::Response(ref answer) => {
                self.0.questions.answer(answer);
                Reply::None
            }
            Message::Malformed(malformed) => Reply::Now(self.reject(malformed)),
            Message::Batch(messages) => self.batch(messages, outbox),
        }
    }

    /// Cancels everything in flight: the client is gone.
    pub fn cancel_all(&self) {
        for call in self.0.inflight.drain() {
            call.status.cancel();
        }
        if let Some(secret) = self.0.secret.get() {
            // Nobody else can come back for the tasks of this session.
            self.0.server().tasks.stop_all(&format!("session:{secret}"));
        }
    }

    /// To whom belongs what a request of that revision leaves behind: the principal, else the session. Requests that stand
    /// alone, of nobody in particular, have only the names of what they left.
    pub(crate) fn owner(&self, revision: Revision) -> Result<String, RpcError> {
        if let Some(principal) = &self.1 {
            return Ok(format!("principal:{}", principal.owner()));
        }
        if revision.is_stateless() {
            return Ok(String::new());
        }
        let secret = match self.0.secret.get() {
            Some(secret) => secret,
            None => {
                let secret = unguessable()?;
                self.0.secret.get_or_init(|| secret)
            }
        };
        Ok(format!("session:{secret}"))
    }

    /// How many calls are being worked on.
    pub fn in_flight(&self) -> usize {
        self.0.inflight.len()
    }

    /// The revision that `initialize` agreed on.
    pub fn revision(&self) -> Option<Revision> {
        self.0.revision()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("server", &self.0.server())
            .field("revision", &self.revision())
            .field("in_flight", &self.0.inflight)
            .finish_non_exhaustive()
    }
}
