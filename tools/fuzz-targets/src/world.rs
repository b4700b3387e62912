//! A deterministic host: work runs and timers expire when the input says so.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};

use mcp_core::transport::{BoxFuture, Host, Job, Session};
use mcp_core::{Builder, Context, Server, ToolError, ToolSpec, tool_fn};
use serde_json::Value;

/// Pending blocking work and timers.
#[derive(Clone, Default)]
pub(crate) struct World(Arc<State>);

#[derive(Default)]
struct State {
    jobs: Mutex<Vec<Job>>,
    time_is_up: AtomicBool,
}

thread_local! {
    /// Whether waiting tools continue. A thread-local, so that all hosts share one server: building one takes longer than most
    /// runs.
    static GATE_IS_OPEN: Cell<bool> = const { Cell::new(false) };
}

static SERVER: LazyLock<Server> = LazyLock::new(|| server().build().expect("the server is valid"));

impl World {
    /// A host without pending work.
    pub(crate) fn new() -> World {
        GATE_IS_OPEN.set(false);
        World::default()
    }

    /// A session of a server that has a tool for each way a call can end.
    pub(crate) fn session(&self) -> Session {
        SERVER.session(Arc::new(self.clone()), Arc::new(()))
    }

    /// Runs the pending work.
    pub(crate) fn run_jobs(&self) {
        let jobs = std::mem::take(&mut *self.0.jobs.lock().unwrap_or_else(PoisonError::into_inner));
        jobs.into_iter().for_each(|job| job());
    }

    /// Drops the pending work without running it.
    pub(crate) fn drop_jobs(&self) {
        self.0.jobs.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Sets whether timers have expired.
    pub(crate) fn set_time(&self, is_up: bool) {
        self.0.time_is_up.store(is_up, Ordering::SeqCst);
    }

    /// Sets whether waiting tools continue.
    pub(crate) fn set_gate(&self, is_open: bool) {
        GATE_IS_OPEN.set(is_open);
    }
}

fn server() -> Builder {
    let wait = |_: Value, cx: Context| {
        cx.progress(1, 2, "half way");
        gate()
    };
    let with_timeout = ToolSpec::new("timed", "Wait, but not for ever.").timeout(Duration::from_secs(1));
    Server::builder("world", "1.0.0")
        .tools(tool_fn(ToolSpec::new("echo", "Say it back."), |arguments: Value, _| async move { arguments.to_string() }))
        .tools(tool_fn(ToolSpec::new("wait", "Wait for the gate."), wait))
        .tools(tool_fn(with_timeout, |_: Value, _| gate()))
        .tools(tool_fn(ToolSpec::new("fail", "Fail."), |_: Value, _| async { Err::<(), _>(ToolError::new("failed")) }))
        .tools(tool_fn(ToolSpec::new("panic", "Panic."), |_: Value, _| async { panic_quietly() }))
        .tools(mcp_core::tools![block])
}

fn gate() -> impl Future<Output = ()> + Send {
    poll_fn(|_| if GATE_IS_OPEN.get() { Poll::Ready(()) } else { Poll::Pending })
}

/// Block the thread.
#[mcp_core::tool]
fn block() -> &'static str {
    "blocked"
}

/// Panics without calling the panic hook, which ends the process under the fuzzer.
fn panic_quietly() {
    resume_unwind(Box::new("a tool panicked"));
}

impl Host for World {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        let state = self.0.clone();
        Box::pin(poll_fn(move |_| if state.time_is_up.load(Ordering::SeqCst) { Poll::Ready(()) } else { Poll::Pending }))
    }

    fn run_blocking(&self, job: Job) {
        self.0.jobs.lock().unwrap_or_else(PoisonError::into_inner).push(job);
    }

    /// No tool of this server runs as a task.
    fn spawn(&self, _: BoxFuture<()>) {}
}
