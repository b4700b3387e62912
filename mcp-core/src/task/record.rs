//! The stored form of tasks and their JSON in the protocol.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::date::iso;
use crate::jsonrpc::RpcError;
use crate::protocol::Revision;

/// The stored state of a task. A store may keep it as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Task {
    /// The random id, which cannot be guessed.
    pub id: String,
    /// The client that created the task. Others cannot see it. If it is empty, every client that knows the id can.
    pub owner: String,
    /// The status of the task.
    pub status: TaskStatus,
    /// A description of the status for users.
    pub message: Option<String>,
    /// The time of creation, in milliseconds since 1970.
    pub created: u64,
    /// The time of the last change, in milliseconds since 1970.
    pub updated: u64,
    /// How long the task is stored after its creation, in milliseconds.
    pub ttl: u64,
    /// How often the client should poll the task, in milliseconds.
    pub poll_interval: u64,
    /// The unanswered questions to the client, by key.
    pub questions: BTreeMap<String, Value>,
    /// The result or error, if the task has ended.
    pub outcome: Option<TaskOutcome>,
}

/// The status of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskStatus {
    /// The task is running.
    Working,
    /// The task waits for answers of the client.
    InputRequired,
    /// The task succeeded.
    Completed,
    /// The task failed.
    Failed,
    /// The task was cancelled.
    Cancelled,
}

/// The outcome of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskOutcome {
    /// The result of the call, in the JSON that is sent to the client.
    Result(Box<RawValue>),
    /// The error of the call.
    Error(RpcError),
}

impl TaskStatus {
    /// Returns whether the status can no longer change.
    pub fn is_final(self) -> bool {
        matches!(self, TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Cancelled)
    }
}

impl Task {
    /// Returns whether the task has expired at `now`, in milliseconds since 1970.
    pub fn is_expired(&self, now: u64) -> bool {
        self.created.saturating_add(self.ttl) <= now
    }

    /// Returns the approximate size of the task in bytes.
    pub fn weight(&self) -> usize {
        let outcome = match &self.outcome {
            Some(TaskOutcome::Result(json)) => json.get().len(),
            Some(TaskOutcome::Error(error)) => error.message.len(),
            None => 0,
        };
        let questions: usize = self.questions.iter().map(|(key, question)| key.len() + question.to_string().len()).sum();
        size_of::<Task>() + self.id.len() + self.owner.len() + outcome + questions
    }

    /// Sets the status back to working if no question is pending.
    pub(super) fn resume(&mut self) {
        if self.questions.is_empty() && self.status == TaskStatus::InputRequired {
            self.status = TaskStatus::Working;
        }
    }

    /// Returns the time from `now` until the task expires.
    pub(crate) fn time_left(&self, now: u64) -> Duration {
        Duration::from_millis(self.created.saturating_add(self.ttl).saturating_sub(now))
    }

    /// Returns the fields of the task in the protocol of this revision, without questions and outcome.
    pub(crate) fn describe(&self, revision: Revision) -> Map<String, Value> {
        let (ttl, poll) = if revision.has_core_tasks() { ("ttl", "pollInterval") } else { ("ttlMs", "pollIntervalMs") };
        let mut wire = Map::from_iter([
            ("taskId".to_owned(), json!(self.id)),
            ("status".to_owned(), json!(self.status)),
            ("createdAt".to_owned(), json!(iso(self.created))),
            ("lastUpdatedAt".to_owned(), json!(iso(self.updated))),
            (ttl.to_owned(), json!(self.ttl)),
            (poll.to_owned(), json!(self.poll_interval)),
        ]);
        if let Some(message) = &self.message {
            wire.insert("statusMessage".to_owned(), json!(message));
        }
        wire
    }

    /// Returns the fields of the task with its questions and outcome, if the revision includes them.
    pub(crate) fn describe_all(&self, revision: Revision) -> Map<String, Value> {
        let mut wire = self.describe(revision);
        if revision.has_core_tasks() {
            return wire;
        }
        match &self.outcome {
            Some(TaskOutcome::Result(json)) => {
                wire.insert("result".to_owned(), serde_json::from_str(json.get()).unwrap_or_default());
            }
            Some(TaskOutcome::Error(error)) => {
                wire.insert("error".to_owned(), json!(error));
            }
            None if self.status == TaskStatus::InputRequired => {
                wire.insert("inputRequests".to_owned(), json!(self.questions));
            }
            None => {}
        }
        wire
    }
}
