//! Tasks as they are kept, and as the wire has them.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::date::iso;
use crate::jsonrpc::RpcError;
use crate::protocol::Revision;

/// A call that goes on after its request was answered: all that a store keeps of it.
///
/// It is data: a store may keep it as JSON, in this process or elsewhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Task {
    /// Its name, which nobody can guess.
    pub id: String,
    /// Who began it: nobody else gets to see it. Empty where clients are not told apart; the id alone is the key then.
    pub owner: String,
    /// How it stands.
    pub status: TaskStatus,
    /// The same for people.
    pub message: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub created: u64,
    /// When it was last changed, in milliseconds since 1970.
    pub updated: u64,
    /// For how long it is kept after it began, in milliseconds.
    pub ttl: u64,
    /// How often its client should ask for it, in milliseconds.
    pub poll_interval: u64,
    /// What its client is asked, by key.
    pub questions: BTreeMap<String, Value>,
    /// What came out of it.
    pub outcome: Option<TaskOutcome>,
}

/// How a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskStatus {
    /// It is being worked on.
    Working,
    /// It waits for its client to answer.
    InputRequired,
    /// It is done.
    Completed,
    /// It failed.
    Failed,
    /// Its client no longer wanted it.
    Cancelled,
}

/// What came out of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskOutcome {
    /// The result of the call, as it goes to the client.
    Result(Box<RawValue>),
    /// The call is answered with an error.
    Error(RpcError),
}

impl TaskStatus {
    /// Whether it stays so.
    pub fn is_final(self) -> bool {
        matches!(self, TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Cancelled)
    }
}

impl Task {
    /// Whether its time is up at that date, in milliseconds since 1970.
    pub fn is_expired(&self, now: u64) -> bool {
        self.created.saturating_add(self.ttl) <= now
    }

    /// About how many bytes it takes to keep it.
    pub fn weight(&self) -> usize {
        let outcome = match &self.outcome {
            Some(TaskOutcome::Result(json)) => json.get().len(),
            Some(TaskOutcome::Error(error)) => error.message.len(),
            None => 0,
        };
        let questions: usize = self.questions.iter().map(|(key, question)| key.len() + question.to_string().len()).sum();
        size_of::<Task>() + self.id.len() + self.owner.len() + outcome + questions
    }

    /// How long it is kept from that date on.
    pub(crate) fn time_left(&self, now: u64) -> Duration {
        Duration::from_millis(self.created.saturating_add(self.ttl).saturating_sub(now))
    }

    /// Its state in the words of that revision.
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

    /// The same, where a revision has it with what is asked and what came out.
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
