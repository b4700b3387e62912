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
pub enum TaskMessage {
    /// The client cancels the task.
    Cancel,
    /// Answers to questions of the task, by key.
    Answers(HashMap<String, Box<RawValue>>),
}

/// Sends messages to the process that runs a task, between processes that share a [`TaskStore`](super::TaskStore).
pub trait TaskMessages: Send + Sync + 'static {
    /// Stores a message until the process that runs the task collects it, or the task expires.
    fn send(&self, task: &Task, message: TaskMessage) -> BoxFuture<Result<(), StoreError>>;

    /// Removes and returns all messages for the task with this id, oldest first.
    fn receive(&self, id: &str) -> BoxFuture<Result<Vec<TaskMessage>, StoreError>>;
}

/// Polls the messages of a task that runs in this process. Never returns.
pub(super) async fn poll_messages(run: Arc<Run>, state: Arc<CallState>) {
    let policy = &state.server().tasks.policy;
    let Some(messages) = policy.store.messages() else { return pending().await };
    let id = run.task().id;
    // Logs only the first of several errors in a row.
    let mut was_ok = true;
    loop {
        state.session.host.sleep(policy.poll_interval).await;
        let read = match messages.receive(&id).await {
            Ok(messages) => read(messages, &run, &state).await,
            Err(error) => Err(error),
        };
        if let (Err(error), true) = (&read, was_ok) {
            tracing::error!(%error, "the messages of a task could not be read");
        }
        was_ok = read.is_ok();
    }
}

async fn read(messages: Vec<TaskMessage>, run: &Run, state: &CallState) -> Result<(), StoreError> {
    for message in messages {
        match message {
            // The future that runs the task sees the cancellation and saves the status.
            TaskMessage::Cancel => drop(state.status.cancel()),
            TaskMessage::Answers(answers) => run.answer(answers).await?,
        }
    }
    Ok(())
}
