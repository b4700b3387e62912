//! The threads that lead in turn.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::driver::Driver;
use crate::driver::leader::Ticket;
use crate::driver::shutdown::ShutdownReason;

/// How many threads may lead in turn.
///
/// Few: each one that gets stuck costs everybody behind it two ticks of the watchdog. With all of them stuck but the leader,
/// calls go to the runtime and its blocking threads at once, which is slower for quick calls and just as good for slow ones.
const THREADS: usize = 10;

/// The threads that lead in turn: one leads, some are stuck in a call, the others wait.
#[derive(Debug)]
pub(crate) struct ReaderThreads {
    /// How many of the threads neither lead nor are stuck, whether they are started or not.
    free: AtomicUsize,
    state: Mutex<State>,
    called: Condvar,
}

#[derive(Debug, Default)]
struct State {
    threads: usize,
    spare: usize,
    ticket: Option<Ticket>,
}

impl ReaderThreads {
    pub(crate) fn new() -> ReaderThreads {
        ReaderThreads { free: AtomicUsize::new(THREADS), state: Mutex::default(), called: Condvar::new() }
    }

    /// Whether there is somebody to take the lead if the leader gets stuck.
    pub(crate) fn has_room(&self) -> bool {
        self.free.load(Ordering::Relaxed) > 0
    }

    /// Makes sure that somebody waits for the lead. False if no thread can be had.
    pub(crate) fn prepare(&self, driver: &Arc<Driver>) -> bool {
        let mut state = self.lock();
        if state.spare > 0 {
            return true;
        }
        if state.threads >= THREADS {
            return false;
        }
        let driver = driver.clone();
        let started = thread::Builder::new().name("mcp-reader".into()).spawn(move || driver.serve_in_turn());
        let Ok(_) = started else {
            return false;
        };
        state.threads += 1;
        state.spare += 1;
        true
    }

    /// Gives the lead to a thread that waits for it.
    pub(crate) fn hand_over(&self, ticket: Ticket) {
        self.lock().ticket = Some(ticket);
        self.called.notify_one();
    }

    fn wait_for_lead(&self) -> Ticket {
        let mut state = self.lock();
        loop {
            if let Some(ticket) = state.ticket.take() {
                state.spare -= 1;
                self.free.fetch_sub(1, Ordering::Relaxed);
                return ticket;
            }
            state = self.called.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn back_in_line(&self) {
        self.lock().spare += 1;
        self.free.fetch_add(1, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Driver {
    /// The life of a thread of the crew.
    fn serve_in_turn(self: &Arc<Driver>) {
        loop {
            let ticket = self.reader_threads.wait_for_lead();
            if catch_unwind(AssertUnwindSafe(|| self.lead(ticket))).is_err() {
                // Tools cannot cause this. Better a process that ends than one that hangs.
                return self.ending.announce(ShutdownReason::Panic);
            }
            self.reader_threads.back_in_line();
        }
    }
}
