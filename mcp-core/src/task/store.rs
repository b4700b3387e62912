//! Storage of tasks.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::messages::TaskMessages;
use super::record::Task;
use crate::host::BoxFuture;

/// A store of tasks.
///
/// Only the process that runs a task saves it. Other processes that share the store can load it, and send messages to the
/// process that runs it through [`messages`](Self::messages). The default is [`TasksInMemory`]. To use a database, implement this
/// trait: store the [`Task`] as JSON and use its `ttl` as the expiry.
pub trait TaskStore: Send + Sync + 'static {
    /// Saves a task, replacing the one with the same id. After this, every [`load`](Self::load) must return it.
    ///
    /// The store must not remove a task before it expires, because the expiry time was sent to the client.
    fn save(&self, task: Task) -> BoxFuture<Result<(), StoreError>>;

    /// Loads the task with this id, if it exists. It may or may not return expired tasks.
    fn load(&self, id: &str) -> BoxFuture<Result<Option<Task>, StoreError>>;

    /// Returns all tasks of this owner, in any order.
    fn list(&self, owner: &str) -> BoxFuture<Result<Vec<Task>, StoreError>>;

    /// Removes a task.
    fn remove(&self, id: &str) -> BoxFuture<Result<(), StoreError>>;

    /// Returns the way to send messages to the process that runs a task, for stores that several processes share.
    ///
    /// Without it, only the process that runs a task can cancel it and receive answers to its questions.
    fn messages(&self) -> Option<&dyn TaskMessages> {
        None
    }
}

/// An error of a [`TaskStore`].
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The store has no space for another task or for a result of this size.
    Full,
    /// The store failed.
    Failed(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StoreError::Full => "the task store is full",
            StoreError::Failed(_) => "the task store failed",
        })
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            StoreError::Full => None,
            StoreError::Failed(error) => Some(&**error),
        }
    }
}

/// Stores tasks in the memory of this process, up to a limit.
///
/// A task over the limit is rejected. No task is removed before it expires to make space for another.
pub struct TasksInMemory {
    max_tasks: usize,
    max_bytes: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    tasks: HashMap<String, Task>,
    bytes: usize,
}

impl TasksInMemory {
    /// Creates a store for at most `max_tasks` tasks and `max_bytes` bytes in total.
    pub fn new(max_tasks: usize, max_bytes: usize) -> TasksInMemory {
        TasksInMemory { max_tasks, max_bytes, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, task: Task) -> Result<(), StoreError> {
        let mut kept = self.kept();
        // A task is saved when it has changed, so `updated` is the current time.
        kept.forget_expired(task.updated);
        let (old, new) = (kept.tasks.get(&task.id).map_or(0, Task::weight), task.weight());
        let is_new = !kept.tasks.contains_key(&task.id);
        if (is_new && kept.tasks.len() >= self.max_tasks) || kept.bytes - old + new > self.max_bytes {
            return Err(StoreError::Full);
        }
        kept.bytes = kept.bytes - old + new;
        kept.tasks.insert(task.id.clone(), task);
        Ok(())
    }
}

impl Kept {
    fn forget_expired(&mut self, now: u64) {
        let expired: Vec<String> =
            self.tasks.values().filter(|task| task.is_expired(now)).map(|task| task.id.clone()).collect();
        expired.iter().for_each(|id| self.forget(id));
    }

    fn forget(&mut self, id: &str) {
        self.bytes -= self.tasks.remove(id).map_or(0, |task| task.weight());
    }
}

/// At most 1,024 tasks with 64 MiB in total.
impl Default for TasksInMemory {
    fn default() -> TasksInMemory {
        TasksInMemory::new(1024, 64 << 20)
    }
}

impl TaskStore for TasksInMemory {
    fn save(&self, task: Task) -> BoxFuture<Result<(), StoreError>> {
        now(self.keep(task))
    }

    fn load(&self, id: &str) -> BoxFuture<Result<Option<Task>, StoreError>> {
        now(Ok(self.kept().tasks.get(id).cloned()))
    }

    fn list(&self, owner: &str) -> BoxFuture<Result<Vec<Task>, StoreError>> {
        now(Ok(self.kept().tasks.values().filter(|task| task.owner == owner).cloned().collect()))
    }

    fn remove(&self, id: &str) -> BoxFuture<Result<(), StoreError>> {
        self.kept().forget(id);
        now(Ok(()))
    }
}

fn now<T: Send + 'static>(outcome: T) -> BoxFuture<T> {
    Box::pin(std::future::ready(outcome))
}

impl fmt::Debug for TasksInMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept();
        f.debug_struct("TasksInMemory").field("tasks", &kept.tasks.len()).field("bytes", &kept.bytes).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{TaskOutcome, TaskStatus};
    use super::*;

    fn task(id: &str, created: u64) -> Task {
        let (ttl, poll_interval) = (1000, 500);
        let (id, owner, status) = (id.to_owned(), "me".to_owned(), TaskStatus::Working);
        let (updated, questions) = (created, Default::default());
        Task { id, owner, status, message: None, created, updated, ttl, poll_interval, questions, outcome: None }
    }

    #[test]
    fn a_task_over_the_limit_is_rejected_until_another_has_expired() {
        let store = TasksInMemory::new(2, 1 << 20);
        assert!(store.keep(task("a", 0)).is_ok() && store.keep(task("b", 500)).is_ok());
        assert!(matches!(store.keep(task("c", 999)), Err(StoreError::Full)));
        assert!(store.keep(Task { updated: 999, ..task("a", 0) }).is_ok(), "stored tasks can be updated");
        assert!(store.keep(task("c", 1000)).is_ok());
        assert!(!store.kept().tasks.contains_key("a"));
    }

    #[test]
    fn results_count_towards_the_limit_until_they_are_removed() {
        let store = TasksInMemory::new(10, 3000);
        let large = serde_json::value::to_raw_value(&"x".repeat(2000)).unwrap();
        let done = Task { outcome: Some(TaskOutcome::Result(large)), ..task("a", 0) };
        assert!(store.keep(task("a", 0)).is_ok() && store.keep(done.clone()).is_ok());
        assert!(matches!(store.keep(Task { id: "b".into(), ..done.clone() }), Err(StoreError::Full)));
        drop(store.remove("a"));
        assert_eq!(store.kept().bytes, 0);
        assert!(store.keep(Task { id: "b".into(), ..done }).is_ok());
    }

    #[test]
    fn a_task_survives_a_json_round_trip() {
        let failed = TaskOutcome::Error(crate::transport::RpcError::invalid_params("no"));
        let task = Task { outcome: Some(failed), message: Some("no".into()), ..task("a", 7) };
        let json = serde_json::to_string(&task).unwrap();
        let read: Task = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), json);
    }
}
