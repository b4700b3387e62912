//! A task that runs in this process.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use tokio::sync::watch;

use super::date::millis;
use super::questions::Questions;
use super::record::{Task, TaskOutcome, TaskStatus};
use super::store::StoreError;
use crate::host::Outgoing;
use crate::jsonrpc::methods;
use crate::jsonrpc::{Body, Code, Response, RpcError};
use crate::protocol::{Revision, meta};
use crate::server::Server;
use crate::session::Shared;
use crate::session::requests::cut;
use crate::session::subscriptions::Change;

/// A running task: its current state, and what waits for changes of it.
pub(crate) struct Run {
    server: Server,
    session: Arc<Shared>,
    pub(crate) revision: Revision,
    task: Mutex<Task>,
    /// Held while the task is changed and saved, so that saves happen in the order of the changes.
    saving: tokio::sync::Mutex<()>,
    changed: watch::Sender<()>,
    questions: Mutex<Questions>,
}

impl Run {
    pub(crate) fn new(server: Server, session: Arc<Shared>, revision: Revision, task: Task) -> Run {
        let (saving, changed) = (tokio::sync::Mutex::new(()), watch::Sender::new(()));
        Run { server, session, revision, task: Mutex::new(task), saving, changed, questions: Mutex::default() }
    }

    /// Returns a copy of the current state of the task.
    pub(crate) fn task(&self) -> Task {
        self.lock().clone()
    }

    pub(crate) fn owner(&self) -> String {
        self.lock().owner.clone()
    }

    pub(crate) fn watch(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Changes the task, saves it and notifies the client. Does nothing if the status is final.
    pub(crate) async fn change(&self, change: impl FnOnce(&mut Task)) -> Result<(), StoreError> {
        let _saving = self.saving.lock().await;
        let before = self.task();
        if before.status.is_final() {
            return Ok(());
        }
        let after = {
            let mut task = self.lock();
            change(&mut task);
            task.updated = millis(self.session.host.date()).max(task.updated);
            task.clone()
        };
        let saved = self.server.tasks.policy.store.save(after.clone()).await;
        if before.status != after.status {
            self.announce(&after);
        }
        self.changed.send_replace(());
        saved
    }

    /// Saves a new task for the first time.
    pub(crate) async fn save(&self) -> Result<(), StoreError> {
        let task = self.task();
        self.server.tasks.policy.store.save(task).await
    }

    /// Ends the task with the body of the response.
    pub(crate) async fn finish(&self, body: Body) {
        let (status, message, outcome) = self.outcome(body);
        let saved = self.change(|task| (task.status, task.message, task.outcome) = (status, message, Some(outcome))).await;
        let Err(error) = saved else { return };
        tracing::error!(%error, "the result of a task could not be saved");
        let instead = RpcError::new(Code::INTERNAL_ERROR, "the result could not be saved in the task store");
        let task = {
            let mut task = self.lock();
            task.status = TaskStatus::Failed;
            task.message = Some(instead.message.clone());
            task.outcome = Some(TaskOutcome::Error(instead));
            task.clone()
        };
        // If this cannot be saved either, the store shows the task as running until it expires.
        let _ = self.server.tasks.policy.store.save(task).await;
        self.changed.send_replace(());
    }

    fn outcome(&self, body: Body) -> (TaskStatus, Option<String>, TaskOutcome) {
        let mut response = Response::new(0.into(), body);
        let (mut status, mut message) = (TaskStatus::Completed, None);
        if let Body::Tool(tool) = &mut response.body
            && self.revision.has_core_tasks()
        {
            let result = &mut tool.result;
            if result.is_error {
                // In this revision a tool error makes the task `failed`. In later ones only a protocol error does.
                (status, message) = (TaskStatus::Failed, Some(cut(&result.to_text())));
            }
            let related = json!({"taskId": self.lock().id});
            result.meta.get_or_insert_default().insert(meta::RELATED_TASK.to_owned(), related);
        }
        match response.into_result() {
            Ok(result) => (status, message, TaskOutcome::Result(result)),
            Err(error) => (TaskStatus::Failed, Some(error.message.clone()), TaskOutcome::Error(error)),
        }
    }

    /// Sets the status to cancelled.
    pub(crate) async fn cancelled(&self) -> Result<(), StoreError> {
        self.change(|task| (task.status, task.message) = (TaskStatus::Cancelled, None)).await
    }

    /// Removes the task because it has expired.
    pub(crate) async fn expire(&self) {
        let id = self.task().id;
        self.lock().status = TaskStatus::Cancelled;
        if let Err(error) = self.server.tasks.policy.store.remove(&id).await {
            tracing::error!(%error, "an expired task could not be removed");
        }
        self.changed.send_replace(());
    }

    /// Stores the message of a progress report as the status message of the task.
    pub(crate) fn note(&self, message: &str) {
        if !message.is_empty() {
            self.lock().message = Some(message.to_owned());
        }
    }

    /// Notifies the client of the status, with the notification of the revision.
    fn announce(&self, task: &Task) {
        if self.revision.has_core_tasks() {
            self.session.outbox.send(Outgoing::notification(methods::TASK_STATUS, &task.describe(self.revision)));
        } else {
            let change = Change::Task { id: task.id.clone(), state: task.describe_all(self.revision) };
            self.server.subscribers.notify(&[change]);
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Task> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn questions(&self) -> MutexGuard<'_, Questions> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("task", &self.lock().id).finish_non_exhaustive()
    }
}
