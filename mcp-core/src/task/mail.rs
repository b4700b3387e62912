//! Messages to a task that another process runs.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::record::Task;
use super::run::Run;
use super::store::StoreError;
use crate::call::state::CallState;
use crate::host::BoxFuture;

/// A message to the process that runs a task, from the process that received the client's request.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskLetter {
    /// Cancel the task.
    Cancel,
    /// Answers to questions of the task, by key.
    Answers(HashMap<String, Box<RawValue>>),
}

/// Sends messages to the process that runs a task, between processes that share a [`TaskStore`](super::TaskStore).
pub trait TaskMail: Send + Sync + 'static {
    /// Stores a letter until the process that runs the task collects it, or the task expires.
    fn leave(&self, task: &Task, letter: TaskLetter) -> BoxFuture<Result<(), StoreError>>;

    /// Removes and returns all letters for the task with this id, oldest first.
    fn collect(&self, id: &str) -> BoxFuture<Result<Vec<TaskLetter>, StoreError>>;
}

/// Polls the letters of a task that runs in this process. Never returns.
pub(super) async fn read_mail(run: Arc<Run>, state: Arc<CallState>) {
    let policy = &state.server().tasks.policy;
    let Some(mail) = policy.store.mail() else { return pending().await };
    let id = run.task().id;
    // Logs only the first of several errors in a row.
    let mut was_ok = true;
    loop {
        state.session.host.sleep(policy.poll_interval).await;
        let read = match mail.collect(&id).await {
            Ok(letters) => read(letters, &run, &state).await,
            Err(error) => Err(error),
        };
        if let (Err(error), true) = (&read, was_ok) {
            tracing::error!(%error, "the letters of a task could not be read");
        }
        was_ok = read.is_ok();
    }
}

async fn read(letters: Vec<TaskLetter>, run: &Run, state: &CallState) -> Result<(), StoreError> {
    for letter in letters {
        match letter {
            // The future that runs the task sees the cancellation and saves the status.
            TaskLetter::Cancel => drop(state.status.cancel()),
            TaskLetter::Answers(answers) => run.answer(answers).await?,
        }
    }
    Ok(())
}
