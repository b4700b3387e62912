//! A host that needs no runtime.

use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use mcp_core::{BoxFuture, Host, Job};

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
}
