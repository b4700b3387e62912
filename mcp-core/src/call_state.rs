//! Everything about one call.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tracing::Span;

use crate::ask::Parked;
use crate::fate::Fate;
use crate::host::{Outbox, Outgoing};
use crate::jsonrpc::Id;
use crate::listing::{Entry, Place};
use crate::principal::Principal;
use crate::progress::Progress;
use crate::protocol::{Client, LogLevel, Revision, meta};
use crate::server::Server;
use crate::session::Shared;
use crate::task::Run;

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
    /// Where to say what belongs to this very call, if that is not where the session says everything.
    pub(crate) outbox: Option<Arc<dyn Outbox>>,
    pub(crate) id: Id,
    pub(crate) revision: Revision,
    pub(crate) target: Target,
    /// The address that is read.
    pub(crate) uri: Option<Box<str>>,
    pub(crate) fate: Fate,
    /// What the call adds to the load of its session, while it is at work.
    pub(crate) burden: Burden,
    /// How many are at work on it.
    pub(crate) holders: AtomicUsize,
    pub(crate) progress: Option<Box<Mutex<Progress>>>,
    /// Messages below this level stay here; with none, all do.
    pub(crate) log_level: Option<LogLevel>,
    /// What the client says of itself; that of a handshake is looked up when it is first needed.
    pub(crate) client: OnceLock<Arc<Client>>,
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
    /// Arguments of so many bytes.
    Own(usize),
    /// What the request adds that it came with, which this holds: a task goes on with the arguments of its request.
    Of(Arc<CallState>),
}

/// One that never came to work is let go all the same.
impl Drop for CallState {
    fn drop(&mut self) {
        if *self.holders.get_mut() > 0 {
            self.put_down();
        }
    }
}

/// Keeps a call on the load of its session, until this is dropped.
pub(crate) struct Hold(Arc<CallState>);

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.let_go();
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

    /// Where to say what belongs to this very call.
    pub(crate) fn outbox(&self) -> &Arc<dyn Outbox> {
        self.outbox.as_ref().unwrap_or(&self.session.outbox)
    }

    /// What the client says of itself.
    pub(crate) fn client(&self) -> &Client {
        self.client.get_or_init(|| self.session.client())
    }

    /// Keeps the call on its session's load, for those that keep its arguments.
    pub(crate) fn hold(self: &Arc<CallState>) -> Hold {
        Hold(self.held())
    }

    /// The same, until whoever has it [lets it go](Self::let_go).
    pub(crate) fn held(self: &Arc<CallState>) -> Arc<CallState> {
        self.holders.fetch_add(1, Ordering::Relaxed);
        self.clone()
    }

    /// Takes the call off the load of its session if nobody else holds it.
    pub(crate) fn let_go(&self) {
        if self.holders.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.put_down();
        }
    }

    fn put_down(&self) {
        match &self.burden {
            Burden::Own(bytes) => self.session.load.put_down(*bytes),
            Burden::Of(request) => request.let_go(),
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

    pub(crate) fn progress(&self) -> Option<MutexGuard<'_, Progress>> {
        Some(self.progress.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn send(&self, message: Option<Outgoing>) {
        // Nothing more for a request that is answered or cancelled.
        if let Some(message) = message.filter(|_| !self.fate.is_stopped()) {
            self.outbox().send(message);
        }
    }
}
