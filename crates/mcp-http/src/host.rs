//! The clock and the threads of sessions that live in tasks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_core::transport::{BoxFuture, Host, Job};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// How many blocking threads of the runtime plain functions may take. The others wait in order of arrival.
const SHARE: usize = 256;

/// How long one may wait for a thread; then its call fails, which is better than a client that gives up in silence.
const PATIENCE: Duration = Duration::from_secs(30);

/// The runtime around us.
#[derive(Debug)]
pub(crate) struct TaskHost {
    threads: Arc<Semaphore>,
}

impl TaskHost {
    pub(crate) fn new() -> TaskHost {
        TaskHost { threads: Arc::new(Semaphore::new(SHARE)) }
    }
}

impl Host for TaskHost {
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
                tokio::spawn(async move {
                    if let Ok(Ok(permit)) = timeout(PATIENCE, threads.acquire_owned()).await {
                        run(permit);
                    }
                });
            }
        }
    }
}
