//! Word for a task that another process runs.

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

/// What the client of a task has to say to it, where another process runs it than the one that was told.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskLetter {
    /// It is no longer wanted.
    Cancel,
    /// Its questions are answered, by their keys.
    Answers(HashMap<String, Box<RawValue>>),
}

/// How the processes that share a [`TaskStore`](super::TaskStore) reach the one that runs a task.
pub trait TaskMail: Send + Sync + 'static {
    /// Keeps a letter until the process that runs the task comes for it, or the time of the task is up.
    fn leave(&self, task: &Task, letter: TaskLetter) -> BoxFuture<Result<(), StoreError>>;

    /// Takes all letters for the task of that id, the oldest first.
    fn collect(&self, id: &str) -> BoxFuture<Result<Vec<TaskLetter>, StoreError>>;
}

/// Comes for the letters of a task that runs here, again and again.
pub(super) async fn read_mail(run: Arc<Run>, state: Arc<CallState>) {
    let policy = &state.server().tasks.policy;
    let Some(mail) = policy.store.mail() else { return pending().await };
    let id = run.task().id;
    let mut is_well = true;
    loop {
        state.session.host.sleep(policy.poll_interval).await;
        let read = match mail.collect(&id).await {
            Ok(letters) => read(letters, &run, &state).await,
            Err(error) => Err(error),
        };
        if let (Err(error), true) = (&read, is_well) {
            tracing::error!(%error, "the letters of a task cannot be read");
        }
        is_well = read.is_ok();
    }
}

async fn read(letters: Vec<TaskLetter>, run: &Run, state: &CallState) -> Result<(), StoreError> {
    for letter in letters {
        match letter {
            // Whoever works on the task sees this, and says so to the store.
            TaskLetter::Cancel => drop(state.status.cancel()),
            TaskLetter::Answers(answers) => run.answer(answers).await?,
        }
    }
    Ok(())
}
