//! A call at work, and everything that can happen to it: it ends, panics, takes too long, is cancelled or dropped.

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

/// What a client is told when the host let go of the work.
const UNRUN: &str =
    "this was not run: the server is ending, or all its threads are taken by calls that go on; try again later";

/// A call at work. Ready with its response, or with none when it was cancelled.
pub(crate) struct Running<T: Product> {
    state: Arc<CallState>,
    stage: Stage<T>,
    /// Made only for a call that waits.
    timers: Option<Box<Timers>>,
}

/// What a call that waits is woken by, beside its own work.
#[derive(Default)]
struct Timers {
    deadline: Option<BoxFuture<()>>,
    /// When progress is due, and the wait for it.
    pacer: Option<(Instant, BoxFuture<()>)>,
}

enum Stage<T> {
    /// In a box, since few calls are over before they begin, and all are moved.
    Ready(Box<T>),
    Future(BoxFuture<T>),
    /// Not begun: the host decides at the first poll where it runs.
    Blocking(Box<dyn FnOnce() -> T + Send>),
    Elsewhere(oneshot::Receiver<thread::Result<T>>),
    Done,
}

/// Starts a call; code that panics before its work begins gives a result like any other panic.
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
        let stage = match calling.0 {
            Work::Ready(result) => Stage::Ready(Box::new(result)),
            Work::Future(future) => Stage::Future(future),
            Work::Blocking(work) => Stage::Blocking(work),
        };
        Running { state, stage, timers: None }
    }

    /// What comes out, or a panic.
    fn poll_work(&mut self, task: &mut TaskContext<'_>) -> Poll<thread::Result<T>> {
        if matches!(self.stage, Stage::Blocking(_) | Stage::Ready(_)) {
            match mem::replace(&mut self.stage, Stage::Done) {
                Stage::Ready(result) => return Poll::Ready(Ok(*result)),
                Stage::Blocking(work) => self.stage = Stage::Elsewhere(begin(work, &self.state)),
                _ => unreachable!("it was one of the two"),
            }
        }
        match &mut self.stage {
            Stage::Future(future) => match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(task))) {
                Ok(poll) => poll.map(Ok),
                Err(panic) => Poll::Ready(Err(panic)),
            },
            Stage::Elsewhere(receiver) => {
                Pin::new(receiver).poll(task).map(|outcome| outcome.unwrap_or_else(|_| Ok(T::failure(UNRUN.to_owned()))))
            }
            Stage::Ready(_) | Stage::Blocking(_) | Stage::Done => Poll::Pending,
        }
    }

    /// Whether the tool's time is up. The clock starts with the first poll that finds the tool unfinished.
    fn poll_deadline(&mut self, task: &mut TaskContext<'_>) -> bool {
        let Some(timeout) = self.state.timeout() else {
            return false;
        };
        let timers = self.timers.get_or_insert_default();
        let deadline = timers.deadline.get_or_insert_with(|| self.state.session.host.sleep(timeout));
        deadline.as_mut().poll(task).is_ready()
    }

    /// Sends progress that was held back, or a sign of life, when its time has come.
    fn poll_progress(&mut self, task: &mut TaskContext<'_>) {
        loop {
            let Some((due, wait)) = self.state.pace_progress() else {
                if let Some(timers) = &mut self.timers {
                    timers.pacer = None;
                }
                return;
            };
            let timers = self.timers.get_or_insert_default();
            // What is due may have changed since the last poll, to an earlier time too.
            let mut pacer = match timers.pacer.take() {
                Some((at, pacer)) if at == due => pacer,
                _ => self.state.session.host.sleep(wait),
            };
            if pacer.as_mut().poll(task).is_pending() {
                timers.pacer = Some((due, pacer));
                return;
            }
        }
    }

    /// Lets go of the tool. What it drops may panic, and that is nobody's end but its own.
    fn release(&mut self) {
        let stage = mem::replace(&mut self.stage, Stage::Done);
        if catch_unwind(AssertUnwindSafe(|| drop(stage))).is_err() {
            tracing::error!(name = self.state.name(), "a call panicked while it was dropped");
        }
        self.state.let_go();
        self.state.session.inflight.forget(&self.state.id, &self.state);
    }

    /// Looks after the call once: whether it has ended, and if not, what has to happen meanwhile.
    fn go_on(&mut self, task: &mut TaskContext<'_>) -> Poll<Option<Response>> {
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
        self.state.status.register(task.waker());
        // A cancel between the look above and the registration would otherwise wake nobody.
        if self.state.status.is_stopped() {
            self.release();
            return Poll::Ready(None);
        }
        Poll::Pending
    }

    fn respond(&self, result: T) -> Response {
        let missing = if result.is_failure() { self.state.missing_capability() } else { None };
        let body = missing.map_or_else(|| result.into_body(&self.state), Body::Error);
        trace::record(&self.state.span, &body);
        Response::new(self.state.id.clone(), body)
    }
}

/// What it holds is pinned in boxes of its own.
impl<T: Product> Unpin for Running<T> {}

impl<T: Product> Future for Running<T> {
    type Output = Option<Response>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Option<Response>> {
        if self.state.span.is_disabled() {
            return self.go_on(task);
        }
        let span = self.state.span.clone();
        span.in_scope(|| self.go_on(task))
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

/// What the client is told of a panic: that there was one. Its text may hold anything, and is for the log alone.
fn panicked<T: Product>(state: &CallState) -> T {
    tracing::error!(name = state.name(), "a call panicked");
    T::failure(format!("`{}` failed: it panicked, and the server's log says why", state.name()))
}

/// Waits for the work of a call without watching over it: for hooks, whose own call is watched.
pub(crate) async fn finish(calling: ToolFuture, state: &Arc<CallState>) -> ToolResult {
    match calling.0 {
        Work::Ready(output) => output.into(),
        Work::Future(future) => future.await.into(),
        Work::Blocking(work) => match begin(work, state).await {
            Ok(Ok(output)) => output.into(),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => ToolResult::error(UNRUN),
        },
    }
}

/// Gives work that may block to the host.
fn begin<T: Send + 'static>(
    work: Box<dyn FnOnce() -> T + Send>,
    state: &Arc<CallState>,
) -> oneshot::Receiver<thread::Result<T>> {
    let (sender, receiver) = oneshot::channel();
    let (hold, span) = (state.hold(), state.span.clone());
    state.session.host.run_blocking(Box::new(move || {
        // Whatever becomes of the call, its arguments are here until this is over.
        let _hold = hold;
        // A call that was cancelled while its work waited for a thread needs no work any more.
        if !sender.is_closed() {
            let _ = sender.send(span.in_scope(|| catch_unwind(AssertUnwindSafe(work))));
        }
    }));
    receiver
}
