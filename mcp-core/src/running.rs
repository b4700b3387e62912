//! A call at work, and everything that can happen to it: it ends, panics, takes too long, is cancelled or dropped.

use std::fmt;
use std::future::Future;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::thread;

use tokio::sync::oneshot;

use crate::context::CallState;
use crate::host::{BoxFuture, Host};
use crate::jsonrpc::{Body, Response};
use crate::listing::Entry;
use crate::result::ToolResult;
use crate::tool::{Calling, Work};

/// A call at work. Ready with its response, or with none when it was cancelled.
pub(crate) struct Running {
    state: Arc<CallState>,
    stage: Stage,
    deadline: Option<BoxFuture<()>>,
    pacer: Option<BoxFuture<()>>,
}

enum Stage {
    Ready(ToolResult),
    Future(BoxFuture<ToolResult>),
    /// Not begun: the host decides at the first poll where it runs.
    Blocking(Box<dyn FnOnce() -> ToolResult + Send>),
    Elsewhere(oneshot::Receiver<thread::Result<ToolResult>>),
    Done,
}

impl Running {
    pub(crate) fn new(state: Arc<CallState>, calling: Calling) -> Running {
        let stage = match calling.0 {
            Work::Ready(result) => Stage::Ready(result),
            Work::Future(future) => Stage::Future(future),
            Work::Blocking(work) => Stage::Blocking(work),
        };
        Running { state, stage, deadline: None, pacer: None }
    }

    /// The tool's result, or its panic.
    fn poll_tool(&mut self, task: &mut TaskContext<'_>) -> Poll<thread::Result<ToolResult>> {
        if matches!(self.stage, Stage::Blocking(_))
            && let Stage::Blocking(work) = mem::replace(&mut self.stage, Stage::Done)
        {
            self.stage = Stage::Elsewhere(begin(work, &*self.state.session.host));
        }
        match &mut self.stage {
            Stage::Ready(result) => Poll::Ready(Ok(mem::take(result))),
            Stage::Future(future) => match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(task))) {
                Ok(poll) => poll.map(Ok),
                Err(panic) => Poll::Ready(Err(panic)),
            },
            Stage::Elsewhere(receiver) => Pin::new(receiver).poll(task).map(|outcome| {
                outcome.unwrap_or_else(|_| Ok(ToolResult::error("the server is shutting down and did not run the tool")))
            }),
            Stage::Blocking(_) | Stage::Done => Poll::Pending,
        }
    }

    /// Whether the tool's time is up. The clock starts with the first poll that finds the tool unfinished.
    fn poll_deadline(&mut self, task: &mut TaskContext<'_>) -> bool {
        let Some(timeout) = self.state.entry().spec.timeout else {
            return false;
        };
        let deadline = self.deadline.get_or_insert_with(|| self.state.session.host.sleep(timeout));
        deadline.as_mut().poll(task).is_ready()
    }

    /// Sends progress that was held back when its time has come.
    fn poll_progress(&mut self, task: &mut TaskContext<'_>) {
        loop {
            let Some(wait) = self.state.pace_progress() else {
                self.pacer = None;
                return;
            };
            let pacer = self.pacer.get_or_insert_with(|| self.state.session.host.sleep(wait));
            if pacer.as_mut().poll(task).is_pending() {
                return;
            }
            self.pacer = None;
        }
    }

    /// Lets go of the tool. What it drops may panic, and that is nobody's end but its own.
    fn release(&mut self) {
        let stage = mem::replace(&mut self.stage, Stage::Done);
        if catch_unwind(AssertUnwindSafe(|| drop(stage))).is_err() {
            tracing::error!(tool = self.state.entry().name(), "the tool panicked while it was dropped");
        }
        self.state.session.inflight.remove(&self.state.id);
    }

    fn respond(&self, result: ToolResult) -> Response {
        let (revision, server) = (self.state.revision, self.state.server.clone());
        let wrap = self.state.entry().wraps_output;
        let result = server.limits().fit(result);
        Response::new(self.state.id.clone(), Body::Tool { result, revision, wrap, server })
    }
}

impl Future for Running {
    type Output = Option<Response>;

    fn poll(mut self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Option<Response>> {
        let this = &mut *self;
        if this.state.fate.is_stopped() {
            this.release();
            return Poll::Ready(None);
        }
        if let Poll::Ready(outcome) = this.poll_tool(task) {
            let result = outcome.unwrap_or_else(|_| panicked(this.state.entry()));
            let result = checked(this.state.entry(), result);
            this.state.flush_progress();
            let answered = this.state.fate.answer();
            this.release();
            return Poll::Ready(answered.then(|| this.respond(result)));
        }
        if this.poll_deadline(task) {
            let timeout = this.state.entry().spec.timeout.unwrap_or_default();
            let expired = this.state.fate.expire();
            this.release();
            let result = ToolResult::error(format!("the tool did not finish within {timeout:?}"));
            return Poll::Ready(expired.then(|| this.respond(result)));
        }
        this.poll_progress(task);
        this.state.fate.register(task.waker());
        // A cancel between the look above and the registration would otherwise wake nobody.
        if this.state.fate.is_stopped() {
            this.release();
            return Poll::Ready(None);
        }
        Poll::Pending
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.stage, Stage::Done) {
            self.state.fate.cancel();
            self.release();
        }
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running")
            .field("tool", &self.state.entry().name())
            .field("id", &self.state.id)
            .finish_non_exhaustive()
    }
}

/// What the client is told of a panic: that there was one. Its text may hold anything, and is for the log alone.
pub(crate) fn panicked(entry: &Entry) -> ToolResult {
    tracing::error!(tool = entry.name(), "the tool panicked");
    ToolResult::error("the tool failed: it panicked, and the server's log says why")
}

/// In debug builds, turns output that breaks the tool's own promise into an error: clients would refuse it less plainly.
fn checked(entry: &Entry, result: ToolResult) -> ToolResult {
    let Some(schema) = entry.spec.output.as_ref().filter(|_| cfg!(debug_assertions) && !result.is_error) else {
        return result;
    };
    let outcome = match &result.structured {
        Some(output) => schema.check(output),
        None => Err("- there is no structured content".to_owned()),
    };
    match outcome {
        Ok(()) => result,
        Err(violations) => {
            tracing::error!(tool = entry.name(), "the output does not match the output schema:\n{violations}");
            ToolResult::error(format!("the tool's output does not match its output schema:\n{violations}"))
        }
    }
}

/// Waits for the work of a call without watching over it: for hooks, whose own call is watched.
pub(crate) async fn finish(calling: Calling, host: &dyn Host) -> ToolResult {
    match calling.0 {
        Work::Ready(result) => result,
        Work::Future(future) => future.await,
        Work::Blocking(work) => match begin(work, host).await {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => ToolResult::error("the server is shutting down and did not run the tool"),
        },
    }
}

/// Gives work that may block to the host.
fn begin(work: Box<dyn FnOnce() -> ToolResult + Send>, host: &dyn Host) -> oneshot::Receiver<thread::Result<ToolResult>> {
    let (sender, receiver) = oneshot::channel();
    host.run_blocking(Box::new(move || {
        // A call that was cancelled while its work waited for a thread needs no work any more.
        if !sender.is_closed() {
            let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
        }
    }));
    receiver
}
