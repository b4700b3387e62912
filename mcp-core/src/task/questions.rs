//! What a task asks its client.

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

/// The open questions of a task.
#[derive(Default)]
pub(super) struct Questions {
    /// How often each key was asked for.
    keys: HashMap<String, usize>,
    /// Those that `tasks/get` shows and `tasks/update` answers.
    waiting: HashMap<String, oneshot::Sender<Box<RawValue>>>,
    /// Those that leave as requests with the next `tasks/result`.
    held: HashMap<Id, Held>,
}

/// A request to the client that waits for somebody to take it along.
struct Held {
    message: Outgoing,
    /// Who took it along, as long as they are there.
    courier: Weak<()>,
}

impl Questions {
    /// A key that no other question of the task ever has: clients know questions by their keys.
    fn unused(&mut self, key: &str) -> String {
        let count = self.keys.entry(key.to_owned()).or_default();
        *count += 1;
        if *count == 1 { key.to_owned() } else { format!("{key}#{count}") }
    }
}

impl Run {
    /// Puts a question where `tasks/get` shows it, and waits for `tasks/update` to answer it.
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

    /// Hands answers to those who asked; answers to anything else are ignored.
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
            // Whoever asked may have gone meanwhile.
            let _ = waiting.send(answer);
        }
        Ok(())
    }

    /// Keeps a request to the client until somebody takes it along; it is taken back when what comes of this is dropped.
    pub(crate) async fn hold(&self, id: Id, message: Outgoing) -> Result<HeldQuestion<'_>, AskError> {
        self.questions().held.insert(id.clone(), Held { message, courier: Weak::new() });
        let question = HeldQuestion { run: self, id };
        let held = self.change(|task| task.status = TaskStatus::InputRequired).await;
        held.map_err(|error| AskError::Question(error.to_string()))?;
        Ok(question)
    }

    /// Sends what is held, unless somebody who is still there has taken it along.
    pub(crate) fn deliver(&self, courier: &Arc<()>, outbox: &Arc<dyn Outbox>) {
        let mut leaving = Vec::new();
        for held in self.questions().held.values_mut().filter(|held| held.courier.strong_count() == 0) {
            held.courier = Arc::downgrade(courier);
            leaving.push(held.message.clone());
        }
        leaving.into_iter().for_each(|message| outbox.send(message));
    }

    /// The task goes on, if nothing is asked any more.
    pub(crate) async fn resume(&self) {
        let is_asking = !self.questions().held.is_empty();
        if !is_asking && let Err(error) = self.change(Task::resume).await {
            tracing::error!(%error, "how a task stands could not be saved");
        }
    }
}

impl Task {
    /// It is worked on again, unless something is still asked.
    fn resume(&mut self) {
        if self.questions.is_empty() && self.status == TaskStatus::InputRequired {
            self.status = TaskStatus::Working;
        }
    }
}

/// An open question. A tool that no longer waits for the answer takes it back.
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

/// A question that waits for somebody to take it along.
pub(crate) struct HeldQuestion<'a> {
    run: &'a Run,
    id: Id,
}

impl Drop for HeldQuestion<'_> {
    fn drop(&mut self) {
        self.run.questions().held.remove(&self.id);
    }
}
