//! The [`Host`] and the [`Outbox`] of a session under `run`.

use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use mcp_core::transport::{BoxFuture, Host, Job, Outbox, Outgoing};
use mcp_tokio::TokioHost;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::driver::shared::Shared;

/// The number of threads for async calls, at least and at most: one of them may be blocked, and calls mostly wait. Work that needs
/// a processor belongs in a blocking function.
const WORKERS: [usize; 2] = [2, 4];

/// A tokio runtime for calls that do not complete at once. The leader runs the blocking functions of the calls that it polls.
#[derive(Debug)]
pub(crate) struct RunHost {
    /// Created for the first call, because a handshake does not need it.
    runtime: OnceLock<CallRuntime>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct CallRuntime {
    handle: Handle,
    host: TokioHost,
    /// The owner of the threads, for their shutdown.
    owner: Mutex<Option<Runtime>>,
}

impl RunHost {
    pub(crate) fn new(shared: Arc<Shared>) -> RunHost {
        RunHost { runtime: OnceLock::new(), shared }
    }

    /// Returns the runtime. Creates it on the first call.
    ///
    /// # Panics
    /// If its threads cannot be started. That ends the process, which could not serve calls without them.
    pub(crate) fn runtime(&self) -> &Handle {
        &self.call_runtime().handle
    }

    /// Runs a job on a blocking thread of the runtime.
    pub(crate) fn run_on_pool(&self, job: Job) {
        self.call_runtime().host.run_blocking(job);
    }

    /// Shuts the runtime down without waiting for tasks and threads that are blocked.
    pub(crate) fn shut_down(&self) {
        if let Some(runtime) = self.runtime.get() {
            let owner = runtime.owner.lock().unwrap_or_else(PoisonError::into_inner).take();
            owner.into_iter().for_each(Runtime::shutdown_background);
        }
    }

    fn call_runtime(&self) -> &CallRuntime {
        self.runtime.get_or_init(|| {
            let runtime = start_runtime().unwrap_or_else(|error| panic!("cannot start the async runtime: {error}"));
            let handle = runtime.handle().clone();
            CallRuntime { host: TokioHost::on(handle.clone()), handle, owner: Mutex::new(Some(runtime)) }
        })
    }
}

fn start_runtime() -> io::Result<Runtime> {
    let processors = thread::available_parallelism().map_or(WORKERS[1], usize::from);
    let workers = processors.clamp(WORKERS[0], WORKERS[1]);
    Builder::new_multi_thread().worker_threads(workers).thread_name("mcp-runtime").enable_all().build()
}

impl Host for RunHost {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        self.call_runtime().host.sleep(time)
    }

    fn spawn(&self, work: BoxFuture<()>) {
        self.call_runtime().host.spawn(work);
    }

    /// If the leader polls the call, keeps the job: the leader runs it after the poll. Otherwise passes it to the pool, also
    /// further jobs of the same poll, which a batch of requests may have.
    fn run_blocking(&self, job: Job) {
        let me = thread::current().id();
        if let Err(job) = self.shared.with(|state| state.keep_job(&me, job)) {
            self.run_on_pool(job);
        }
    }
}

impl Outbox for RunHost {
    fn send(&self, message: Outgoing) {
        let me = thread::current().id();
        let leader_writes = self.shared.with(|state| {
            state.queue().push_notification(message.as_bytes());
            state.is_busy_leader(&me)
        });
        // The leader writes after its call. If it is replaced, the next leader writes.
        if !leader_writes {
            self.shared.flush_on_writer_thread();
        }
    }
}
