//! Tasks: tool calls that continue after the response to their request. Part of 2025-11-25, and an extension of 2026-07-28.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::ToolResult;
use mcp_core::protocol::Revision;
use mcp_core::task::TaskStatus;
use mcp_core::transport::RpcError;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::time::sleep;

use crate::call::Call;
use crate::client::{Client, params};
use crate::connection::Request;
use crate::error::CallError;
use crate::pages::{List, Pages};
use crate::request::{Deadline, invalid, read};

/// The default poll interval, and the limits for the server's value.
const POLL: Duration = Duration::from_secs(1);
const SHORTEST_POLL: Duration = Duration::from_millis(50);
const LONGEST_POLL: Duration = Duration::from_secs(60);

/// A call that runs as a task of the server.
///
/// Dropping this value does not cancel the task. [`Client::task`] returns another handle to it.
#[derive(Clone)]
pub struct Task {
    client: Client,
    id: String,
    /// The called tool, if it is known, so that its output can be validated.
    tool: Option<String>,
}

/// The state of a task.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TaskInfo {
    /// The id of the task.
    #[serde(rename = "taskId")]
    pub id: String,
    /// The status of the task.
    pub status: TaskStatus,
    /// A description of the status.
    #[serde(default)]
    pub status_message: Option<String>,
    /// The creation time in ISO 8601.
    #[serde(default)]
    pub created_at: Option<String>,
    #[serde(alias = "pollIntervalMs", default)]
    poll_interval: Option<f64>,
    #[serde(default)]
    result: Option<Box<RawValue>>,
    #[serde(default)]
    error: Option<RpcError>,
    #[serde(default)]
    input_requests: Map<String, Value>,
}

impl TaskInfo {
    fn poll_interval(&self) -> Duration {
        let millis = self.poll_interval.filter(|millis| millis.is_finite() && *millis >= 0.0);
        millis
            .map_or(POLL, |millis| Duration::from_secs_f64((millis / 1000.0).min(LONGEST_POLL.as_secs_f64())))
            .max(SHORTEST_POLL)
    }
}

/// The outcome of starting a call as a task.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallOrTask {
    /// The call became a task.
    Task(Task),
    /// The server sent the result without a task.
    Done(ToolResult),
}

impl Call {
    /// Starts the call as a task, for a call that may outlive this process. `ttl` is how long the server keeps the task.
    ///
    /// In 2026-07-28 the server decides whether a call becomes a task, and how long it is kept.
    ///
    /// # Errors
    /// See [`CallError`]. [`CallError::Unsupported`] if the revision has no tasks.
    pub async fn start_task(self, ttl: Option<Duration>) -> Result<CallOrTask, CallError> {
        let client = self.client.clone();
        let mut request = self.to_request()?;
        match client.revision().await? {
            Revision::V2025_11_25 => {
                let ttl = ttl.map(|ttl| json!({"ttl": u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX)}));
                request.params.insert("task".into(), ttl.unwrap_or_else(|| json!({})));
            }
            revision if revision.is_stateless() && client.shared().options.tasks => {}
            _ => {
                return Err(CallError::Unsupported(
                    "tasks are not supported by the revision of this connection, or are disabled with `without_tasks`"
                        .to_owned(),
                ));
            }
        }
        let result = client.send_within(request, &self.deadline).await?;
        match created(&result)? {
            Some(info) => Ok(CallOrTask::Task(Task { client, id: info.id, tool: Some(self.tool) })),
            None => client.check_result(&self.tool, &result).map(CallOrTask::Done),
        }
    }
}

impl Client {
    /// Returns a handle to an existing task.
    pub fn task(&self, id: impl Into<String>) -> Task {
        Task { client: self.clone(), id: id.into(), tool: None }
    }

    /// Lists the tasks of this client, page by page. Only 2025-11-25 has this list.
    pub fn tasks(&self) -> Pages<TaskInfo> {
        Pages::new(self, List { method: "tasks/list", field: "tasks", accept: Arc::new(|_, _| Ok(())) })
    }

    async fn revision(&self) -> Result<Revision, CallError> {
        self.inner().connection().await?.revision().ok_or(CallError::Closed)
    }
}

impl Task {
    /// Returns the id. Treat it as a secret: whoever knows it may read the result.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Requests the state of the task.
    ///
    /// # Errors
    /// See [`CallError`]: [`CallError::Rpc`] if the server has no such task.
    pub async fn status(&self) -> Result<TaskInfo, CallError> {
        read("tasks/get", &self.client.send(self.request("tasks/get")).await?)
    }

    /// Waits for the result of the task. Passes its questions to the handler.
    ///
    /// # Errors
    /// See [`CallError`]: [`CallError::Rpc`] if the task failed.
    pub async fn result(&self) -> Result<ToolResult, CallError> {
        let result = self.raw_result(&Deadline::default()).await?;
        self.client.check_result(self.tool.as_deref().unwrap_or_default(), &result)
    }

    /// Cancels the task.
    ///
    /// # Errors
    /// See [`CallError`]: [`CallError::Rpc`] if the task has already ended.
    pub async fn cancel(&self) -> Result<(), CallError> {
        self.client.send(self.request("tasks/cancel")).await.map(drop)
    }

    async fn raw_result(&self, deadline: &Deadline) -> Result<Box<RawValue>, CallError> {
        let stateless = self.client.revision().await?.is_stateless();
        let mut answered = HashSet::new();
        loop {
            let task: TaskInfo = self.status().await?;
            match task.status {
                _ if task.id != self.id => {
                    return Err(invalid("tasks/get", "the server sent the state of another task".to_owned()));
                }
                TaskStatus::InputRequired if stateless => self.answer(&task, &mut answered).await?,
                // The server sends the task's questions while this request waits.
                status if !stateless && (status.is_final() || status == TaskStatus::InputRequired) => {
                    return self.client.send_within(self.request("tasks/result"), deadline).await;
                }
                TaskStatus::Completed => {
                    return task
                        .result
                        .ok_or_else(|| invalid("tasks/get", "the server sent no result for a completed task".to_owned()));
                }
                TaskStatus::Failed => {
                    let failed = || RpcError::invalid_request(task.status_message.as_deref().unwrap_or("the task failed"));
                    return Err(CallError::Rpc(task.error.clone().unwrap_or_else(failed)));
                }
                TaskStatus::Cancelled => return Err(CallError::Rpc(RpcError::invalid_request("the task was cancelled"))),
                _ => {}
            }
            sleep(task.poll_interval()).await;
        }
    }

    /// Answers the questions of a task that have no answer yet.
    async fn answer(&self, task: &TaskInfo, answered: &mut HashSet<String>) -> Result<(), CallError> {
        let open = task.input_requests.iter().filter(|(key, _)| !answered.contains(*key));
        let open: Map<String, Value> = open.map(|(key, question)| (key.clone(), question.clone())).collect();
        if open.is_empty() {
            return Ok(());
        }
        answered.extend(open.keys().cloned());
        let answers = self.client.answers("tasks/get", open).await?;
        let mut update = self.request("tasks/update");
        update.params.insert("inputResponses".into(), Value::Object(answers));
        self.client.send(update).await.map(drop)
    }

    fn request(&self, method: &'static str) -> Request {
        Request::new(method, params(json!({"taskId": self.id}))).named(&self.id)
    }
}

/// Waits for the result of a call that the server has turned into a task. Any other result is returned unchanged.
pub(crate) async fn follow(client: &Client, result: Box<RawValue>, deadline: &Deadline) -> Result<Box<RawValue>, CallError> {
    let Some(info) = created(&result)? else { return Ok(result) };
    let task = Task { client: client.clone(), id: info.id, tool: None };
    let guard = CancelOnDrop(Some(task.clone()));
    tokio::select! {
        result = task.raw_result(deadline) => {
            guard.disarm();
            result
        }
        after = deadline.passes() => Err(CallError::Timeout(after)),
    }
}

/// Returns the task that a result announces, if it does.
fn created(result: &RawValue) -> Result<Option<TaskInfo>, CallError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Announced {
        #[serde(default)]
        result_type: Option<String>,
        #[serde(default)]
        task: Option<TaskInfo>,
    }
    if !result.get().contains("task") {
        return Ok(None);
    }
    let announced: Announced = read("tools/call", result)?;
    match (announced.result_type.as_deref(), announced.task) {
        (Some("task"), _) => read("tools/call", result).map(Some),
        (None, Some(task)) => Ok(Some(task)),
        _ => Ok(None),
    }
}

/// Cancels a task when its caller gives up.
struct CancelOnDrop(Option<Task>);

impl CancelOnDrop {
    fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(task) = self.0.take() {
            let runtime = task.client.shared().runtime.clone();
            runtime.spawn(async move {
                if let Err(error) = task.cancel().await {
                    tracing::debug!(%error, "a task that nobody waits for could not be cancelled");
                }
            });
        }
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The id is a secret, so it is not shown.
        f.debug_struct("Task").field("tool", &self.tool).finish_non_exhaustive()
    }
}
