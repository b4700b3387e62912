//! A host that needs no runtime.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use mcp_core::transport::{BoxFuture, Host, Job};

/// The real clock, and a thread for everything that waits or blocks.
///
/// Far from fast, but it works under any runtime and under none.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadHost;

impl Host for ThreadHost {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        /// Whether the time is up, and whom to tell.
        #[derive(Default)]
        struct Alarm(bool, Option<Waker>);

        let alarm = Arc::new(Mutex::new(Alarm::default()));
        let bell = alarm.clone();
        thread::spawn(move || {
            thread::sleep(time);
            let mut alarm = bell.lock().unwrap_or_else(PoisonError::into_inner);
            alarm.0 = true;
            if let Some(waker) = alarm.1.take() {
                waker.wake();
            }
        });
        Box::pin(std::future::poll_fn(move |task| {
            let mut alarm = alarm.lock().unwrap_or_else(PoisonError::into_inner);
            if alarm.0 {
                return Poll::Ready(());
            }
            alarm.1 = Some(task.waker().clone());
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

/// The same, but what nobody waits for is worked on while the test waits for something: in the runtime of the test, where
/// tools may use it.
#[derive(Default)]
pub(crate) struct ClientHost(Mutex<Vec<BoxFuture<()>>>);

impl ClientHost {
    /// Goes on with what nobody waits for, and wakes this task when there is more to do.
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

/// Wakes a thread that works on one future alone.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Unpark>) {
        self.0.unpark();
    }
}
