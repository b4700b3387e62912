//! The creation of a task from a tool call.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::date::millis;
use super::messages::poll_messages;
use super::record::{Task, TaskStatus};
use super::run::Run;
use super::{TaskAnswer, extension_missing};
use crate::call::running::{self, Running};
use crate::call::state::{CallState, Target};
use crate::jsonrpc::params::Param;
use crate::jsonrpc::{Body, Code, RawJson, RpcError};
use crate::random_id::random_id;
use crate::server::list::Entry;
use crate::session::incoming::{Incoming, start_tool};
use crate::session::reply::{Later, Reply};
use crate::task::TaskSupport;
use crate::tool::future::ToolFuture;
use crate::tool::result::ToolResult;

/// The `task` parameter of a call in revision 2025-11-25.
#[derive(Deserialize)]
struct Wanted {
    /// How long the task should be stored, in milliseconds.
    ttl: Option<u64>,
}

/// Decides whether a call runs as a task. Returns how long the task is stored, or `None` for a normal call.
pub(crate) fn task_wanted(request: &Incoming<'_>, entry: &Entry) -> Result<Option<Duration>, RpcError> {
    let policy = &request.server.tasks.policy;
    let support = entry.spec.task_support;
    if request.revision.is_stateless() {
        return match support {
            TaskSupport::Forbidden => Ok(None),
            _ if request.knows_tasks() => Ok(Some(policy.ttl)),
            TaskSupport::Optional => Ok(None),
            TaskSupport::Required => Err(extension_missing()),
        };
    }
    if !request.revision.has_core_tasks() || !request.server.offers_tasks() {
        return Ok(None);
    }
    let no = |why: &str| Err(RpcError::new(Code::METHOD_NOT_FOUND, format!("`{}` {why}", entry.name())));
    match (support, request.params.get(Param::Task)) {
        (TaskSupport::Forbidden | TaskSupport::Optional, None) => Ok(None),
        (TaskSupport::Forbidden, Some(_)) => no("does not run as a task"),
        (TaskSupport::Required, None) => no("runs only as a task: call it with `task`"),
        (TaskSupport::Optional | TaskSupport::Required, Some(raw)) => {
            let wanted = wanted(raw)?.ttl.map(Duration::from_millis);
            Ok(Some(wanted.map_or(policy.ttl, |ttl| ttl.min(policy.longest_ttl))))
        }
    }
}

/// Starts the call as a task and replies with its handle. The call continues in the background.
pub(crate) fn call_as_task(
    request: &Incoming<'_>,
    index: usize,
    arguments: RawJson<'_>,
    ttl: Duration,
) -> Result<Reply, RpcError> {
    let call = request.begin(Target::Task, "", None)?;
    // No future runs for a request that fails here, so remove it from the in-flight table by hand.
    let forget = |_: &RpcError| request.session.shared.inflight.forget(&call.id, &call);
    let (state, task) = new_task(request, index, &call, ttl).inspect_err(forget)?;
    let entry = &request.server.registry.tools.entries()[index];
    let work = running::start(state.clone(), || start_tool(request, entry, arguments, state.clone()));
    let run = Arc::new(Run::new(request.server.clone(), state.session.clone(), request.revision, task));
    let creation = running::start(call, || ToolFuture::future(create(run, state, work)));
    Ok(Reply::Later(Later::task(creation)))
}

/// Creates a task that is not running yet, and the state of its call.
fn new_task(
    request: &Incoming<'_>,
    index: usize,
    call: &Arc<CallState>,
    ttl: Duration,
) -> Result<(Arc<CallState>, Task), RpcError> {
    let state = request.task_state(index, call)?;
    let now = millis(state.session.host.date());
    let task = Task {
        id: random_id()?,
        owner: request.session.owner(request.revision)?,
        status: TaskStatus::Working,
        message: None,
        created: now,
        updated: now,
        ttl: u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX),
        poll_interval: u64::try_from(request.server.tasks.policy.poll_interval.as_millis()).unwrap_or(u64::MAX),
        questions: Default::default(),
        outcome: None,
    };
    state.relate_to(&task.id);
    Ok((state, task))
}

fn wanted(raw: RawJson<'_>) -> Result<Wanted, RpcError> {
    raw.decode().map_err(|error| RpcError::invalid_params(format!("`task` is invalid: {error}")))
}

/// Saves the task, starts it and returns its handle.
async fn create(run: Arc<Run>, state: Arc<CallState>, mut work: Running<ToolResult>) -> TaskAnswer {
    let mut early = None;
    if state.revision.is_stateless() && state.tool().spec.asks_first {
        // Questions that the tool asks in its first poll are the answer to this request. The task is created when the client
        // calls again with the answers.
        let first = poll_fn(|task| Poll::Ready(Pin::new(&mut work).poll(task))).await;
        match first.map(|response| response.map(|response| response.body)) {
            Poll::Ready(Some(questions @ Body::Json(_))) => return TaskAnswer(Ok(questions)),
            Poll::Ready(Some(done)) => early = Some(done),
            Poll::Ready(None) | Poll::Pending => {}
        }
    }
    let _ = state.task.set(run.clone());
    if let Err(error) = run.save().await {
        return TaskAnswer(Err(error.into()));
    }
    let handle = handle(&run.task(), &state);
    match early {
        Some(done) => run.finish(done).await,
        None => {
            state.server().tasks.insert(&run.task().id, &state);
            state.session.host.spawn(Box::pin(run_task(run, state.clone(), work)));
        }
    }
    TaskAnswer(Ok(handle))
}

/// Returns the handle of a task: the result of the call that created it.
fn handle(task: &Task, state: &CallState) -> Body {
    let wire = task.describe(state.revision);
    if state.revision.has_core_tasks() {
        return Body::Json(json!({ "task": wire }).to_string().into());
    }
    let mut result = Value::Object(wire);
    result["resultType"] = json!("task");
    result["_meta"] = serde_json::from_str(state.server().stamp()).expect("written as JSON");
    Body::Json(result.to_string().into())
}

/// Runs the task until it is finished, cancelled or expired.
async fn run_task(run: Arc<Run>, state: Arc<CallState>, mut work: Running<ToolResult>) {
    let _registered = Registered { state: state.clone(), id: run.task().id };
    let mut expiry = state.session.host.sleep(run.task().time_left(millis(state.session.host.date())));
    let mut messages = pin!(poll_messages(run.clone(), state.clone()));
    let outcome = poll_fn(|task| {
        // This future never ends. Its effects reach the task through the state of the call.
        let _ = messages.as_mut().poll(task);
        if let Poll::Ready(response) = Pin::new(&mut work).poll(task) {
            return Poll::Ready(Some(response));
        }
        expiry.as_mut().poll(task).map(|()| None)
    })
    .await;
    match outcome {
        Some(Some(response)) => run.finish(response.body).await,
        Some(None) => {
            // The request that cancelled the task saves the status too, unless it was dropped first.
            if let Err(error) = run.cancelled().await {
                tracing::error!(%error, "the status of a cancelled task could not be saved");
            }
        }
        None => {
            state.status.cancel();
            run.expire().await;
        }
    }
}

/// Removes a task from the running tasks of this process when dropped.
struct Registered {
    state: Arc<CallState>,
    id: String,
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.state.server().tasks.remove(&self.id);
    }
}
