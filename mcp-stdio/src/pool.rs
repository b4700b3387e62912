//! Threads for plain functions: bounded, with a queue behind.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_core::Job;
use tokio::runtime::Handle;

/// Runs jobs that may block on the blocking threads of a runtime, and never takes more of them than its share.
///
/// Jobs beyond that wait in order of arrival. They are bounded by the number of calls in flight, beyond which a session
/// refuses new ones.
pub(crate) struct Pool {
    share: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    running: usize,
    waiting: VecDeque<Job>,
}

impl Pool {
    pub(crate) fn new(share: usize) -> Arc<Pool> {
        Arc::new(Pool { share, state: Mutex::default() })
    }

    /// Runs a job as soon as a thread is free for it.
    pub(crate) fn run(self: &Arc<Pool>, job: Job, runtime: &Handle) {
        let mut state = self.lock();
        if state.running == self.share {
            return state.waiting.push_back(job);
        }
        state.running += 1;
        drop(state);
        let pool = self.clone();
        runtime.spawn_blocking(move || {
            job();
            while let Some(next) = pool.next() {
                next();
            }
        });
    }

    /// The next job for a thread that has finished one. With none, the thread is no longer ours.
    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        let next = state.waiting.pop_front();
        if next.is_none() {
            state.running -= 1;
        }
        next
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        write!(f, "Pool({} of {} threads, {} waiting)", state.running, self.share, state.waiting.len())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn jobs_beyond_the_share_wait_and_then_run() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (pool, at_once, most) = (Pool::new(2), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (done, finished) = mpsc::channel();
        for _ in 0..20 {
            let (at_once, most, done) = (at_once.clone(), most.clone(), done.clone());
            let job = move || {
                most.fetch_max(at_once.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::yield_now();
                at_once.fetch_sub(1, Ordering::SeqCst);
                done.send(()).unwrap();
            };
            pool.run(Box::new(job), runtime.handle());
        }
        for _ in 0..20 {
            finished.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
        }
        assert!(most.load(Ordering::SeqCst) <= 2);
    }
}
