//! What a tool knows of the call it serves, and whom it can tell.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tracing::Span;

use crate::ask::Parked;
use crate::fate::Fate;
use crate::host::{Outbox, Outgoing};
use crate::jsonrpc::Id;
use crate::listing::{Entry, Place};
use crate::load::Share;
use crate::methods;
use crate::principal::Principal;
use crate::progress::{Amount, Progress};
use crate::protocol::{Client, ClientCapabilities, Implementation, LogLevel, Revision, meta};
use crate::server::Server;
use crate::session::Shared;
use crate::task::Run;

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
pub struct Context(pub(crate) Arc<CallState>, pub(crate) Option<Arc<str>>);

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
    /// Asking about a task, or beginning one.
    Task,
}

/// Everything about one call, shared by the tool, the session and the future between them.
pub(crate) struct CallState {
    pub(crate) session: Arc<Shared>,
    /// The server as it was when the call began, if the session's may change.
    pub(crate) server: Option<Server>,
    pub(crate) outbox: Arc<dyn Outbox>,
    pub(crate) id: Id,
    pub(crate) revision: Revision,
    pub(crate) target: Target,
    /// The address that is read.
    pub(crate) uri: Option<Box<str>>,
    pub(crate) fate: Fate,
    /// What the call adds to the load of its session, while it is at work.
    pub(crate) burden: Mutex<Option<Burden>>,
    /// How many are at work on it.
    pub(crate) holders: AtomicUsize,
    pub(crate) progress: Option<Box<Mutex<Progress>>>,
    /// Messages below this level stay here; with none, all do.
    pub(crate) log_level: Option<LogLevel>,
    pub(crate) client: Arc<Client>,
    /// In whose name the call is made.
    pub(crate) principal: Option<Principal>,
    /// What was asked in the call; made when it is first needed.
    pub(crate) parked: OnceLock<Box<Mutex<Parked>>>,
    /// What happens in the call is told in this span.
    pub(crate) span: Span,
    /// The task that the call has become.
    pub(crate) task: OnceLock<Arc<Run>>,
    /// What is said about the call says to which task it belongs.
    pub(crate) related: OnceLock<Box<Value>>,
    /// The request's `_meta`: JSON.
    pub(crate) meta: Option<Box<str>>,
}

/// What a call adds to the load of its session.
pub(crate) enum Burden {
    Own(#[allow(dead_code, reason = "it is there to be dropped")] Share),
    /// What the request adds that it came with: a task goes on with the arguments of its request.
    Of(#[allow(dead_code, reason = "it is there to be dropped")] Hold),
}

/// Keeps a call on the load of its session, until this is dropped.
pub(crate) struct Hold(Arc<CallState>);

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.let_go();
    }
}

impl Context {
    pub(crate) fn of(call: Arc<CallState>) -> Context {
        Context(call, None)
    }

    /// Tells the client how far the work is. Costs next to nothing when the client did not ask for it.
    ///
    /// Call it as often as you like: values that do not increase are dropped, and at most ten a second go out. Give
    /// [`Amount::UNKNOWN`] for a total that is not known, and an empty message for none.
    pub fn progress(&self, done: impl Into<Amount>, total: impl Into<Amount>, message: impl Into<String>) {
        let message = message.into();
        if let Some(task) = self.0.task.get() {
            task.note(&message);
        }
        if let Some(mut progress) = self.0.progress() {
            let held = progress.holds();
            let due = progress.report(done.into(), total.into(), message, self.0.session.host.now());
            let newly_held = !held && progress.holds();
            drop(progress);
            self.0.send(due);
            if newly_held {
                // A plain function reports from another thread than the one that sends it later.
                self.0.fate.wake();
            }
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
            #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
            related: Option<&'a Value>,
        }
        if self.0.log_level.is_some_and(|threshold| level >= threshold) {
            let params =
                Params { level, logger: self.name(), data, related: self.0.related.get().map(|related| &**related) };
            self.0.outbox.send(Outgoing::notification(methods::LOG_MESSAGE, &params));
        }
    }

    /// Lets go of the connection that the client waits on, for work that takes long: the client comes back for the answer.
    ///
    /// Does nothing where there is no connection to let go of, or the client does not know how to come back: it does over
    /// HTTP in revision 2025-11-25.
    pub fn release_connection(&self) {
        if self.0.revision.primes_streams() {
            self.0.outbox.release();
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
        self.0.fate.token().cancelled_owned().await;
    }

    /// A token that is cancelled with the call, to hand to tasks of your own.
    pub fn cancellation(&self) -> CancellationToken {
        self.0.fate.token()
    }

    /// Tells every client that has subscribed to it that a resource holds something else now.
    pub fn resource_updated(&self, uri: impl Into<String>) {
        self.0.server().resource_updated(uri);
    }

    /// The value of that type given to [`Builder::state`](crate::Builder::state).
    ///
    /// A tool function simply takes a parameter of type `&T`; this is for tools made at run time.
    pub fn state<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.0.server().state::<T>()
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
        self.0.client.info.as_ref()
    }

    /// In whose name the call is made, where the transport authenticates its clients.
    pub fn principal(&self) -> Option<&Principal> {
        self.0.principal.as_ref()
    }

    /// What the client can do for us.
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        &self.0.client.capabilities
    }

    /// The request's `_meta` as it came.
    pub fn meta(&self) -> Option<&RawValue> {
        serde_json::from_str(self.0.meta.as_deref()?).ok()
    }
}

impl CallState {
    /// The server as it was when the call began.
    pub(crate) fn server(&self) -> &Server {
        self.server.as_ref().unwrap_or(&self.session.server)
    }

    /// The tool that is called.
    pub(crate) fn tool(&self) -> &Entry {
        let Target::Tool(index) = self.target else { unreachable!("only tools look at themselves") };
        &self.server().registry.tools.entries()[index]
    }

    /// The name of what is called.
    pub(crate) fn name(&self) -> &str {
        match self.target {
            Target::Tool(_) => self.tool().name(),
            Target::Prompt(index) => self.server().registry.prompts.entries()[index].spec.name(),
            Target::Resource(place) => self.server().registry.resources.at(place).spec.name(),
            Target::Completion => "completion",
            Target::Subscription => "subscription",
            Target::Task => "task",
        }
    }

    /// What is said about the call from now on says to which task it belongs, where the revision has it so.
    pub(crate) fn relate_to(&self, task: &str) {
        if self.revision.has_core_tasks() {
            let related = json!({meta::RELATED_TASK: {"taskId": task}});
            if let Some(mut progress) = self.progress() {
                progress.relate(related.clone());
            }
            let _ = self.related.set(Box::new(related));
        }
    }

    /// Keeps the call on its session's load, for those that keep its arguments.
    pub(crate) fn hold(self: &Arc<CallState>) -> Hold {
        self.holders.fetch_add(1, Ordering::Relaxed);
        Hold(self.clone())
    }

    /// Takes the call off the load of its session if nobody else holds it.
    pub(crate) fn let_go(&self) {
        if self.holders.fetch_sub(1, Ordering::AcqRel) == 1 {
            *self.burden.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
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

    /// Sends progress whose time has come; says when there is some again, and how long that is from now.
    pub(crate) fn pace_progress(&self) -> Option<(Instant, Duration)> {
        let mut progress = self.progress()?;
        // Most calls that could report never do, and need no clock.
        progress.due_at()?;
        let now = self.session.host.now();
        let due = progress.flush_due(now);
        let next = progress.due_at().map(|at| (at, at.saturating_duration_since(now)));
        drop(progress);
        self.send(due);
        next
    }

    fn progress(&self) -> Option<MutexGuard<'_, Progress>> {
        Some(self.progress.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn send(&self, message: Option<Outgoing>) {
        // Nothing more for a request that is answered or cancelled.
        if let Some(message) = message.filter(|_| !self.fate.is_stopped()) {
            self.outbox.send(message);
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("name", &self.name()).field("id", &self.0.id).finish_non_exhaustive()
    }
}
