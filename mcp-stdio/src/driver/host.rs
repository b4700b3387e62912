//! The world of a session under `run`: the clock, a runtime, and plain functions that run where they were read.

use std::cell::Cell;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use mcp_core::transport::{BoxFuture, Host, Job, Later, Outbox, Outgoing, Response};
use tokio::runtime::{Builder, Handle, Runtime};

use crate::blocking_pool::BlockingPool;
use crate::driver::leader::Leadership;
use crate::io::output::Output;

/// How many threads of the runtime plain functions may take. The runtime has twice as many, so that functions that never
/// return leave enough for tools that use the runtime's own file operations.
const POOL_SHARE: usize = 256;

/// How many threads run async calls at most. They wait more than they work, and what works hard is better off as a plain
/// function.
const MOST_WORKERS: usize = 4;

/// How many there are at least, so that one of them may be blocked.
const FEWEST_WORKERS: usize = 2;

/// What a session under `run` asks of the world.
#[derive(Debug)]
pub(crate) struct RunHost {
    /// Made for the first call: a handshake needs none, and so neither waits for it nor pays for it.
    runtime: OnceLock<Handle>,
    /// The same runtime, to be ended.
    threads: Mutex<Option<Runtime>>,
    pool: Arc<BlockingPool>,
    pub(crate) lead: Leadership,
    pub(crate) output: Arc<Output>,
}

thread_local! {
    /// The word of the lead under which this thread is running a call in place.
    static IN_PLACE: Cell<Option<u64>> = const { Cell::new(None) };
    /// The plain function that the call turned out to be.
    static JOB: Cell<Option<Job>> = const { Cell::new(None) };
}

/// What a call came to that was polled in place.
pub(crate) enum Step {
    Done(Option<Response>),
    /// It is a plain function: run it, then poll again.
    Job(Job),
    Pending,
}

impl RunHost {
    pub(crate) fn new(lead: Leadership, output: Arc<Output>) -> RunHost {
        RunHost { runtime: OnceLock::new(), threads: Mutex::default(), pool: BlockingPool::new(POOL_SHARE), lead, output }
    }

    /// The runtime.
    ///
    /// # Panics
    /// When its threads cannot be started. That ends the process, which could not serve a call.
    pub(crate) fn runtime(&self) -> &Handle {
        self.runtime.get_or_init(|| {
            let runtime = runtime().unwrap_or_else(|error| panic!("the runtime cannot be started: {error}"));
            let handle = runtime.handle().clone();
            *self.threads.lock().unwrap_or_else(PoisonError::into_inner) = Some(runtime);
            handle
        })
    }

    /// Ends the runtime without waiting for anything that is stuck in it.
    pub(crate) fn shut_down(&self) {
        if let Some(runtime) = self.threads.lock().unwrap_or_else(PoisonError::into_inner).take() {
            runtime.shutdown_background();
        }
    }

    /// Whether this thread is running a call in place and still leads: whatever it leaves behind is taken care of.
    fn is_leader(&self) -> bool {
        IN_PLACE.get() == Some(self.lead.look())
    }
}

/// A runtime for calls that are not ready at once.
pub(crate) fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(workers()).thread_name("mcp-runtime").enable_all().build()
}

/// As many as there are processors for us, within reason: each one that is started stirs a processor which had better sleep.
fn workers() -> usize {
    // What the standard library asks for besides takes longer than to start them.
    #[cfg(target_os = "linux")]
    if let Ok(processors) = rustix::thread::sched_getaffinity(None) {
        return (processors.count() as usize).clamp(FEWEST_WORKERS, MOST_WORKERS);
    }
    MOST_WORKERS
}

/// Does something in place, under that word of the lead.
pub(crate) fn in_place<T>(word: u64, work: impl FnOnce() -> T) -> T {
    IN_PLACE.set(Some(word));
    let outcome = work();
    IN_PLACE.set(None);
    outcome
}

/// Polls a call once, here and now.
///
/// With a waker that wakes nobody: a call that is still pending is spawned, and polled again by its task.
pub(crate) fn poll_in_place(word: u64, later: &mut Later) -> Step {
    let poll = in_place(word, || Pin::new(later).poll(&mut Context::from_waker(Waker::noop())));
    match (poll, JOB.take()) {
        (Poll::Ready(response), _) => Step::Done(response),
        (Poll::Pending, Some(job)) => Step::Job(job),
        (Poll::Pending, None) => Step::Pending,
    }
}

impl Host for RunHost {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        let _runtime = self.runtime().enter();
        Box::pin(tokio::time::sleep(time))
    }

    fn spawn(&self, work: BoxFuture<()>) {
        self.runtime().spawn(work);
    }

    /// The leader runs one itself as soon as the poll is over; others go to the pool.
    fn run_blocking(&self, job: Job) {
        if !self.is_leader() {
            return self.pool.run(job, self.runtime());
        }
        // A batch may hold several.
        if let Some(earlier) = JOB.replace(Some(job)) {
            self.pool.run(earlier, self.runtime());
        }
    }
}

impl Outbox for RunHost {
    fn send(&self, message: Outgoing) {
        self.output.push_unasked(message.as_bytes());
        // A leader flushes when its call is over, or whoever takes the lead from it does.
        if !self.is_leader() {
            self.output.flush_elsewhere();
        }
    }
}
