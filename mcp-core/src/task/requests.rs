//! Handlers of requests about tasks: `tasks/get`, `tasks/result`, `tasks/list`, `tasks/cancel`, `tasks/update`.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::date::millis;
use super::messages::TaskMessage;
use super::record::{Task, TaskOutcome, TaskStatus};
use super::{TaskAnswer, extension_missing};
use crate::call::running;
use crate::call::state::{CallState, Target};
use crate::jsonrpc::methods::Method;
use crate::jsonrpc::params::Param;
use crate::jsonrpc::{Body, Code, RpcError};
use crate::session::incoming::{Incoming, body};
use crate::session::reply::{Later, Reply};
use crate::tool::future::ToolFuture;

/// How often the status of a task is polled after asking another process to cancel it.
const MAX_CANCEL_POLLS: usize = 20;

/// A request about a task.
struct TaskRequest {
    call: Arc<CallState>,
    id: String,
    owner: String,
}

/// Handles the requests about tasks.
pub(crate) fn about_task(request: &Incoming<'_>, method: Method) -> Result<Reply, RpcError> {
    if request.revision.is_stateless() && !request.knows_tasks() {
        return Err(extension_missing());
    }
    let owner = request.session.owner(request.revision)?;
    let id = request.params.text(Param::TaskId)?.map(|id| id.into_owned());
    let needed = || RpcError::invalid_params("`taskId` is missing");
    let id = if method == Method::ListTasks { String::new() } else { id.ok_or_else(needed)? };
    let cursor = request.params.text(Param::Cursor)?.map(|cursor| cursor.into_owned());
    let answers = match (method, request.params.get(Param::InputResponses)) {
        (Method::UpdateTask, Some(raw)) => serde_json::from_str(raw.get())
            .map_err(|error| RpcError::invalid_params(format!("`inputResponses` is invalid: {error}")))?,
        (Method::UpdateTask, None) => return Err(RpcError::invalid_params("`tasks/update` needs `inputResponses`")),
        _ => HashMap::new(),
    };
    let call = request.begin(Target::Task, "", None)?;
    let task = TaskRequest { call: call.clone(), id, owner };
    let running = running::start(call, || {
        ToolFuture::future(async move {
            TaskAnswer(match method {
                Method::GetTask => task.get().await,
                Method::TaskResult => task.result().await,
                Method::ListTasks => task.list(cursor.as_deref()).await,
                Method::CancelTask => task.cancel().await,
                _ => task.update(answers).await,
            })
        })
    });
    Ok(Reply::Later(Later::task(running)))
}

impl TaskRequest {
    async fn get(&self) -> Result<Body, RpcError> {
        let task = self.task().await?;
        Ok(self.complete(Value::Object(task.describe_all(self.call.revision))))
    }

    /// Waits until the task has ended. Meanwhile, sends the questions of the task on the stream of this request.
    async fn result(&self) -> Result<Body, RpcError> {
        let delivery = Arc::new(());
        loop {
            let running = self.call.server().tasks.running(&self.id, &self.owner);
            let changed = running.as_ref().map(|(_, run)| run.watch());
            let task = self.task().await?;
            if task.status.is_final() {
                return result(task);
            }
            match (running, changed) {
                (Some((_, run)), Some(mut changed)) => {
                    run.deliver(&delivery, self.call.outbox());
                    // An error means that the task has ended. The next iteration sees that.
                    let _ = changed.changed().await;
                }
                // The task runs in another process: poll the store.
                _ => self.call.session.host.sleep(self.call.server().tasks.policy.poll_interval).await,
            }
        }
    }

    async fn list(&self, cursor: Option<&str>) -> Result<Body, RpcError> {
        let now = millis(self.call.session.host.date());
        let mut tasks = self.call.server().tasks.policy.store.list(&self.owner).await?;
        tasks.retain(|task| task.owner == self.owner && !task.is_expired(now));
        tasks.sort_by(|a, b| (a.created, &a.id).cmp(&(b.created, &b.id)));
        let start = match cursor {
            None => 0,
            Some(last) => {
                let unknown = || RpcError::invalid_params("invalid or expired cursor");
                tasks.iter().position(|task| task.id == last).ok_or_else(unknown)? + 1
            }
        };
        let end = start.saturating_add(self.call.server().page_size()).min(tasks.len());
        let shown: Vec<_> = tasks[start..end].iter().map(|task| task.describe(self.call.revision)).collect();
        let mut result = json!({ "tasks": shown });
        if end < tasks.len() {
            result["nextCursor"] = json!(tasks[end - 1].id);
        }
        Ok(self.complete(result))
    }

    async fn cancel(&self) -> Result<Body, RpcError> {
        let core = self.call.revision.has_core_tasks();
        if let Some((state, run)) = self.call.server().tasks.running(&self.id, &self.owner) {
            let mut changed = run.watch();
            if state.status.cancel() {
                run.cancelled().await?;
                let task = run.task().describe(self.call.revision);
                return Ok(self.complete(if core { Value::Object(task) } else { json!({}) }));
            }
            if !run.task().status.is_final() {
                // The task has just ended. Wait until its final status is saved.
                let _ = changed.changed().await;
            }
        }
        let task = self.task().await?;
        match task.status.is_final() {
            true if core => Err(over(task.status)),
            true => Ok(self.complete(json!({}))),
            false => self.cancel_in_other_process(task).await,
        }
    }

    /// Asks the process that runs the task to cancel it.
    async fn cancel_in_other_process(&self, task: Task) -> Result<Body, RpcError> {
        self.send_message(&task, TaskMessage::Cancel).await?;
        if !self.call.revision.has_core_tasks() {
            return Ok(self.complete(json!({})));
        }
        // In this revision the response contains the cancelled task, so wait for the other process.
        for _ in 0..MAX_CANCEL_POLLS {
            self.call.session.host.sleep(self.call.server().tasks.policy.poll_interval).await;
            let task = self.task().await?;
            match task.status {
                TaskStatus::Cancelled => return Ok(self.complete(Value::Object(task.describe(self.call.revision)))),
                status if status.is_final() => return Err(over(status)),
                _ => {}
            }
        }
        Err(RpcError::new(Code::INTERNAL_ERROR, "the process that runs the task did not cancel it in time"))
    }

    /// Sends a message to the process that runs the task.
    async fn send_message(&self, task: &Task, message: TaskMessage) -> Result<(), RpcError> {
        let store = &self.call.server().tasks.policy.store;
        let unsupported = "the task runs in another process, and the task store does not support messages between processes";
        let messages = store.messages().ok_or_else(|| RpcError::new(Code::INTERNAL_ERROR, unsupported))?;
        Ok(messages.send(task, message).await?)
    }

    async fn update(&self, answers: HashMap<String, Box<serde_json::value::RawValue>>) -> Result<Body, RpcError> {
        match self.call.server().tasks.running(&self.id, &self.owner) {
            Some((_, run)) => run.answer(answers).await?,
            None => {
                let task = self.task().await?;
                if !task.status.is_final() {
                    self.send_message(&task, TaskMessage::Answers(answers)).await?;
                }
            }
        }
        Ok(self.complete(json!({})))
    }

    /// Returns the task, if it exists and belongs to the owner of this request.
    async fn task(&self) -> Result<Task, RpcError> {
        let server = self.call.server();
        if let Some((_, run)) = server.tasks.running(&self.id, &self.owner) {
            return Ok(run.task());
        }
        let now = millis(self.call.session.host.date());
        let task = server.tasks.policy.store.load(&self.id).await?;
        task.filter(|task| task.owner == self.owner && !task.is_expired(now))
            .ok_or_else(|| RpcError::invalid_params("unknown or expired task"))
    }

    fn complete(&self, result: Value) -> Body {
        body(Ok(result), &self.call)
    }
}

/// Returns the result of a task that has ended.
fn result(task: Task) -> Result<Body, RpcError> {
    match task.outcome {
        Some(TaskOutcome::Result(json)) => Ok(Body::Json(json.get().into())),
        Some(TaskOutcome::Error(error)) => Err(error),
        None => Err(RpcError::invalid_params("the task was cancelled and has no result")),
    }
}

fn over(status: TaskStatus) -> RpcError {
    RpcError::invalid_params(format!("the task has already ended with status {}", json!(status)))
}
