//! Requests about tasks.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::date::millis;
use super::mail::TaskLetter;
use super::record::{Task, TaskOutcome, TaskStatus};
use super::{TaskAnswer, extension_missing};
use crate::call::running;
use crate::call::state::{CallState, Target};
use crate::jsonrpc::methods::Method;
use crate::jsonrpc::params::Param;
use crate::jsonrpc::{Body, Code, RpcError};
use crate::protocol::ClientCapabilities;
use crate::session::incoming::{Incoming, body};
use crate::session::reply::{Later, Reply};
use crate::tool::future::ToolFuture;

/// How often one looks whether another process has cancelled a task.
const LOOKS: usize = 20;

/// A request about a task, on its way.
struct Inquiry {
    call: Arc<CallState>,
    id: String,
    owner: String,
}

impl Incoming<'_> {
    /// Whether the client follows tasks, in a stateless revision.
    pub(crate) fn knows_tasks(&self) -> bool {
        ClientCapabilities::parse(self.meta.client_capabilities).can_follow_tasks()
    }

    pub(crate) fn about_task(&self, method: Method) -> Result<Reply, RpcError> {
        if self.revision.is_stateless() && !self.knows_tasks() {
            return Err(extension_missing());
        }
        let owner = self.session.owner(self.revision)?;
        let id = self.params.text(Param::TaskId)?.map(|id| id.into_owned());
        let needed = || RpcError::invalid_params("a `taskId` is needed");
        let id = if method == Method::ListTasks { String::new() } else { id.ok_or_else(needed)? };
        let cursor = self.params.text(Param::Cursor)?.map(|cursor| cursor.into_owned());
        let answers = match (method, self.params.get(Param::InputResponses)) {
            (Method::UpdateTask, Some(raw)) => serde_json::from_str(raw.get())
                .map_err(|error| RpcError::invalid_params(format!("`inputResponses` cannot be read: {error}")))?,
            (Method::UpdateTask, None) => return Err(RpcError::invalid_params("`tasks/update` needs `inputResponses`")),
            _ => HashMap::new(),
        };
        let call = self.begin(Target::Task, "", None)?;
        let inquiry = Inquiry { call: call.clone(), id, owner };
        let running = running::start(call, || {
            ToolFuture::future(async move {
                TaskAnswer(match method {
                    Method::GetTask => inquiry.get().await,
                    Method::TaskResult => inquiry.result().await,
                    Method::ListTasks => inquiry.list(cursor.as_deref()).await,
                    Method::CancelTask => inquiry.cancel().await,
                    _ => inquiry.update(answers).await,
                })
            })
        });
        Ok(Reply::Later(Later::task(running)))
    }
}

impl Inquiry {
    async fn get(&self) -> Result<Body, RpcError> {
        let task = self.task().await?;
        Ok(self.complete(Value::Object(task.describe_all(self.call.revision))))
    }

    /// Waits until the task is over, and takes along what it has to ask meanwhile.
    async fn result(&self) -> Result<Body, RpcError> {
        let courier = Arc::new(());
        loop {
            let running = self.call.server().tasks.running(&self.id, &self.owner);
            let changed = running.as_ref().map(|(_, run)| run.watch());
            let task = self.task().await?;
            if task.status.is_final() {
                return result(task);
            }
            match (running, changed) {
                (Some((_, run)), Some(mut changed)) => {
                    run.deliver(&courier, self.call.outbox());
                    // An error says that the task is over, which the next look shows.
                    let _ = changed.changed().await;
                }
                // It runs in another process.
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
                let unknown = || RpcError::invalid_params("this cursor did not come from here, or has expired");
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
                // It has just ended, and this is about to be known.
                let _ = changed.changed().await;
            }
        }
        let task = self.task().await?;
        match task.status.is_final() {
            true if core => Err(over(task.status)),
            true => Ok(self.complete(json!({}))),
            false => self.cancel_elsewhere(task).await,
        }
    }

    /// Has the task cancelled by the process that runs it.
    async fn cancel_elsewhere(&self, task: Task) -> Result<Body, RpcError> {
        self.leave(&task, TaskLetter::Cancel).await?;
        if !self.call.revision.has_core_tasks() {
            return Ok(self.complete(json!({})));
        }
        // There the answer is the task as it stands then.
        for _ in 0..LOOKS {
            self.call.session.host.sleep(self.call.server().tasks.policy.poll_interval).await;
            let task = self.task().await?;
            match task.status {
                TaskStatus::Cancelled => return Ok(self.complete(Value::Object(task.describe(self.call.revision)))),
                status if status.is_final() => return Err(over(status)),
                _ => {}
            }
        }
        Err(RpcError::new(Code::INTERNAL_ERROR, "the process of this server that runs the task gives no answer"))
    }

    /// Leaves a letter for the process that runs the task.
    async fn leave(&self, task: &Task, letter: TaskLetter) -> Result<(), RpcError> {
        let store = &self.call.server().tasks.policy.store;
        let nowhere = "the task runs in another process of this server, and its store knows no way there";
        let mail = store.mail().ok_or_else(|| RpcError::new(Code::INTERNAL_ERROR, nowhere))?;
        Ok(mail.leave(task, letter).await?)
    }

    async fn update(&self, answers: HashMap<String, Box<serde_json::value::RawValue>>) -> Result<Body, RpcError> {
        match self.call.server().tasks.running(&self.id, &self.owner) {
            Some((_, run)) => run.answer(answers).await?,
            None => {
                let task = self.task().await?;
                if !task.status.is_final() {
                    self.leave(&task, TaskLetter::Answers(answers)).await?;
                }
            }
        }
        Ok(self.complete(json!({})))
    }

    /// The task, if it is there and whoever asks may know.
    async fn task(&self) -> Result<Task, RpcError> {
        let server = self.call.server();
        if let Some((_, run)) = server.tasks.running(&self.id, &self.owner) {
            return Ok(run.task());
        }
        let now = millis(self.call.session.host.date());
        let task = server.tasks.policy.store.load(&self.id).await?;
        task.filter(|task| task.owner == self.owner && !task.is_expired(now))
            .ok_or_else(|| RpcError::invalid_params("there is no such task, or it has expired"))
    }

    fn complete(&self, result: Value) -> Body {
        body(Ok(result), &self.call)
    }
}

/// What came out of a task that is over.
fn result(task: Task) -> Result<Body, RpcError> {
    match task.outcome {
        Some(TaskOutcome::Result(json)) => Ok(Body::Json(json.get().into())),
        Some(TaskOutcome::Error(error)) => Err(error),
        None => Err(RpcError::invalid_params("the task was cancelled, so there is no result")),
    }
}

fn over(status: TaskStatus) -> RpcError {
    RpcError::invalid_params(format!("the task is over already: it is {}", json!(status)))
}
