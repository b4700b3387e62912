//! Everything about one call.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tracing::Span;

use crate::call::details::CallDetails;
use crate::call::progress::Progress;
use crate::call::status::CallStatus;
use crate::host::{Outbox, Outgoing};
use crate::jsonrpc::Id;
use crate::protocol::{Client, LogLevel, Revision, meta};
use crate::server::Server;
use crate::server::list::{Entry, Place};
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
    pub(crate) id: Id,
    pub(crate) revision: Revision,
    pub(crate) target: Target,
    pub(crate) status: CallStatus,
    /// What the call adds to the load of its session, while it is at work.
    pub(crate) burden: Burden,
    /// How many are at work on it.
    pub(crate) holders: AtomicUsize,
    /// Messages below this level stay here; with none, all do.
    pub(crate) log_level: Option<LogLevel>,
    /// What happens in the call is told in this span.
    pub(crate) span: Span,
    /// What few calls have; made at the latest when it is first needed.
    pub(crate) details: OnceLock<Box<CallDetails>>,
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
    /// What few calls have, if this one has any of it.
    pub(crate) fn details(&self) -> Option<&CallDetails> {
        self.details.get().map(|details| &**details)
    }

    /// The same, to put something there.
    pub(crate) fn details_made(&self) -> &CallDetails {
        self.details.get_or_init(Box::default)
    }

    /// The server as it was when the call began.
    pub(crate) fn server(&self) -> &Server {
        self.details().and_then(|details| details.server.as_ref()).unwrap_or(&self.session.server)
    }

    /// The task that the call has become.
    pub(crate) fn task(&self) -> Option<&Arc<Run>> {
        self.details()?.task.get()
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

    /// What is said about the call says this, if it belongs to a task.
    pub(crate) fn related(&self) -> Option<&Value> {
        self.details()?.related.get()
    }

    /// What is said about the call from now on says to which task it belongs, where the revision has it so.
    pub(crate) fn relate_to(&self, task: &str) {
        if self.revision.has_core_tasks() {
            let related = json!({meta::RELATED_TASK: {"taskId": task}});
            if let Some(mut progress) = self.progress() {
                progress.relate(related.clone());
            }
            let _ = self.details_made().related.set(related);
        }
    }

    /// Where to say what belongs to this very call.
    pub(crate) fn outbox(&self) -> &Arc<dyn Outbox> {
        self.details().and_then(|details| details.outbox.as_ref()).unwrap_or(&self.session.outbox)
    }

    /// What the client says of itself.
    pub(crate) fn client(&self) -> &Client {
        self.details_made().client.get_or_init(|| self.session.client())
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
    #[inline]
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
        Some(self.details()?.progress.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn send(&self, message: Option<Outgoing>) {
        // Nothing more for a request that is answered or cancelled.
        if let Some(message) = message.filter(|_| !self.status.is_stopped()) {
            self.outbox().send(message);
        }
    }
}
