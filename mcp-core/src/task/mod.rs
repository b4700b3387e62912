//! Tasks: tool calls that continue after their request was answered.
//!
//! A client that supports tasks receives a handle at once and asks for the result later. Tasks are part of revision
//! 2025-11-25 and an extension of 2026-07-28. Clients of other revisions receive the result of the call as usual.

mod creation;
mod date;
mod messages;
mod questions;
mod record;
mod requests;
mod run;
mod store;
mod support;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::call::output_check::Product;
use crate::call::state::CallState;
use crate::jsonrpc::{Body, Code, RpcError};
use crate::protocol::meta;
use crate::tool::requirement;

pub(crate) use creation::{call_as_task, task_wanted};
pub use messages::{TaskMessage, TaskMessages};
pub use record::{Task, TaskOutcome, TaskStatus};
pub(crate) use requests::about_task;
pub(crate) use run::Run;
pub use store::{StoreError, TaskStore, TasksInMemory};
pub use support::TaskSupport;

/// The settings of a server for tasks.
///
/// ```
/// use std::time::Duration;
/// use mcp_core::task::{Tasks, TasksInMemory};
/// use mcp_core::Server;
///
/// let tasks = Tasks::default().ttl(Duration::from_secs(600)).store(TasksInMemory::new(100, 1 << 20));
/// let server = Server::builder("patient", "1.0.0").tasks(tasks);
/// # let _ = server;
/// ```
#[derive(Clone)]
pub struct Tasks {
    pub(crate) ttl: Duration,
    pub(crate) longest_ttl: Duration,
    pub(crate) poll_interval: Duration,
    pub(crate) store: Arc<dyn TaskStore>,
}

impl Tasks {
    /// Sets how long a task is stored after its creation, if the client does not ask for another time. Default: 15 minutes.
    ///
    /// After that time the task is removed, and cancelled if it is still running.
    #[must_use]
    pub fn ttl(mut self, ttl: Duration) -> Tasks {
        self.ttl = ttl;
        self.longest_ttl = self.longest_ttl.max(ttl);
        self
    }

    /// Sets the maximum storage time that a client can ask for. Default: one hour.
    #[must_use]
    pub fn longest_ttl(mut self, ttl: Duration) -> Tasks {
        self.longest_ttl = ttl;
        self.ttl = self.ttl.min(ttl);
        self
    }

    /// Sets how often clients should poll the status of a task. Default: half a second.
    #[must_use]
    pub fn poll_interval(mut self, interval: Duration) -> Tasks {
        self.poll_interval = interval;
        self
    }

    /// Sets the store of tasks. Default: [`TasksInMemory`].
    #[must_use]
    pub fn store(mut self, store: impl TaskStore) -> Tasks {
        self.store = Arc::new(store);
        self
    }
}

impl Default for Tasks {
    fn default() -> Tasks {
        Tasks {
            ttl: Duration::from_secs(15 * 60),
            longest_ttl: Duration::from_secs(60 * 60),
            poll_interval: Duration::from_millis(500),
            store: Arc::new(TasksInMemory::default()),
        }
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks")
            .field("ttl", &self.ttl)
            .field("longest_ttl", &self.longest_ttl)
            .field("poll_interval", &self.poll_interval)
            .finish_non_exhaustive()
    }
}

/// The tasks of a server: the settings, and the tasks that run in this process.
#[derive(Default)]
pub(crate) struct ServerTasks {
    pub(crate) policy: Tasks,
    running: Mutex<HashMap<String, Arc<CallState>>>,
}

impl ServerTasks {
    pub(crate) fn new(policy: Tasks) -> ServerTasks {
        ServerTasks { policy, running: Mutex::default() }
    }

    /// Returns the task with this id and owner, if it runs in this process.
    pub(crate) fn running(&self, id: &str, owner: &str) -> Option<(Arc<CallState>, Arc<Run>)> {
        let state = self.lock().get(id)?.clone();
        let run = state.task()?.clone();
        (run.owner() == owner).then_some((state, run))
    }

    /// Cancels all running tasks of an owner.
    pub(crate) fn stop_all(&self, owner: &str) {
        let running: Vec<Arc<CallState>> = self.lock().values().cloned().collect();
        for state in running.iter().filter(|state| state.task().is_some_and(|run| run.owner() == owner)) {
            state.status.cancel();
        }
    }

    fn insert(&self, id: &str, state: &Arc<CallState>) {
        self.lock().insert(id.to_owned(), state.clone());
    }

    fn remove(&self, id: &str) {
        self.lock().remove(id);
    }

    /// Locks the content. No code panics while it holds the lock, so the content of a poisoned lock is still consistent.
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<CallState>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to a request about a task.
pub(crate) struct TaskAnswer(pub(crate) Result<Body, RpcError>);

impl Product for TaskAnswer {
    fn failure(text: String) -> TaskAnswer {
        TaskAnswer(Err(RpcError::new(Code::INTERNAL_ERROR, text)))
    }

    fn is_failure(&self) -> bool {
        self.0.is_err()
    }

    fn into_body(self, _: &CallState) -> Body {
        self.0.unwrap_or_else(Body::Error)
    }
}

/// Returns the error for clients that did not declare the tasks extension.
pub(crate) fn extension_missing() -> RpcError {
    requirement::missing(&[&["extensions", meta::TASKS]])
}

impl From<StoreError> for RpcError {
    fn from(error: StoreError) -> RpcError {
        match error {
            StoreError::Full => RpcError::new(Code::BUSY, "the task store is full; retry when some tasks have expired"),
            StoreError::Failed(cause) => {
                // The error of a store may contain internals, so only the log gets it.
                tracing::error!(%cause, "the task store failed");
                RpcError::new(Code::INTERNAL_ERROR, "the task store failed; the server's log has the reason")
            }
        }
    }
}
