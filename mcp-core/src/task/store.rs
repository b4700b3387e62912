//! Where tasks are kept.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::mail::TaskMail;
use super::record::Task;
use crate::host::BoxFuture;

/// Where tasks are kept: what clients come back for.
///
/// The process that runs a task is the only one that saves it. Others that share the store can show it, and reach the one that
/// runs it by [`mail`](Self::mail). Servers have [`TasksInMemory`] unless told otherwise; implement this to keep tasks
/// elsewhere, with the [`Task`] as JSON and its `ttl` as the store's own expiry.
pub trait TaskStore: Send + Sync + 'static {
    /// Keeps a task, in place of what was kept under its id. When this is ready, every [`load`](Self::load) sees it.
    ///
    /// Must not forget a task before its time is up: its client was promised otherwise.
    fn save(&self, task: Task) -> BoxFuture<Result<(), StoreError>>;

    /// The task of that id, if there is one. One whose time is up may be left out, or not.
    fn load(&self, id: &str) -> BoxFuture<Result<Option<Task>, StoreError>>;

    /// All tasks of that owner, in any order.
    fn list(&self, owner: &str) -> BoxFuture<Result<Vec<Task>, StoreError>>;

    /// Forgets a task.
    fn remove(&self, id: &str) -> BoxFuture<Result<(), StoreError>>;

    /// How to reach a process that runs a task, for stores that several processes share.
    ///
    /// Without it, a task can be cancelled and its questions answered only where it runs.
    fn mail(&self) -> Option<&dyn TaskMail> {
        None
    }
}

/// Why a store did not do what it was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no room for another task, or for so large a result.
    Full,
    /// The store failed.
    Failed(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StoreError::Full => "there is no room for more tasks",
            StoreError::Failed(_) => "the store of tasks failed",
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

/// Keeps tasks in the memory of this process, within bounds.
///
/// What does not fit is refused: no task is dropped before its time to make room for another.
pub struct TasksInMemory {
    most: usize,
    bytes: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    tasks: HashMap<String, Task>,
    bytes: usize,
}

impl TasksInMemory {
    /// At most so many tasks, with at most so many bytes together.
    pub fn new(most: usize, bytes: usize) -> TasksInMemory {
        TasksInMemory { most, bytes, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, task: Task) -> Result<(), StoreError> {
        let mut kept = self.kept();
        // A task is saved when something happens to it, so this is the time now.
        kept.forget_expired(task.updated);
        let (old, new) = (kept.tasks.get(&task.id).map_or(0, Task::weight), task.weight());
        let is_new = !kept.tasks.contains_key(&task.id);
        if (is_new && kept.tasks.len() >= self.most) || kept.bytes - old + new > self.bytes {
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

/// 1,024 tasks, with 64 MiB together.
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
    fn one_too_many_is_refused_until_another_has_expired() {
        let store = TasksInMemory::new(2, 1 << 20);
        assert!(store.keep(task("a", 0)).is_ok() && store.keep(task("b", 500)).is_ok());
        assert!(matches!(store.keep(task("c", 999)), Err(StoreError::Full)));
        assert!(store.keep(Task { updated: 999, ..task("a", 0) }).is_ok(), "those that are kept can change");
        assert!(store.keep(task("c", 1000)).is_ok());
        assert!(!store.kept().tasks.contains_key("a"));
    }

    #[test]
    fn results_count_until_they_are_forgotten() {
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
    fn a_task_is_the_same_after_it_was_json() {
        let failed = TaskOutcome::Error(crate::transport::RpcError::invalid_params("no"));
        let task = Task { outcome: Some(failed), message: Some("no".into()), ..task("a", 7) };
        let json = serde_json::to_string(&task).unwrap();
        let read: Task = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), json);
    }
}
