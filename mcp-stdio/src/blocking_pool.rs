//! Threads for plain functions: bounded, with a queue behind.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mcp_core::transport::Job;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep_until};

/// How long a job may wait for a thread. Most clients give up after a minute; they had better be told before.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs jobs that may block on the blocking threads of a runtime, and never takes more of them than its share.
///
/// Jobs beyond that wait in order of arrival: a burst is worked off. Where all threads are stuck, they are dropped after a
/// while, and their calls fail. They are bounded by the number of calls in flight, beyond which a session refuses new ones.
pub(crate) struct BlockingPool {
    share: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    running: usize,
    waiting: VecDeque<(Instant, Job)>,
    /// Somebody looks after those that wait.
    watched: bool,
}

impl BlockingPool {
    pub(crate) fn new(share: usize) -> Arc<BlockingPool> {
        Arc::new(BlockingPool { share, state: Mutex::default() })
    }

    /// Runs a job as soon as a thread is free for it.
    pub(crate) fn run(self: &Arc<BlockingPool>, job: Job, runtime: &Handle) {
        let mut state = self.lock();
        if state.running == self.share {
            state.waiting.push_back((Instant::now() + PATIENCE, job));
            if !std::mem::replace(&mut state.watched, true) {
                runtime.spawn(self.clone().watch());
            }
            return;
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
        next.map(|(_, job)| job)
    }

    /// Drops jobs that have waited too long, as long as any wait.
    async fn watch(self: Arc<BlockingPool>) {
        while let Some(deadline) = self.drop_late() {
            sleep_until(deadline).await;
        }
    }

    /// When the first of those that wait has waited too long; none if none waits.
    fn drop_late(&self) -> Option<Instant> {
        let (mut late, mut state) = (Vec::new(), self.lock());
        let now = Instant::now();
        while let Some((_, job)) = state.waiting.pop_front_if(|(deadline, _)| *deadline <= now) {
            late.push(job);
        }
        let next = state.waiting.front().map(|(deadline, _)| *deadline);
        state.watched = next.is_some();
        // What is dropped wakes those who wait for it, and they are not ours to hold up.
        drop(state);
        if !late.is_empty() {
            tracing::warn!(calls = late.len(), threads = self.share, "no thread was free for these calls for too long");
        }
        next
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for BlockingPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        write!(f, "BlockingPool({} of {} threads, {} waiting)", state.running, self.share, state.waiting.len())
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
        let (pool, at_once, most) = (BlockingPool::new(2), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
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
