//! The clock, the timers and the threads that sessions use: those of the surrounding tokio runtime.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_core::transport::{BoxFuture, Host, Job};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Number of blocking threads of the runtime that synchronous tools may use. Further calls wait in order of arrival.
const BLOCKING_THREADS: usize = 256;

/// Time that a call waits for a blocking thread. Then the call fails, so that the client gets an error before it times out.
const BLOCKING_THREAD_TIMEOUT: Duration = Duration::from_secs(30);

/// A [`Host`] on the current tokio runtime.
#[derive(Debug)]
pub(crate) struct TokioHost {
    threads: Arc<Semaphore>,
}

impl TokioHost {
    pub(crate) fn new() -> TokioHost {
        TokioHost { threads: Arc::new(Semaphore::new(BLOCKING_THREADS)) }
    }
}

impl Host for TokioHost {
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        Box::pin(tokio::time::sleep(time))
    }

    fn spawn(&self, work: BoxFuture<()>) {
        tokio::spawn(work);
    }

    fn run_blocking(&self, job: Job) {
        let run = |permit| {
            tokio::task::spawn_blocking(move || {
                let _held = permit;
                job();
            })
        };
        match self.threads.clone().try_acquire_owned() {
            Ok(permit) => drop(run(permit)),
            Err(_) => {
                let threads = self.threads.clone();
                // Dropping the job after the timeout makes its call fail.
                tokio::spawn(async move {
                    if let Ok(Ok(permit)) = timeout(BLOCKING_THREAD_TIMEOUT, threads.acquire_owned()).await {
                        run(permit);
                    }
                });
            }
        }
    }
}
