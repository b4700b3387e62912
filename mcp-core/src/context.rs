//! What a tool knows of the call it serves, and whom it can tell.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;
use tokio_util::sync::CancellationToken;

use crate::ask::Parked;
use crate::fate::Fate;
use crate::host::Outgoing;
use crate::jsonrpc::Id;
use crate::listing::{Entry, Place};
use crate::load::Share;
use crate::methods;
use crate::progress::{Amount, Progress};
use crate::protocol::{ClientCapabilities, Implementation, LogLevel, Revision};
use crate::server::Server;
use crate::session::Shared;

/// The call that a tool serves: a tool asks for it with a parameter of type `&Context`.
///
/// ```
/// use mcp_core::{Context, tool};
///
/// /// Count to a number.
/// #[tool]
/// async fn count(to: u32, cx: &Context) -> String {
///     for n in 0..to {
///         cx.progress(n, to, "counting");
///         if cx.is_cancelled() {
///             break;
///         }
///     }
///     format!("counted to {to}")
/// }
/// ```
#[derive(Clone)]
pub struct Context(pub(crate) Arc<CallState>);

/// What is called: its place in the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Tool(usize),
    Prompt(usize),
    Resource(Place),
    /// Completing an argument, which has no name of its own.
    Completion,
    /// A stream of changes.
    Subscription,
}

/// Everything about one call, shared by the tool, the session and the future between them.
pub(crate) struct CallState {
    pub(crate) session: Arc<Shared>,
    /// The server as it was when the call began.
    pub(crate) server: Server,
    pub(crate) id: Id,
    pub(crate) revision: Revision,
    pub(crate) target: Target,
    /// The address that is read.
    pub(crate) uri: Option<Box<str>>,
    pub(crate) fate: Fate,
    /// What the call adds to the load of its session, while it is at work.
    pub(crate) share: Mutex<Option<Arc<Share>>>,
    pub(crate) progress: Option<Mutex<Progress>>,
    /// Messages below this level stay here; with none, all do.
    pub(crate) log_level: Option<LogLevel>,
    pub(crate) client: Option<Arc<Implementation>>,
    pub(crate) capabilities: Arc<ClientCapabilities>,
    /// What this call is, for the seal around what a client carries for us; empty if it cannot be asked anything.
    pub(crate) purpose: Vec<u8>,
    pub(crate) parked: Mutex<Parked>,
    pub(crate) meta: Option<Box<RawValue>>,
}

impl Context {
    /// Tells the client how far the work is. Costs next to nothing when the client did not ask for it.
    ///
    /// Call it as often as you like: values that do not increase are dropped, and at most ten a second go out. Give
    /// [`Amount::UNKNOWN`] for a total that is not known, and an empty message for none.
    pub fn progress(&self, done: impl Into<Amount>, total: impl Into<Amount>, message: impl Into<String>) {
        if let Some(mut progress) = self.0.progress() {
            let due = progress.report(done.into(), total.into(), message.into(), self.0.session.host.now());
            drop(progress);
            self.0.send(due);
        }
    }

    /// Sends a log message to the client, where its revision and its level allow it.
    ///
    /// This is for the person in front of the client; what is for you goes to `tracing` as in any program.
    pub fn log(&self, level: LogLevel, data: impl Serialize) {
        #[derive(Serialize)]
        struct Params<'a, D> {
            level: LogLevel,
            logger: &'a str,
            data: D,
        }
        if self.0.log_level.is_some_and(|threshold| level >= threshold) {
            let params = Params { level, logger: self.name(), data };
            self.0.session.outbox.send(Outgoing::notification(methods::LOG_MESSAGE, &params));
        }
    }

    /// Whether the client no longer wants the answer.
    ///
    /// An `async fn` is dropped at its next `.await` when that happens; a plain `fn` that runs long should look here.
    pub fn is_cancelled(&self) -> bool {
        self.0.fate.is_stopped()
    }

    /// Is ready when the client no longer wants the answer.
    pub async fn cancelled(&self) {
        self.0.fate.token().cancelled().await;
    }

    /// A token that is cancelled with the call, to hand to tasks of your own.
    pub fn cancellation(&self) -> CancellationToken {
        self.0.fate.token().clone()
    }

    /// Tells every client that has subscribed to it that a resource holds something else now.
    pub fn resource_updated(&self, uri: impl Into<String>) {
        self.0.server.resource_updated(uri);
    }

    /// The value of that type given to [`Builder::state`](crate::Builder::state).
    ///
    /// A tool function simply takes a parameter of type `&T`; this is for tools made at run time.
    pub fn state<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.0.server.state::<T>()
    }

    /// The name of the tool, prompt or resource that is asked for.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// The id of the request.
    pub fn request_id(&self) -> &Id {
        &self.0.id
    }

    /// The revision of the protocol that the request is served in.
    pub fn revision(&self) -> Revision {
        self.0.revision
    }

    /// The client's name card, where it gave one.
    pub fn client(&self) -> Option<&Implementation> {
        self.0.client.as_deref()
    }

    /// What the client can do for us.
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        &self.0.capabilities
    }

    /// The request's `_meta` as it came.
    pub fn meta(&self) -> Option<&RawValue> {
        self.0.meta.as_deref()
    }
}

impl CallState {
    /// The tool that is called.
    pub(crate) fn tool(&self) -> &Entry {
        let Target::Tool(index) = self.target else { unreachable!("only tools look at themselves") };
        &self.server.registry.tools.entries()[index]
    }

    /// The name of what is called.
    pub(crate) fn name(&self) -> &str {
        match self.target {
            Target::Tool(_) => self.tool().name(),
            Target::Prompt(index) => self.server.registry.prompts.entries()[index].spec.name(),
            Target::Resource(place) => self.server.registry.resources.at(place).spec.name(),
            Target::Completion => "completion",
            Target::Subscription => "subscription",
        }
    }

    /// What the call adds to the load, for those that keep its arguments.
    pub(crate) fn share(&self) -> MutexGuard<'_, Option<Arc<Share>>> {
        self.share.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long it may take.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        match self.target {
            Target::Tool(_) => self.tool().spec.timeout,
            _ => None,
        }
    }

    /// Progress that was held back goes out before the reply.
    pub(crate) fn flush_progress(&self) {
        if let Some(mut progress) = self.progress() {
            let held = progress.flush();
            drop(progress);
            self.send(held);
        }
    }

    /// Sends held progress whose time has come; says how long to wait for what is still held.
    pub(crate) fn pace_progress(&self) -> Option<Duration> {
        let mut progress = self.progress()?;
        let now = self.session.host.now();
        let due = progress.flush_due(now);
        let wait = progress.due_at().map(|at| at.saturating_duration_since(now));
        drop(progress);
        self.send(due);
        wait
    }

    fn progress(&self) -> Option<MutexGuard<'_, Progress>> {
        Some(self.progress.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn send(&self, message: Option<Outgoing>) {
        // Nothing more for a request that is answered or cancelled.
        if let Some(message) = message.filter(|_| !self.fate.is_stopped()) {
            self.session.outbox.send(message);
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("name", &self.name()).field("id", &self.0.id).finish_non_exhaustive()
    }
}
