//! The threads that take turns as the leader.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::driver::Driver;
use crate::driver::leader::Ticket;
use crate::driver::shutdown::ShutdownReason;

/// Maximum number of reader threads.
///
/// The number is small: each thread that blocks delays all messages behind it by up to two ticks of the watchdog. When all
/// threads but the leader are blocked, calls go to the runtime and its blocking threads at once. That is slower for short
/// calls and makes no difference for long ones.
const THREADS: usize = 10;

/// The threads that take turns as the leader: one leads, some are blocked in a call, the others wait.
#[derive(Debug)]
pub(crate) struct ReaderThreads {
    /// Number of threads that neither lead nor are blocked, including those that are not started yet.
    available: AtomicUsize,
    state: Mutex<State>,
    called: Condvar,
}

#[derive(Debug, Default)]
struct State {
    threads: usize,
    standby: usize,
    ticket: Option<Ticket>,
}

impl ReaderThreads {
    pub(crate) fn new() -> ReaderThreads {
        ReaderThreads { available: AtomicUsize::new(THREADS), state: Mutex::default(), called: Condvar::new() }
    }

    /// Returns whether another thread could replace the leader.
    pub(crate) fn has_standby(&self) -> bool {
        self.available.load(Ordering::Relaxed) > 0
    }

    /// Starts a thread if none waits to become the leader. Returns false if no thread waits and none can be started.
    pub(crate) fn ensure_standby(&self, driver: &Arc<Driver>) -> bool {
        let mut state = self.lock();
        if state.standby > 0 {
            return true;
        }
        if state.threads >= THREADS {
            return false;
        }
        let driver = driver.clone();
        let started = thread::Builder::new().name("mcp-reader".into()).spawn(move || driver.run_reader_thread());
        let Ok(_) = started else {
            return false;
        };
        state.threads += 1;
        state.standby += 1;
        true
    }

    /// Makes a waiting thread the leader.
    pub(crate) fn hand_over(&self, ticket: Ticket) {
        self.lock().ticket = Some(ticket);
        self.called.notify_one();
    }

    fn wait_for_ticket(&self) -> Ticket {
        let mut state = self.lock();
        loop {
            if let Some(ticket) = state.ticket.take() {
                state.standby -= 1;
                self.available.fetch_sub(1, Ordering::Relaxed);
                return ticket;
            }
            state = self.called.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn return_to_standby(&self) {
        self.lock().standby += 1;
        self.available.fetch_add(1, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Driver {
    /// The main function of a reader thread.
    fn run_reader_thread(self: &Arc<Driver>) {
        loop {
            let ticket = self.reader_threads.wait_for_ticket();
            if catch_unwind(AssertUnwindSafe(|| self.lead(ticket))).is_err() {
                // Panics of tools are caught by the session, so this is a bug of this crate. End the process: without a
                // leader it would hang.
                return self.shutdown.request(ShutdownReason::Panic);
            }
            self.reader_threads.return_to_standby();
        }
    }
}
