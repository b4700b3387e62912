//! The state of one call.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tracing::Span;

use crate::ask::Parked;
use crate::call::progress::Progress;
use crate::call::status::CallStatus;
use crate::host::{Outbox, Outgoing};
use crate::jsonrpc::Id;
use crate::protocol::{Client, LogLevel, Revision, meta};
use crate::server::Server;
use crate::server::list::{Entry, Place};
use crate::session::Shared;
use crate::session::load::Share;
use crate::session::principal::Principal;
use crate::task::Run;

/// The target of a request, as an index into the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Tool(usize),
    Prompt(usize),
    Resource(Place),
    /// `completion/complete`.
    Completion,
    /// `subscriptions/listen`.
    Subscription,
    /// A request about a task, or one that creates a task.
    Task,
}

/// The state of one call, shared by the tool, the session and the future that runs the call.
pub(crate) struct CallState {
    pub(crate) session: Arc<Shared>,
    pub(crate) id: Id,
    pub(crate) revision: Revision,
    pub(crate) target: Target,
    pub(crate) status: CallStatus,
    /// The share of the call in the load of its session, until the call has ended.
    ///
    /// It is not dropped with this struct, because a tool can keep its context longer than the call runs. A blocking job and a
    /// task hold clones: they keep the arguments after the request has ended, so the call counts until they end too.
    pub(crate) share: Mutex<Option<Arc<Share>>>,
    /// Log messages below this level are not sent. `None`: no log messages are sent.
    pub(crate) log_level: Option<LogLevel>,
    /// The tracing span of the request.
    pub(crate) span: Span,
    /// The server as it was when the call started. A live server may have changed since.
    pub(crate) server: Server,
    /// The outbox for messages that belong to this call.
    pub(crate) outbox: Arc<dyn Outbox>,
    /// The URI of `resources/read`.
    pub(crate) uri: Option<Box<str>>,
    /// The progress reports, if the request has a progress token.
    pub(crate) progress: Option<Mutex<Progress>>,
    /// The client info and capabilities. Those of a handshake are copied on first use.
    pub(crate) client: OnceLock<Arc<Client>>,
    /// The authenticated identity of the client.
    pub(crate) principal: Option<Principal>,
    /// The questions of the call and their answers. Created on first use.
    pub(crate) parked: OnceLock<Mutex<Parked>>,
    /// The task, if the call runs as one.
    pub(crate) task: OnceLock<Arc<Run>>,
    /// The `_meta` of notifications about the call, if it runs as a task.
    pub(crate) related: OnceLock<Value>,
    /// The `_meta` of the request as JSON text.
    pub(crate) meta: Option<Box<str>>,
}

impl CallState {
    /// Returns the server as it was when the call started. A live server may have changed since.
    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// Returns the task, if the call runs as one.
    pub(crate) fn task(&self) -> Option<&Arc<Run>> {
        self.task.get()
    }

    /// Returns the tool that is called.
    ///
    /// # Panics
    /// If the target is not a tool.
    pub(crate) fn tool(&self) -> &Entry {
        let Target::Tool(index) = self.target else { unreachable!("the target of this call is not a tool") };
        &self.server().registry.tools.entries()[index]
    }

    /// Returns the name of the tool, prompt or resource, or the kind of the target.
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

    /// Returns the `_meta` of notifications about this call, if it runs as a task.
    pub(crate) fn related(&self) -> Option<&Value> {
        self.related.get()
    }

    /// Adds the `_meta` with the task id to parameters, if the call runs as a task.
    pub(crate) fn with_related(&self, mut params: Value) -> Value {
        if let Some(related) = self.related() {
            params["_meta"] = related.clone();
        }
        params
    }

    /// Adds the task id to the `_meta` of all later notifications about this call, if the revision requires it.
    pub(crate) fn relate_to(&self, task: &str) {
        if self.revision.has_core_tasks() {
            let related = json!({meta::RELATED_TASK: {"taskId": task}});
            if let Some(mut progress) = self.progress() {
                progress.relate(related.clone());
            }
            let _ = self.related.set(related);
        }
    }

    /// Returns the outbox for messages that belong to this call.
    pub(crate) fn outbox(&self) -> &Arc<dyn Outbox> {
        &self.outbox
    }

    /// Returns the client info and capabilities.
    pub(crate) fn client(&self) -> &Client {
        self.client.get_or_init(|| self.session.client())
    }

    /// Returns the share of the call in the load. While it is held, the call counts. `None` if the call has ended.
    pub(crate) fn share(&self) -> Option<Arc<Share>> {
        self.lock_share().clone()
    }

    /// Gives up the share of the call in the load.
    pub(crate) fn release_share(&self) {
        let share = self.lock_share().take();
        drop(share);
    }

    fn lock_share(&self) -> MutexGuard<'_, Option<Arc<Share>>> {
        self.share.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the timeout of the tool.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        match self.target {
            Target::Tool(_) => self.tool().spec.timeout,
            _ => None,
        }
    }

    /// Sends a held progress report, so that it precedes the response.
    #[inline]
    pub(crate) fn flush_progress(&self) {
        if let Some(mut progress) = self.progress() {
            let held = progress.flush();
            drop(progress);
            self.send(held);
        }
    }

    /// Sends the progress report that is due. Returns when the next one is due, and the time until then.
    pub(crate) fn send_due_progress(&self) -> Option<(Instant, Duration)> {
        let mut progress = self.progress()?;
        // Most calls with a progress token never report, so do not read the clock for them.
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
        // The protocol allows no notifications about a request that was cancelled.
        if let Some(message) = message.filter(|_| !self.status.is_stopped()) {
            self.outbox().send(message);
        }
    }
}
