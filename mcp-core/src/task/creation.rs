//! A call of a tool becomes a task.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::date::millis;
use super::mail::read_mail;
use super::record::{Task, TaskStatus};
use super::run::Run;
use super::{TaskAnswer, extension_missing, unguessable};
use crate::call::running::{self, Running};
use crate::call::state::{CallState, Target};
use crate::jsonrpc::params::Param;
use crate::jsonrpc::{Body, Code, RawJson, RpcError};
use crate::server::list::Entry;
use crate::session::incoming::Incoming;
use crate::session::reply::{Later, Reply};
use crate::task::TaskSupport;
use crate::tool::future::ToolFuture;
use crate::tool::output::ToolOutput;

/// What a client of 2025-11-25 says about the task that it wants.
#[derive(Deserialize)]
struct Wanted {
    /// For how many milliseconds it should be kept.
    ttl: Option<u64>,
}

impl Incoming<'_> {
    /// For how long the task is to be kept that a call becomes; none if it stays a call.
    pub(crate) fn task_wanted(&self, entry: &Entry) -> Result<Option<Duration>, RpcError> {
        let policy = &self.server.tasks.policy;
        let support = entry.spec.task_support;
        if self.revision.is_stateless() {
            return match support {
                TaskSupport::Forbidden => Ok(None),
                _ if self.knows_tasks() => Ok(Some(policy.ttl)),
                TaskSupport::Optional => Ok(None),
                TaskSupport::Required => Err(extension_missing()),
            };
        }
        if !self.revision.has_core_tasks() || !self.server.offers_tasks() {
            return Ok(None);
        }
        let no = |why: &str| Err(RpcError::new(Code::METHOD_NOT_FOUND, format!("`{}` {why}", entry.name())));
        match (support, self.params.get(Param::Task)) {
            (TaskSupport::Forbidden | TaskSupport::Optional, None) => Ok(None),
            (TaskSupport::Forbidden, Some(_)) => no("does not run as a task"),
            (TaskSupport::Required, None) => no("runs only as a task: call it with `task`"),
            (TaskSupport::Optional | TaskSupport::Required, Some(raw)) => {
                let wanted = wanted(raw)?.ttl.map(Duration::from_millis);
                Ok(Some(wanted.map_or(policy.ttl, |ttl| ttl.min(policy.longest_ttl))))
            }
        }
    }

    /// Answers with a handle, and lets the call go on beside everything else.
    pub(crate) fn call_as_task(&self, index: usize, arguments: RawJson<'_>, ttl: Duration) -> Result<Reply, RpcError> {
        let request = self.begin(Target::Task, "", None)?;
        // One that is refused now has nobody to work on it, and to forget it in the end.
        let forget = |_: &RpcError| self.session.0.inflight.forget(&request.id, &request);
        let (state, task) = self.new_task(index, &request, ttl).inspect_err(forget)?;
        let entry = &self.server.registry.tools.entries()[index];
        let work = running::start(state.clone(), || self.work(entry, arguments, state.clone()));
        let run = Arc::new(Run::new(self.server.clone(), state.session.clone(), self.revision, task));
        let creation = running::start(request, || ToolFuture::future(create(run, state, work)));
        Ok(Reply::Later(Later::task(creation)))
    }

    /// A task that nobody works on yet, and the call that it is.
    fn new_task(&self, index: usize, request: &Arc<CallState>, ttl: Duration) -> Result<(Arc<CallState>, Task), RpcError> {
        let state = self.task_state(index, request)?;
        let now = millis(state.session.host.date());
        let task = Task {
            id: unguessable()?,
            owner: self.session.owner(self.revision)?,
            status: TaskStatus::Working,
            message: None,
            created: now,
            updated: now,
            ttl: u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX),
            poll_interval: u64::try_from(self.server.tasks.policy.poll_interval.as_millis()).unwrap_or(u64::MAX),
            questions: Default::default(),
            outcome: None,
        };
        state.relate_to(&task.id);
        Ok((state, task))
    }
}

fn wanted(raw: RawJson<'_>) -> Result<Wanted, RpcError> {
    raw.decode().map_err(|error| RpcError::invalid_params(format!("`task` cannot be read: {error}")))
}

/// Keeps the task, sets it going and gives out its handle.
async fn create(run: Arc<Run>, state: Arc<CallState>, mut work: Running<ToolOutput>) -> TaskAnswer {
    let mut early = None;
    if state.revision.is_stateless() && state.tool().spec.asks_first {
        // What it asks now is asked in answer to the request; only then there is a task.
        let first = poll_fn(|task| Poll::Ready(Pin::new(&mut work).poll(task))).await;
        match first.map(|response| response.map(|response| response.body)) {
            Poll::Ready(Some(questions @ Body::Json(_))) => return TaskAnswer(Ok(questions)),
            Poll::Ready(Some(done)) => early = Some(done),
            Poll::Ready(None) | Poll::Pending => {}
        }
    }
    let _ = state.details_or_default().task.set(run.clone());
    if let Err(error) = run.save().await {
        return TaskAnswer(Err(error.into()));
    }
    let handle = handle(&run.task(), &state);
    match early {
        Some(done) => run.finish(done).await,
        None => {
            state.server().tasks.admit(&run.task().id, &state);
            state.session.host.spawn(Box::pin(work_on(run, state.clone(), work)));
        }
    }
    TaskAnswer(Ok(handle))
}

/// What a client gets at once.
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

/// Works on the task until it is over: done, cancelled, or out of time.
async fn work_on(run: Arc<Run>, state: Arc<CallState>, mut work: Running<ToolOutput>) {
    let _admitted = Admitted(state.clone(), run.task().id);
    let mut expiry = state.session.host.sleep(run.task().time_left(millis(state.session.host.date())));
    let mut mail = pin!(read_mail(run.clone(), state.clone()));
    let outcome = poll_fn(|task| {
        // It never ends: what it reads shows in the work.
        let _ = mail.as_mut().poll(task);
        if let Poll::Ready(response) = Pin::new(&mut work).poll(task) {
            return Poll::Ready(Some(response));
        }
        expiry.as_mut().poll(task).map(|()| None)
    })
    .await;
    match outcome {
        Some(Some(response)) => run.finish(response.body).await,
        Some(None) => {
            // Mostly whoever cancelled it has said so; but they may be gone.
            if let Err(error) = run.cancelled().await {
                tracing::error!(%error, "that a task was cancelled could not be saved");
            }
        }
        None => {
            state.status.cancel();
            run.expire().await;
        }
    }
}

/// A task among those that run here, until this is dropped.
struct Admitted(Arc<CallState>, String);

impl Drop for Admitted {
    fn drop(&mut self) {
        self.0.server().tasks.dismiss(&self.1);
    }
}
