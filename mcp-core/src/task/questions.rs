//! Questions of a task to its client.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::record::{Task, TaskStatus};
use super::run::Run;
use super::store::StoreError;
use crate::ask::AskError;
use crate::host::{Outbox, Outgoing};
use crate::jsonrpc::Id;

/// The pending questions of a task.
#[derive(Default)]
pub(super) struct Questions {
    /// The number of uses of each key, to make keys unique.
    keys: HashMap<String, usize>,
    /// Questions that `tasks/get` shows and `tasks/update` answers, by key.
    waiting: HashMap<String, oneshot::Sender<Box<RawValue>>>,
    /// Questions that are sent as requests on the stream of the next `tasks/result`.
    held: HashMap<Id, Held>,
}

/// A request to the client that waits for a `tasks/result` request, whose stream it is sent on.
struct Held {
    message: Outgoing,
    /// Alive while the `tasks/result` request that sent this is in flight. When that ends, the next one sends it again.
    delivery: Weak<()>,
}

impl Questions {
    /// Makes a key unique within the task, because clients identify questions by their keys.
    fn unused(&mut self, key: &str) -> String {
        let count = self.keys.entry(key.to_owned()).or_default();
        *count += 1;
        if *count == 1 { key.to_owned() } else { format!("{key}#{count}") }
    }
}

impl Run {
    /// Adds a question that `tasks/get` shows, and waits until `tasks/update` answers it.
    pub(crate) async fn ask(&self, key: &str, method: &str, params: Value) -> Result<Box<RawValue>, AskError> {
        let (sender, receiver) = oneshot::channel();
        let question = {
            let mut questions = self.questions();
            let key = questions.unused(key);
            questions.waiting.insert(key.clone(), sender);
            Question { run: self, key }
        };
        let request = json!({"method": method, "params": params});
        let asked = self.change(|task| {
            task.questions.insert(question.key.clone(), request);
            task.status = TaskStatus::InputRequired;
        });
        asked.await.map_err(|error| AskError::Question(error.to_string()))?;
        receiver.await.map_err(|_| AskError::Gone)
    }

    /// Passes answers to the questions with these keys. Answers with unknown keys are ignored.
    pub(crate) async fn answer(&self, answers: HashMap<String, Box<RawValue>>) -> Result<(), StoreError> {
        let mut given = Vec::new();
        for (key, answer) in answers {
            let waiting = self.questions().waiting.remove(&key);
            if let Some(waiting) = waiting {
                given.push((key, waiting, answer));
            }
        }
        if given.is_empty() {
            return Ok(());
        }
        let changed = self.change(|task| {
            given.iter().for_each(|(key, ..)| drop(task.questions.remove(key)));
            task.resume();
        });
        changed.await?;
        for (_, waiting, answer) in given {
            // Fails if the tool no longer waits, which is fine.
            let _ = waiting.send(answer);
        }
        Ok(())
    }

    /// Holds a request to the client until a `tasks/result` request sends it. Dropping the returned value removes it.
    pub(crate) async fn hold(&self, id: Id, message: Outgoing) -> Result<HeldQuestion<'_>, AskError> {
        self.questions().held.insert(id.clone(), Held { message, delivery: Weak::new() });
        let question = HeldQuestion { run: self, id };
        let held = self.change(|task| task.status = TaskStatus::InputRequired).await;
        held.map_err(|error| AskError::Question(error.to_string()))?;
        Ok(question)
    }

    /// Sends all held requests that no other `tasks/result` request in flight has sent.
    pub(crate) fn deliver(&self, delivery: &Arc<()>, outbox: &Arc<dyn Outbox>) {
        let mut messages = Vec::new();
        for held in self.questions().held.values_mut().filter(|held| held.delivery.strong_count() == 0) {
            held.delivery = Arc::downgrade(delivery);
            messages.push(held.message.clone());
        }
        messages.into_iter().for_each(|message| outbox.send(message));
    }

    /// Sets the status back to working if no question is pending.
    pub(crate) async fn resume(&self) {
        let is_asking = !self.questions().held.is_empty();
        if !is_asking && let Err(error) = self.change(Task::resume).await {
            tracing::error!(%error, "the status of a task could not be saved");
        }
    }
}

/// A pending question. Dropping it removes the question: the tool no longer waits for the answer.
struct Question<'a> {
    run: &'a Run,
    key: String,
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        if self.run.questions().waiting.remove(&self.key).is_some() {
            let mut task = self.run.lock();
            task.questions.remove(&self.key);
            task.resume();
        }
    }
}

/// A held request to the client. Dropping it removes the request.
pub(crate) struct HeldQuestion<'a> {
    run: &'a Run,
    id: Id,
}

impl Drop for HeldQuestion<'_> {
    fn drop(&mut self) {
        self.run.questions().held.remove(&self.id);
    }
}
