//! Requests about a task that another process runs.

use std::collections::HashMap;
use std::future::ready;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_core::task::{StoreError, Task, TaskMessage, TaskMessages, TaskStore, Tasks, TasksInMemory};
use mcp_core::transport::BoxFuture;
use serde_json::json;

use crate::session::Peer;
use crate::tasks::{begin_modern, get, modern, slow};

/// A store that two servers share, like two processes with one database.
#[derive(Clone, Default)]
struct SharedStore {
    tasks: Arc<TasksInMemory>,
    messages: Arc<Mutex<HashMap<String, Vec<TaskMessage>>>>,
}

impl TaskStore for SharedStore {
    fn save(&self, task: Task) -> BoxFuture<Result<(), StoreError>> {
        self.tasks.save(task)
    }

    fn load(&self, id: &str) -> BoxFuture<Result<Option<Task>, StoreError>> {
        self.tasks.load(id)
    }

    fn list(&self, owner: &str) -> BoxFuture<Result<Vec<Task>, StoreError>> {
        self.tasks.list(owner)
    }

    fn remove(&self, id: &str) -> BoxFuture<Result<(), StoreError>> {
        self.tasks.remove(id)
    }

    fn messages(&self) -> Option<&dyn TaskMessages> {
        Some(self)
    }
}

impl TaskMessages for SharedStore {
    fn send(&self, task: &Task, message: TaskMessage) -> BoxFuture<Result<(), StoreError>> {
        self.messages.lock().unwrap().entry(task.id.clone()).or_default().push(message);
        Box::pin(ready(Ok(())))
    }

    fn receive(&self, id: &str) -> BoxFuture<Result<Vec<TaskMessage>, StoreError>> {
        Box::pin(ready(Ok(self.messages.lock().unwrap().remove(id).unwrap_or_default())))
    }
}

/// Two servers with a shared store: the first runs the tasks.
fn two() -> (Peer, Peer) {
    let store = SharedStore::default();
    let server = || slow().tasks(Tasks::default().store(store.clone()));
    let here = Peer::new(server());
    let elsewhere = here.on_same_host(server());
    (here, elsewhere)
}

const POLL: Duration = Duration::from_millis(500);

#[test]
fn another_process_can_cancel_a_task() {
    let (mut here, mut elsewhere) = two();
    let id = begin_modern(&mut here, "wait");
    assert_eq!(here.poll_spawned(), 1);
    assert_eq!(get(&mut elsewhere, &id)["status"], "working");
    let response = elsewhere.ask("tasks/cancel", modern(json!({"taskId": id})));
    assert_eq!(response["result"]["resultType"], "complete", "{response}");
    assert_eq!(get(&mut elsewhere, &id)["status"], "working", "nobody has read the message yet");
    here.advance_time(POLL);
    assert_eq!(here.poll_spawned(), 0);
    assert_eq!(get(&mut elsewhere, &id)["status"], "cancelled");
}

#[test]
fn answers_reach_a_task_through_another_process() {
    let (mut here, mut elsewhere) = two();
    let id = begin_modern(&mut here, "delete");
    here.poll_spawned();
    let asked = get(&mut elsewhere, &id);
    assert_eq!(asked["status"], "input_required", "{asked}");
    let key = asked["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
    let answers = json!({key: {"action": "accept", "content": {"yes": true}}});
    let response = elsewhere.ask("tasks/update", modern(json!({"taskId": id, "inputResponses": answers})));
    assert_eq!(response["result"]["resultType"], "complete", "{response}");
    here.advance_time(POLL);
    here.poll_spawned();
    let done = get(&mut elsewhere, &id);
    assert_eq!(done["result"]["content"][0]["text"], "deleted: true", "{done}");
}
