//! The `Host` of a session under `run`: clock, runtime, and blocking functions that run on the thread that read the call.

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

/// Maximum number of blocking threads for tools. The runtime has twice as many, so that tools that never return leave enough
/// for the file operations of the runtime.
const MAX_BLOCKING_THREADS: usize = 256;

/// Maximum number of threads for async calls. These calls mostly wait; work that needs a processor belongs into a blocking
/// function.
const MAX_WORKERS: usize = 4;

/// Minimum number of threads for async calls, so that one of them may be blocked.
const MIN_WORKERS: usize = 2;

/// The `Host` and the `Outbox` of a session under `run`.
#[derive(Debug)]
pub(crate) struct RunHost {
    /// Created for the first call, because a handshake does not need it.
    runtime: OnceLock<Handle>,
    /// The owner of the same runtime, for its shutdown.
    threads: Mutex<Option<Runtime>>,
    pool: Arc<BlockingPool>,
    pub(crate) lead: Leadership,
    pub(crate) output: Arc<Output>,
}

thread_local! {
    /// The epoch at which this thread polls a call as the leader, or `None` if it does not.
    static LEADER_EPOCH: Cell<Option<u64>> = const { Cell::new(None) };
    /// The blocking function that the polled call has passed to `run_blocking`.
    static JOB: Cell<Option<Job>> = const { Cell::new(None) };
}

/// The result of polling a call on the leader.
pub(crate) enum Step {
    Done(Option<Response>),
    /// The call has to run a blocking function. Run it, then poll the call again.
    Job(Job),
    Pending,
}

impl RunHost {
    pub(crate) fn new(lead: Leadership, output: Arc<Output>) -> RunHost {
        RunHost {
            runtime: OnceLock::new(),
            threads: Mutex::default(),
            pool: BlockingPool::new(MAX_BLOCKING_THREADS),
            lead,
            output,
        }
    }

    /// Returns the runtime. Creates it on the first call of this method.
    ///
    /// # Panics
    /// If its threads cannot be started. That ends the process, which could not serve calls without them.
    pub(crate) fn runtime(&self) -> &Handle {
        self.runtime.get_or_init(|| {
            let runtime = runtime().unwrap_or_else(|error| panic!("cannot start the async runtime: {error}"));
            let handle = runtime.handle().clone();
            *self.threads.lock().unwrap_or_else(PoisonError::into_inner) = Some(runtime);
            handle
        })
    }

    /// Shuts the runtime down without waiting for tasks and threads that are blocked.
    pub(crate) fn shut_down(&self) {
        if let Some(runtime) = self.threads.lock().unwrap_or_else(PoisonError::into_inner).take() {
            runtime.shutdown_background();
        }
    }

    /// Returns whether this thread polls a call as the current leader. The leader flushes the output and runs the blocking
    /// function after the poll.
    fn is_leader(&self) -> bool {
        LEADER_EPOCH.get() == Some(self.lead.epoch())
    }
}

/// Creates a runtime for calls that do not complete in their first poll.
pub(crate) fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(workers()).thread_name("mcp-runtime").enable_all().build()
}

/// Returns the number of available processors within the limits: each additional thread wakes another processor.
fn workers() -> usize {
    // `available_parallelism` also reads cgroup files, which takes longer than starting the threads.
    #[cfg(target_os = "linux")]
    if let Ok(processors) = rustix::thread::sched_getaffinity(None) {
        return (processors.count() as usize).clamp(MIN_WORKERS, MAX_WORKERS);
    }
    MAX_WORKERS
}

/// Runs `work` on this thread, marked as the leader at this epoch.
pub(crate) fn run_as_leader<T>(epoch: u64, work: impl FnOnce() -> T) -> T {
    LEADER_EPOCH.set(Some(epoch));
    let outcome = work();
    LEADER_EPOCH.set(None);
    outcome
}

/// Polls a call once on this thread.
///
/// The waker does nothing: a call that is still pending must be spawned, and its task polls it again.
pub(crate) fn poll_as_leader(epoch: u64, later: &mut Later) -> Step {
    let poll = run_as_leader(epoch, || Pin::new(later).poll(&mut Context::from_waker(Waker::noop())));
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

    /// On the leader, stores the job: the leader runs it after the poll. On other threads, passes it to the pool.
    fn run_blocking(&self, job: Job) {
        if !self.is_leader() {
            return self.pool.run(job, self.runtime());
        }
        // A batch of requests may contain several blocking calls. The leader runs the last one.
        if let Some(earlier) = JOB.replace(Some(job)) {
            self.pool.run(earlier, self.runtime());
        }
    }
}

impl Outbox for RunHost {
    fn send(&self, message: Outgoing) {
        self.output.push_notification(message.as_bytes());
        // The leader flushes after its call. If it is replaced, the next leader flushes.
        if !self.is_leader() {
            self.output.flush_on_writer_thread();
        }
    }
}
