//! A [`Host`] on a tokio runtime: the clock, the timers, the tasks and the blocking threads of a session.
//!
//! Every transport of the workspace uses it, so that blocking functions are limited in the same way everywhere.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_core::transport::{BoxFuture, Host, Job};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::timeout_at;

/// Maximum number of blocking functions that run at the same time. The runtime has 512 blocking threads by default, so tools
/// that never return leave enough of them for the file operations of the runtime.
const BLOCKING_THREADS: usize = 256;

/// Maximum time that a job waits for a thread. Most clients time out after a minute; they get an error before that.
const BLOCKING_THREAD_TIMEOUT: Duration = Duration::from_secs(30);

/// Runs the work of sessions on a tokio runtime.
///
/// At most 256 blocking functions run at the same time, each on a blocking thread of the runtime. Further ones wait up to 30
/// seconds for a thread. Then they are dropped, and their calls fail with an error.
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_core::Server;
/// use mcp_core::transport::{Message, Reply};
/// use mcp_tokio::TokioHost;
///
/// let server = Server::builder("empty", "1.0.0").build()?;
/// let session = server.session(Arc::new(TokioHost::new()), Arc::new(()));
/// assert!(matches!(session.receive(Message::parse_text(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)), Reply::Now(_)));
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Debug)]
pub struct TokioHost {
    /// The runtime for tasks and timers. `None`: the runtime in which the host is used.
    runtime: Option<Handle>,
    threads: Arc<Semaphore>,
}

impl TokioHost {
    /// Uses the runtime in which its methods are called. They panic outside of a runtime.
    pub fn new() -> TokioHost {
        TokioHost { runtime: None, threads: Arc::new(Semaphore::new(BLOCKING_THREADS)) }
    }

    /// Uses this runtime, wherever its methods are called.
    pub fn on(runtime: Handle) -> TokioHost {
        TokioHost { runtime: Some(runtime), ..TokioHost::new() }
    }

    fn runtime(&self) -> Handle {
        self.runtime.clone().unwrap_or_else(Handle::current)
    }
}

impl Default for TokioHost {
    fn default() -> TokioHost {
        TokioHost::new()
    }
}

impl Host for TokioHost {
    fn now(&self) -> Instant {
        // The clock of tokio, so that tests can pause it.
        tokio::time::Instant::now().into_std()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        let runtime = self.runtime();
        let _context = runtime.enter();
        Box::pin(tokio::time::sleep(time))
    }

    fn run_blocking(&self, job: Job) {
        let runtime = self.runtime();
        if let Ok(permit) = self.threads.clone().try_acquire_owned() {
            runtime.spawn_blocking(move || {
                let _permit = permit;
                job();
            });
            return;
        }
        let (threads, deadline) = (self.threads.clone(), tokio::time::Instant::now() + BLOCKING_THREAD_TIMEOUT);
        runtime.clone().spawn(async move {
            let Ok(Ok(permit)) = timeout_at(deadline, threads.acquire_owned()).await else {
                // Dropping the job makes its call fail.
                tracing::warn!(threads = BLOCKING_THREADS, "a blocking call was dropped: no thread was free for it");
                return;
            };
            runtime.spawn_blocking(move || {
                let _permit = permit;
                job();
            });
        });
    }

    fn spawn(&self, work: BoxFuture<()>) {
        self.runtime().spawn(work);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    /// Blocks all threads of the host until the returned sender is dropped.
    fn block_all_threads(host: &TokioHost) -> mpsc::Sender<()> {
        let (release, released) = mpsc::channel::<()>();
        let released = Arc::new(std::sync::Mutex::new(released));
        let (started, starts) = mpsc::channel();
        for _ in 0..BLOCKING_THREADS {
            let (released, started) = (released.clone(), started.clone());
            host.run_blocking(Box::new(move || {
                started.send(()).unwrap();
                // Returns an error as soon as the sender is dropped.
                assert!(released.lock().unwrap().recv().is_err());
            }));
        }
        for _ in 0..BLOCKING_THREADS {
            starts.recv().unwrap();
        }
        release
    }

    #[test]
    fn jobs_beyond_the_limit_wait_for_a_thread_and_then_run() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let host = TokioHost::on(runtime.handle().clone());
        let release = block_all_threads(&host);
        let (sender, receiver) = tokio::sync::oneshot::channel();
        host.run_blocking(Box::new(move || sender.send(thread::current().id()).unwrap()));
        assert_eq!(host.threads.available_permits(), 0);
        drop(release);
        assert_ne!(runtime.block_on(receiver).unwrap(), thread::current().id());
    }

    #[test]
    fn a_job_that_gets_no_thread_in_time_is_dropped() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let host = TokioHost::on(runtime.handle().clone());
        let release = block_all_threads(&host);
        let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
        host.run_blocking(Box::new(move || sender.send(()).unwrap()));
        runtime.block_on(async {
            tokio::task::yield_now().await;
            // The clock does not move by itself while threads are blocked.
            tokio::time::advance(BLOCKING_THREAD_TIMEOUT + Duration::from_secs(1)).await;
            assert!(receiver.await.is_err());
        });
        drop(release);
    }

    #[test]
    fn a_host_on_a_runtime_can_be_used_outside_of_it() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let host = TokioHost::on(runtime.handle().clone());
        let sleep = host.sleep(Duration::ZERO);
        let (sender, receiver) = tokio::sync::oneshot::channel();
        host.spawn(Box::pin(async move { sender.send(()).unwrap() }));
        runtime.block_on(async {
            sleep.await;
            receiver.await.unwrap();
        });
    }
}
