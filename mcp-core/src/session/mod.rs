//! A session: the state of one client's connection to a server. It takes messages and returns replies.

pub(crate) mod dispatch;
pub(crate) mod in_flight;
pub(crate) mod incoming;
pub(crate) mod load;
pub(crate) mod principal;
pub(crate) mod reply;
pub(crate) mod requests;
pub(crate) mod store;
pub(crate) mod subscriptions;
pub(crate) mod values;

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use crate::ask::Questions;
use crate::call::state::CallState;
use crate::host::{Host, Outbox};
use crate::jsonrpc::{Message, RpcError};
use crate::protocol::{Client, LogLevel, Revision};
use crate::random_id::random_id;
use crate::server::Server;
use crate::session::in_flight::InFlight;
use crate::session::load::Load;
use crate::session::principal::Principal;
use crate::session::reply::Reply;
use crate::session::subscriptions::Subscriptions;
use crate::session::values::SessionValues;

/// The state of one client's connection to a server.
///
/// A session does no I/O: it never reads, writes, spawns or sleeps by itself. A transport passes messages to it in order of
/// arrival and writes its [replies](Reply). A session can be shared between threads.
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
/// let server = Server::builder("empty", "1.0.0").build()?;
/// let session = server.session(Arc::new(NoHost), Arc::new(()));
/// let Reply::Now(pong) = session.receive(Message::parse(br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#)) else { panic!() };
/// assert_eq!(pong.to_json(), r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
pub struct Session {
    pub(crate) shared: Arc<Shared>,
    /// The authenticated identity of the client that makes the requests.
    pub(crate) principal: Option<Principal>,
}

/// The part of a session that its calls share.
pub(crate) struct Shared {
    pub(crate) server: Server,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) outbox: Arc<dyn Outbox>,
    pub(crate) inflight: InFlight<CallState>,
    pub(crate) load: Arc<Load>,
    settings: Mutex<Settings>,
    client: RwLock<Arc<Client>>,
    pub(crate) questions: Questions,
    pub(crate) subscriptions: Subscriptions,
    /// A random id that identifies this session as the owner of its tasks. Created on first use.
    pub(crate) secret: OnceLock<String>,
    /// The values that tools borrow and that belong to this session.
    pub(crate) values: SessionValues,
    /// Whether the session exists for one message only, so that no state of it can be used again.
    pub(crate) is_for_one_message: AtomicBool,
}

/// The settings that the client has negotiated or set.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// The negotiated revision. `None` before the handshake.
    pub(crate) revision: Option<Revision>,
    /// The level of `logging/setLevel`.
    pub(crate) log_level: LogLevel,
}

impl Shared {
    /// Returns the current version of the server. A live server changes over time.
    pub(crate) fn server(&self) -> Cow<'_, Server> {
        self.server.current()
    }

    /// Returns the client info and capabilities that the client sent in `initialize`.
    pub(crate) fn client(&self) -> Arc<Client> {
        self.client.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stores the client info and capabilities.
    pub(crate) fn set_client(&self, client: Client) {
        *self.client.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(client);
    }

    /// Returns the settings of the client.
    pub(crate) fn settings(&self) -> Settings {
        *self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the settings of the client.
    pub(crate) fn change_settings(&self, change: impl FnOnce(&mut Settings)) {
        change(&mut self.settings.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns the random id of this session.
    pub(crate) fn secret(&self) -> Result<&str, RpcError> {
        if let Some(secret) = self.secret.get() {
            return Ok(secret);
        }
        let secret = random_id()?;
        Ok(self.secret.get_or_init(|| secret))
    }

    /// Returns the negotiated revision, or `None` before the handshake.
    pub(crate) fn revision(&self) -> Option<Revision> {
        self.settings().revision
    }
}

impl Session {
    pub(crate) fn new(server: Server, host: Arc<dyn Host>, outbox: Arc<dyn Outbox>) -> Session {
        let shared = Shared {
            server,
            host,
            outbox,
            inflight: InFlight::new(),
            load: Arc::default(),
            settings: Mutex::new(Settings { revision: None, log_level: LogLevel::Info }),
            client: RwLock::default(),
            questions: Questions::default(),
            subscriptions: Subscriptions::default(),
            secret: OnceLock::new(),
            values: SessionValues::default(),
            is_for_one_message: AtomicBool::new(false),
        };
        Session { shared: Arc::new(shared), principal: None }
    }

    /// Returns a handle to the same session whose requests are made by `principal`.
    ///
    /// For transports that authenticate their clients. One session may be used with several principals of the same owner,
    /// for example when a client refreshes its token. The transport must check that the owner is the same.
    ///
    /// A principal owns the tasks that its requests create and the questions that its calls ask: other principals cannot see
    /// or answer them. Without a principal, tasks belong to the session if there was a handshake. Tasks of stateless requests
    /// without a principal are available to every client that knows the task id.
    #[must_use]
    pub fn held_by(&self, principal: Option<Principal>) -> Session {
        Session { shared: self.shared.clone(), principal }
    }

    /// Sets the revision as if `initialize` had negotiated it, for clients that skip the handshake.
    #[must_use]
    pub fn negotiated(self, revision: Revision) -> Session {
        self.set_revision(revision);
        self
    }

    /// Marks the session as one for a single message, which a transport without sessions creates for each request.
    ///
    /// Functions that borrow a value of the session ([`Builder::session_state`](crate::Builder::session_state)) cannot be called
    /// in it.
    #[must_use]
    pub fn for_one_message(self) -> Session {
        self.shared.is_for_one_message.store(true, Ordering::Relaxed);
        self
    }

    /// Stores the negotiated revision. If the server is live, the client gets notifications of list changes from now on.
    pub(crate) fn set_revision(&self, revision: Revision) {
        self.shared.change_settings(|settings| settings.revision = Some(revision));
        if self.shared.server.live.is_some() {
            self.shared.server.subscribers.add(&self.shared);
        }
    }

    /// Handles one message and returns the reply to it.
    ///
    /// This function is not async: everything that depends on the order of messages (handshake, request ids, cancellation)
    /// is done when it returns.
    pub fn receive(&self, message: Message<'_>) -> Reply {
        self.receive_via(message, &self.shared.outbox)
    }

    /// Like [`receive`](Session::receive), but sends notifications and requests that belong to this request to `outbox`.
    ///
    /// For transports that have one stream per request, such as HTTP. Messages that belong to no request, such as a list change
    /// notification, still go to the outbox of the session.
    pub fn receive_via(&self, message: Message<'_>, outbox: &Arc<dyn Outbox>) -> Reply {
        match message {
            Message::Request(ref request) => self.request(request, outbox),
            Message::Notification(ref notification) => {
                self.notification(notification);
                Reply::None
            }
            // A response never gets an error reply: two peers that answer errors with errors would never stop.
            Message::Response(ref answer) => {
                self.shared.questions.answer(answer);
                Reply::None
            }
            Message::Malformed(malformed) => Reply::Now(self.reject(malformed)),
            Message::Batch(messages) => self.batch(messages, outbox),
        }
    }

    /// Cancels all requests in flight and drops the values of the session. Transports call this when the client has
    /// disconnected.
    pub fn cancel_all(&self) {
        for call in self.shared.inflight.drain() {
            call.status.cancel();
        }
        if let Some(secret) = self.shared.secret.get() {
            // Only this session can access its tasks, so nobody can fetch their results any more.
            self.shared.server().tasks.stop_all(&format!("session:{secret}"));
        }
        self.shared.values.clear();
    }

    /// Returns the owner of the tasks that a request of this revision creates: the principal, or else the session.
    ///
    /// Empty for stateless requests without a principal. Their tasks are protected only by the unguessable task id.
    pub(crate) fn owner(&self, revision: Revision) -> Result<String, RpcError> {
        if let Some(principal) = &self.principal {
            return Ok(format!("principal:{}", principal.owner()));
        }
        if revision.is_stateless() {
            return Ok(String::new());
        }
        Ok(format!("session:{}", self.shared.secret()?))
    }

    /// Returns the number of requests in flight.
    pub fn in_flight(&self) -> usize {
        self.shared.inflight.len()
    }

    /// Returns the negotiated revision, or `None` before the handshake.
    pub fn revision(&self) -> Option<Revision> {
        self.shared.revision()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("server", &self.shared.server())
            .field("revision", &self.revision())
            .field("in_flight", &self.shared.inflight)
            .finish_non_exhaustive()
    }
}
