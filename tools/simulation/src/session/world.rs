//! A host without threads: the simulation decides which task runs next, when a job runs and when time passes.

use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant, SystemTime};

use mcp_core::transport::{BoxFuture, Host, Job};

use crate::bug::Bug;
use crate::random::Random;

/// The host of a simulated session. Clones are the same host.
#[derive(Clone)]
pub(super) struct World {
    start: Instant,
    bug: Option<Bug>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The time since the start.
    now: Duration,
    /// The date on the wall, which may jump.
    date: Duration,
    next_id: u64,
    timers: BTreeMap<u64, Timer>,
    /// A task that is being polled is not in the table.
    tasks: BTreeMap<u64, BoxFuture<()>>,
    ready: BTreeSet<u64>,
    jobs: Vec<Job>,
    wakeups: u64,
    leaked: Vec<BoxFuture<()>>,
}

struct Timer {
    at: Duration,
    waker: Option<Waker>,
}

/// What can happen next in a world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Possible {
    /// Tasks that were woken.
    pub(super) ready: usize,
    /// Jobs that wait for a thread.
    pub(super) jobs: usize,
    /// Timers that have not expired.
    pub(super) timers: usize,
    /// Tasks that have not ended.
    pub(super) tasks: usize,
}

/// The waker of a task.
struct TaskWaker {
    id: u64,
    bug: Option<Bug>,
    state: Weak<Mutex<State>>,
}

impl World {
    pub(super) fn new(bug: Option<Bug>) -> World {
        let state = State { date: Duration::from_secs(1_800_000_000), ..State::default() };
        World { start: Instant::now(), bug, state: Arc::new(Mutex::new(state)) }
    }

    pub(super) fn possible(&self) -> Possible {
        let state = self.lock();
        Possible { ready: state.ready.len(), jobs: state.jobs.len(), timers: state.timers.len(), tasks: state.tasks.len() }
    }

    /// Returns the number of handles to this world, without this one.
    pub(super) fn other_handles(&self) -> usize {
        Arc::strong_count(&self.state) - 1
    }

    /// Polls one of the tasks that were woken.
    pub(super) fn run_task(&self, random: &mut Random) -> u64 {
        let (id, mut task) = {
            let mut state = self.lock();
            let ids: Vec<u64> = state.ready.iter().copied().collect();
            let id = random.pick(&ids);
            state.ready.remove(&id);
            match state.tasks.remove(&id) {
                Some(task) => (id, task),
                None => return id,
            }
        };
        let waker = Waker::from(Arc::new(TaskWaker { id, bug: self.bug, state: Arc::downgrade(&self.state) }));
        let is_pending = task.as_mut().poll(&mut Context::from_waker(&waker)).is_pending();
        if is_pending {
            self.lock().tasks.insert(id, task);
        } else if self.bug == Some(Bug::LeakedTask) {
            let handle = self.clone();
            self.lock().leaked.push(Box::pin(async move { drop(handle) }));
        }
        id
    }

    /// Runs one of the jobs, or drops it without running it.
    pub(super) fn run_job(&self, random: &mut Random, is_dropped: bool) {
        let job = {
            let mut state = self.lock();
            let index = random.below(state.jobs.len());
            state.jobs.swap_remove(index)
        };
        if !is_dropped {
            job();
        }
    }

    /// Moves the clock to the next timer, and wakes what waits for it. Returns the time since the start.
    pub(super) fn pass_time(&self) -> Duration {
        let wakers: Vec<Waker> = {
            let mut state = self.lock();
            let Some(next) = state.timers.values().map(|timer| timer.at).min() else { return state.now };
            let passed = next.saturating_sub(state.now);
            state.now += passed;
            state.date += passed;
            let now = state.now;
            let expired = state.timers.values_mut().filter(|timer| timer.at <= now);
            expired.filter_map(|timer| timer.waker.take()).collect()
        };
        wakers.into_iter().for_each(Waker::wake);
        self.lock().now
    }

    /// Changes the date, forwards or backwards, without any time passing.
    pub(super) fn jump(&self, forwards: bool, by: Duration) {
        let mut state = self.lock();
        state.date = if forwards { state.date + by } else { state.date.saturating_sub(by) };
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for World {
    fn now(&self) -> Instant {
        self.start + self.lock().now
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        let id = {
            let mut state = self.lock();
            state.next_id += 1;
            let (id, at) = (state.next_id, state.now + time);
            state.timers.insert(id, Timer { at, waker: None });
            id
        };
        let guard = TimerGuard { id, world: self.clone() };
        Box::pin(poll_fn(move |task| guard.poll(task)))
    }

    fn run_blocking(&self, job: Job) {
        self.lock().jobs.push(job);
    }

    fn spawn(&self, work: BoxFuture<()>) {
        let mut state = self.lock();
        state.next_id += 1;
        let id = state.next_id;
        state.tasks.insert(id, work);
        state.ready.insert(id);
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + self.lock().date
    }
}

/// Removes a timer when its future is dropped.
struct TimerGuard {
    id: u64,
    world: World,
}

impl TimerGuard {
    fn poll(&self, task: &Context<'_>) -> Poll<()> {
        let is_stuck = self.world.bug == Some(Bug::StuckTimer);
        let mut state = self.world.lock();
        let now = state.now;
        match state.timers.get_mut(&self.id) {
            Some(timer) if timer.at > now || is_stuck => {
                timer.waker = Some(task.waker().clone());
                Poll::Pending
            }
            _ => Poll::Ready(()),
        }
    }
}

impl Drop for TimerGuard {
    fn drop(&mut self) {
        let timer = self.world.lock().timers.remove(&self.id);
        drop(timer);
    }
}

impl Wake for TaskWaker {
    fn wake(self: Arc<TaskWaker>) {
        let Some(state) = self.state.upgrade() else { return };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.wakeups += 1;
        if self.bug == Some(Bug::LostWakeup) && state.wakeups.is_multiple_of(7) {
            return;
        }
        state.ready.insert(self.id);
    }
}
