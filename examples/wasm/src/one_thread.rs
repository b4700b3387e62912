//! Runs the calls of a session on one thread, as far as they get before the next message is read.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

use mcp_core::transport::{BoxFuture, Host, Job};

/// A host without threads.
#[derive(Default)]
pub(crate) struct OneThread {
    /// The futures that are not ready yet.
    running: Mutex<Vec<BoxFuture<()>>>,
    timers: Arc<Mutex<Vec<Instant>>>,
    woken: Arc<Woken>,
}

impl OneThread {
    /// Polls all futures until each of them waits for a message of the client.
    pub(crate) fn run(&self) {
        let waker = Waker::from(self.woken.clone());
        loop {
            self.woken.0.store(false, Ordering::Relaxed);
            lock(&self.timers).clear();
            // A future may start others while it is polled.
            let mut polled = mem::take(&mut *lock(&self.running));
            polled.retain_mut(|future| future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
            let mut running = lock(&self.running);
            let has_new = !running.is_empty();
            running.append(&mut polled);
            drop(running);
            let next = lock(&self.timers).iter().min().copied();
            match next {
                _ if has_new || self.woken.0.load(Ordering::Relaxed) => {}
                Some(at) => thread::sleep(at.saturating_duration_since(Instant::now())),
                None => return,
            }
        }
    }
}

impl Host for OneThread {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        let (end, timers) = (Instant::now() + time, self.timers.clone());
        Box::pin(std::future::poll_fn(move |_| {
            if Instant::now() >= end {
                return Poll::Ready(());
            }
            lock(&timers).push(end);
            Poll::Pending
        }))
    }

    fn run_blocking(&self, job: Job) {
        job();
    }

    fn spawn(&self, work: BoxFuture<()>) {
        lock(&self.running).push(work);
    }
}

/// Whether a future was woken.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
