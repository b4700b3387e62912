//! One client's conversation with a server: a message goes in, a reply comes out.

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use serde_json::json;

use crate::ask::Questions;
use crate::context::CallState;
use crate::host::{Host, Outbox};
use crate::incoming::Incoming;
use crate::inflight::InFlight;
use crate::jsonrpc::{Addressee, Body, Code, Id, Malformed, Message, Notification, Request, Response, RpcError};
use crate::load::Load;
use crate::methods::{self, Method};
use crate::params::text;
use crate::principal::Principal;
use crate::protocol::meta::{self, RequestMeta};
use crate::protocol::{Client, LogLevel, Revision};
use crate::reply::Reply;
use crate::requests::{cut, discover, stateless_revisions};
use crate::server::Server;
use crate::subscriptions::Subscriptions;
use crate::task::unguessable;

/// One client's conversation with a server.
///
/// Sans-I/O: it never reads, writes, spawns or sleeps by itself. A transport gives it messages in order of arrival and
/// writes its [replies](Reply). Sharing it between threads is fine.
///
/// ```
/// use std::sync::Arc;
/// use mcp_core::{Message, Reply, Server};
/// # use mcp_core::{BoxFuture, Host, Job};
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
    pub(crate) load: Arc<Load>,
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
            load: Arc::default(),
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
            call.fate.cancel();
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

    fn request(&self, request: &Request<'_>, outbox: &Arc<dyn Outbox>) -> Reply {
        self.dispatch(request, outbox)
            .unwrap_or_else(|error| Reply::Now(Response::new(request.id.clone(), Body::Error(error))))
    }

    fn dispatch(&self, request: &Request<'_>, outbox: &Arc<dyn Outbox>) -> Result<Reply, RpcError> {
        let method = Method::parse(&request.method).ok_or_else(|| method_not_found(&request.method))?;
        let params = request.params.checked()?;
        let meta = params.request_meta()?;
        let revision = self.revision_of(method, &meta)?;
        let server = self.0.server();
        let offered = match method {
            Method::ListTools | Method::CallTool => server.offers_tools(),
            Method::ListPrompts | Method::GetPrompt => server.offers_prompts(),
            Method::ListResources | Method::ListResourceTemplates | Method::ReadResource => server.offers_resources(),
            Method::Subscribe | Method::Unsubscribe => server.offers_resources(),
            Method::Listen => server.live.is_some() || server.offers_resources() || server.offers_tasks(),
            Method::Complete => server.offers_prompts() || server.offers_resources(),
            Method::GetTask | Method::TaskResult | Method::ListTasks => server.offers_tasks(),
            Method::CancelTask | Method::UpdateTask => server.offers_tasks(),
            _ => true,
        };
        if !offered || !method.exists_in(revision) {
            return Err(method_not_found(&request.method));
        }
        let registry = &server.registry;
        let cursor = || text(params.cursor(), "cursor");
        let body = match method {
            Method::CallTool
            | Method::GetPrompt
            | Method::ReadResource
            | Method::Complete
            | Method::Listen
            | Method::GetTask
            | Method::TaskResult
            | Method::ListTasks
            | Method::CancelTask
            | Method::UpdateTask => {
                let (id, meta) = (&request.id, &meta);
                let call = Incoming { session: self, server: &server, outbox, id, params, meta, method, revision };
                return match method {
                    Method::CallTool => call.call_tool(),
                    Method::GetPrompt => call.get_prompt(),
                    Method::ReadResource => call.read_resource(),
                    Method::Listen => call.listen(),
                    Method::Complete => call.complete(),
                    _ => call.about_task(method),
                };
            }
            Method::ListTools => Body::Json(registry.tools.page(cursor()?.as_deref(), revision, &server)?),
            Method::ListPrompts => Body::Json(registry.prompts.page(cursor()?.as_deref(), revision, &server)?),
            Method::ListResources => Body::Json(registry.resources.fixed.page(cursor()?.as_deref(), revision, &server)?),
            Method::ListResourceTemplates => {
                Body::Json(registry.resources.templated.page(cursor()?.as_deref(), revision, &server)?)
            }
            Method::Subscribe => self.subscribe(&server, params, revision)?,
            Method::Unsubscribe => self.unsubscribe(params)?,
            Method::Ping => Body::Static("{}"),
            Method::Initialize => self.initialize(&server, params)?,
            Method::Discover => discover(&server, revision),
            Method::SetLogLevel => self.set_log_level(params)?,
        };
        Ok(Reply::Now(Response::new(request.id.clone(), body)))
    }

    /// In which revision a request is served: the one it names, else the one that was negotiated.
    fn revision_of(&self, method: Method, meta: &RequestMeta<'_>) -> Result<Revision, RpcError> {
        if let Some(requested) = &meta.protocol_version {
            let revision = Revision::parse(requested).filter(|revision| revision.is_stateless());
            let revision = revision.ok_or_else(|| unsupported_version(requested))?;
            if !meta.client_capabilities.is_some_and(|raw| raw.get().starts_with('{')) {
                let what = format!("`params._meta[\"{}\"]` must be an object", meta::CLIENT_CAPABILITIES);
                return Err(RpcError::invalid_params(what));
            }
            return Ok(revision);
        }
        match (method, self.revision()) {
            (Method::Initialize | Method::Ping, negotiated) => Ok(negotiated.unwrap_or(Revision::NEWEST_HANDSHAKE)),
            (_, Some(negotiated)) => Ok(negotiated),
            (_, None) => Err(RpcError::invalid_params(format!(
                "no revision is agreed on: send `initialize` first, or name one in `params._meta[\"{}\"]`",
                meta::PROTOCOL_VERSION
            ))),
        }
    }

    fn notification(&self, notification: &Notification<'_>) {
        if notification.method != methods::CANCELLED {
            return;
        }
        let id = notification.params.checked().ok().and_then(|params| Id::from_json(params.request_id()?.get()));
        if let Some(call) = id.and_then(|id| self.0.inflight.remove(&id)) {
            call.fate.cancel();
        }
    }

    fn batch(&self, messages: Vec<Message<'_>>, outbox: &Arc<dyn Outbox>) -> Reply {
        if messages.is_empty() || !self.revision().is_some_and(Revision::has_batches) {
            let what = if messages.is_empty() { "an empty batch" } else { "batches are not part of the revision in force" };
            return Reply::Now(self.reject(Malformed { id: None, error: RpcError::invalid_request(what) }));
        }
        let replies = messages.into_iter().map(|message| match message {
            Message::Request(request) if Method::parse(&request.method) == Some(Method::Initialize) => {
                let error = RpcError::invalid_request("`initialize` must not be part of a batch");
                Reply::Now(Response::new(request.id, Body::Error(error)))
            }
            message => self.receive_via(message, outbox),
        });
        Reply::join(replies.collect())
    }

    /// Says what is wrong with something that is no message.
    fn reject(&self, malformed: Malformed) -> Response {
        let to = match malformed.id {
            Some(id) => Addressee::Request(id),
            None if self.revision().is_some_and(Revision::omits_unreadable_id) => Addressee::Absent,
            None => Addressee::Null,
        };
        Response { to, body: Body::Error(malformed.error) }
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

fn method_not_found(name: &str) -> RpcError {
    RpcError::new(Code::METHOD_NOT_FOUND, format!("method not found: {}", cut(name)))
}

fn unsupported_version(requested: &str) -> RpcError {
    RpcError::new(Code::UNSUPPORTED_VERSION, "unsupported protocol version")
        .data(json!({"supported": stateless_revisions(), "requested": cut(requested)}))
}
