//! Hosts that need no async runtime.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use mcp_core::transport::{BoxFuture, Host, Job};

/// A host with the real clock that starts a new thread for every sleep, blocking job and task.
///
/// It is slow, but it works with any async runtime and without one.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadHost;

impl Host for ThreadHost {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        #[derive(Default)]
        struct Timer {
            is_over: bool,
            waker: Option<Waker>,
        }

        let timer = Arc::new(Mutex::new(Timer::default()));
        let shared = timer.clone();
        thread::spawn(move || {
            thread::sleep(time);
            let mut timer = shared.lock().unwrap_or_else(PoisonError::into_inner);
            timer.is_over = true;
            if let Some(waker) = timer.waker.take() {
                waker.wake();
            }
        });
        Box::pin(std::future::poll_fn(move |task| {
            let mut timer = timer.lock().unwrap_or_else(PoisonError::into_inner);
            if timer.is_over {
                return Poll::Ready(());
            }
            timer.waker = Some(task.waker().clone());
            Poll::Pending
        }))
    }

    fn run_blocking(&self, job: Job) {
        thread::spawn(job);
    }

    fn spawn(&self, mut work: BoxFuture<()>) {
        thread::spawn(move || {
            let waker = Waker::from(Arc::new(Unpark(thread::current())));
            while work.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
                thread::park();
            }
        });
    }
}

/// Like [`ThreadHost`], except that spawned futures are polled by the task of the test while it awaits the client. They
/// therefore run in the runtime of the test, which tools may need.
#[derive(Default)]
pub(crate) struct ClientHost(Mutex<Vec<BoxFuture<()>>>);

impl ClientHost {
    /// Polls all spawned futures. They wake the given task when they can make progress.
    pub(crate) fn work(&self, task: &mut Context<'_>) {
        let mut work = std::mem::take(&mut *self.lock());
        work.retain_mut(|work| work.as_mut().poll(task).is_pending());
        self.lock().extend(work);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<BoxFuture<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for ClientHost {
    fn now(&self) -> Instant {
        ThreadHost.now()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        ThreadHost.sleep(time)
    }

    fn run_blocking(&self, job: Job) {
        ThreadHost.run_blocking(job);
    }

    fn spawn(&self, work: BoxFuture<()>) {
        self.lock().push(work);
    }
}

/// A waker for a thread that polls a single future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Unpark>) {
        self.0.unpark();
    }
}
