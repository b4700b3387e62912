//! Runs a call and handles every way it can end: it returns, panics, times out, is cancelled or dropped.

use std::fmt;
use std::future::Future;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::thread;
use std::time::Instant;

use tokio::sync::oneshot;

use crate::call::output_check::Product;
use crate::call::state::CallState;
use crate::call::trace;
use crate::host::BoxFuture;
use crate::jsonrpc::{Body, Response};
use crate::tool::future::{ToolFuture, Work};
use crate::tool::result::ToolResult;

/// The error message if the host dropped the job without running it.
const CALL_NOT_RUN: &str = "the call was not run: the server is shutting down, or all its threads are busy; retry later";

/// A running call: a future that returns the response, or `None` if the call was cancelled.
pub(crate) struct Running<T: Product> {
    state: Arc<CallState>,
    stage: Stage<T>,
    /// Created only if the call is pending after its first poll.
    timers: Option<Box<Timers>>,
}

/// The timers of a pending call.
#[derive(Default)]
struct Timers {
    deadline: Option<BoxFuture<()>>,
    /// The time at which a progress notification is due, and the timer for it.
    progress: Option<(Instant, BoxFuture<()>)>,
}

enum Stage<T> {
    /// Boxed: rare variant, keeps `Running` small.
    Ready(Box<T>),
    Future(BoxFuture<T>),
    /// Not started yet. The first poll passes it to the host.
    Blocking(Box<dyn FnOnce() -> T + Send>),
    /// Given to the host, which runs it on a thread of its choice.
    OnHost(oneshot::Receiver<thread::Result<T>>),
    Done,
}

/// Starts a call. A panic in `begin` becomes an error result, like a panic later in the call.
#[inline]
pub(crate) fn start<T: Product>(state: Arc<CallState>, begin: impl FnOnce() -> ToolFuture<T>) -> Running<T> {
    let calling = trace::within(&state.span, || match catch_unwind(AssertUnwindSafe(begin)) {
        Ok(calling) => calling,
        Err(_) => ToolFuture::ready(panicked(&state)),
    });
    Running::new(state, calling)
}

impl<T: Product> Running<T> {
    #[inline]
    fn new(state: Arc<CallState>, calling: ToolFuture<T>) -> Running<T> {
        let stage = match calling.work {
            Work::Ready(result) => Stage::Ready(Box::new(result)),
            Work::Future(future) => Stage::Future(future),
            Work::Blocking(work) => Stage::Blocking(work),
        };
        Running { state, stage, timers: None }
    }

    /// Polls the work. Returns its output or its panic.
    fn poll_work(&mut self, task: &mut TaskContext<'_>) -> Poll<thread::Result<T>> {
        if matches!(self.stage, Stage::Blocking(_) | Stage::Ready(_)) {
            match mem::replace(&mut self.stage, Stage::Done) {
                Stage::Ready(result) => return Poll::Ready(Ok(*result)),
                Stage::Blocking(work) => self.stage = Stage::OnHost(run_on_host(work, &self.state)),
                _ => unreachable!("it was one of the two"),
            }
        }
        match &mut self.stage {
            Stage::Future(future) => match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(task))) {
                Ok(poll) => poll.map(Ok),
                Err(panic) => Poll::Ready(Err(panic)),
            },
            Stage::OnHost(receiver) => Pin::new(receiver)
                .poll(task)
                .map(|outcome| outcome.unwrap_or_else(|_| Ok(T::failure(CALL_NOT_RUN.to_owned())))),
            Stage::Ready(_) | Stage::Blocking(_) | Stage::Done => Poll::Pending,
        }
    }

    /// Returns whether the tool has timed out. The timeout starts with the first poll that finds the tool pending.
    fn poll_deadline(&mut self, task: &mut TaskContext<'_>) -> bool {
        let Some(timeout) = self.state.timeout() else {
            return false;
        };
        let timers = self.timers.get_or_insert_default();
        let deadline = timers.deadline.get_or_insert_with(|| self.state.session.host.sleep(timeout));
        deadline.as_mut().poll(task).is_ready()
    }

    /// Sends the held progress report or heartbeat when it is due.
    fn poll_progress(&mut self, task: &mut TaskContext<'_>) {
        loop {
            let Some((due, wait)) = self.state.send_due_progress() else {
                if let Some(timers) = &mut self.timers {
                    timers.progress = None;
                }
                return;
            };
            let timers = self.timers.get_or_insert_default();
            // The due time may have changed since the last poll, also to an earlier time.
            let mut timer = match timers.progress.take() {
                Some((at, timer)) if at == due => timer,
                _ => self.state.session.host.sleep(wait),
            };
            if timer.as_mut().poll(task).is_pending() {
                timers.progress = Some((due, timer));
                return;
            }
        }
    }

    /// Drops the work of the tool and removes the call from the session. A panic in a destructor of the tool is caught.
    fn release(&mut self) {
        let stage = mem::replace(&mut self.stage, Stage::Done);
        if catch_unwind(AssertUnwindSafe(|| drop(stage))).is_err() {
            tracing::error!(name = self.state.name(), "a call panicked while it was dropped");
        }
        self.state.release_share();
        self.state.session.inflight.forget(&self.state.id, &self.state);
    }

    /// Polls the call in its span.
    fn poll_in_span(&mut self, task: &mut TaskContext<'_>) -> Poll<Option<Response>> {
        if self.state.status.is_stopped() {
            self.release();
            return Poll::Ready(None);
        }
        if let Poll::Ready(outcome) = self.poll_work(task) {
            let result = outcome.unwrap_or_else(|_| panicked(&self.state));
            self.state.flush_progress();
            let answered = self.state.status.answer();
            self.release();
            return Poll::Ready(answered.then(|| self.respond(result)));
        }
        if let Some(questions) = self.state.input_required() {
            let answered = self.state.status.answer();
            self.release();
            return Poll::Ready(answered.then(|| Response::new(self.state.id.clone(), questions)));
        }
        if self.poll_deadline(task) {
            let timeout = self.state.timeout().unwrap_or_default();
            let expired = self.state.status.expire();
            self.release();
            let result = T::failure(format!("`{}` did not finish within {timeout:?}", self.state.name()));
            return Poll::Ready(expired.then(|| self.respond(result)));
        }
        self.poll_progress(task);
        if self.state.status.register(task.waker()) {
            return Poll::Pending;
        }
        // The call was cancelled during this poll.
        self.release();
        Poll::Ready(None)
    }

    fn respond(&self, result: T) -> Response {
        let missing = if result.is_failure() { self.state.missing_capability() } else { None };
        let body = missing.map_or_else(|| result.into_body(&self.state), Body::Error);
        trace::record(&self.state.span, &body);
        Response::new(self.state.id.clone(), body)
    }
}

/// All futures inside are boxed, so moving `Running` does not move them.
impl<T: Product> Unpin for Running<T> {}

impl<T: Product> Future for Running<T> {
    type Output = Option<Response>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Option<Response>> {
        if self.state.span.is_disabled() {
            return self.poll_in_span(task);
        }
        let span = self.state.span.clone();
        span.in_scope(|| self.poll_in_span(task))
    }
}

impl<T: Product> Drop for Running<T> {
    fn drop(&mut self) {
        if !matches!(self.stage, Stage::Done) {
            self.state.status.cancel();
            self.release();
        }
    }
}

impl<T: Product> fmt::Debug for Running<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("name", &self.state.name()).field("id", &self.state.id).finish_non_exhaustive()
    }
}

/// Returns the output for a call that panicked. It does not contain the panic message, which may hold secrets: that is in
/// the log.
fn panicked<T: Product>(state: &CallState) -> T {
    tracing::error!(name = state.name(), "a call panicked");
    T::failure(format!("`{}` panicked; the server's log has the reason", state.name()))
}

/// Waits for the work of a call, without timeout, progress or cancellation. For hooks, whose own call handles these.
pub(crate) async fn finish(calling: ToolFuture, state: &Arc<CallState>) -> ToolResult {
    match calling.work {
        Work::Ready(output) => output,
        Work::Future(future) => future.await,
        Work::Blocking(work) => match run_on_host(work, state).await {
            Ok(Ok(output)) => output,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => ToolResult::error(CALL_NOT_RUN),
        },
    }
}

/// Passes work that may block to the host.
pub(crate) fn run_on_host<T: Send + 'static>(
    work: Box<dyn FnOnce() -> T + Send>,
    state: &Arc<CallState>,
) -> oneshot::Receiver<thread::Result<T>> {
    let (sender, receiver) = oneshot::channel();
    let (share, span) = (state.share(), state.span.clone());
    state.session.host.run_blocking(Box::new(move || {
        // The job owns the arguments until it ends, also after a cancellation, so the call counts until then.
        let _share = share;
        // Skip the work if the call was cancelled while the job waited for a thread.
        if !sender.is_closed() {
            let _ = sender.send(span.in_scope(|| catch_unwind(AssertUnwindSafe(work))));
        }
    }));
    receiver
}
