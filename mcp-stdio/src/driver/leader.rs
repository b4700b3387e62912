//! Decides which thread is the leader: one atomic counter, shared by the leader and its watchdog.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::driver::watchdog::TICK;
use crate::sys::wakeup::Wakeup;

/// The state of the leader. The epoch only grows. It is even while the leader reads, and odd while the leader is in a step
/// that may take long (a call or a write).
///
/// When a step ends, the leader increments the epoch; to replace the leader, the watchdog increments it. Both use
/// compare-and-swap, so exactly one of them succeeds, and the right to read and the call in `running_call` belong to the one
/// that does.
#[derive(Debug)]
pub(crate) struct Leadership {
    epoch: AtomicU64,
    /// The watchdog waits until it is woken.
    watchdog_sleeps: AtomicBool,
    /// The current step of the leader is a write.
    writes: AtomicBool,
}

/// The right to lead, with the epoch that its holder knows. Only the thread whose ticket has the current epoch is the
/// leader.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ticket(u64);

impl Leadership {
    /// Returns the state and the ticket of the first leader.
    pub(crate) fn new() -> (Leadership, Ticket) {
        let (watchdog_sleeps, writes) = (AtomicBool::new(true), AtomicBool::new(false));
        (Leadership { epoch: AtomicU64::new(0), watchdog_sleeps, writes }, Ticket(0))
    }

    /// The leader starts a step that may take long.
    pub(crate) fn start_work(&self, ticket: &mut Ticket, wakeup: &Wakeup) {
        ticket.0 += 1;
        // Both sides use sequentially consistent operations (see `sleep`): either this thread sees that the watchdog sleeps
        // and wakes it, or the watchdog sees that the epoch changed and does not sleep.
        self.epoch.store(ticket.0, Ordering::SeqCst);
        if self.watchdog_sleeps.load(Ordering::SeqCst) && self.watchdog_sleeps.swap(false, Ordering::SeqCst) {
            // Delayed by a tick: nearly every step is over by then, and the watchdog then has nothing to do.
            wakeup.wake_in(TICK);
        }
    }

    /// The leader starts a write.
    pub(crate) fn start_write(&self, ticket: &mut Ticket, wakeup: &Wakeup) {
        self.writes.store(true, Ordering::Relaxed);
        self.start_work(ticket, wakeup);
    }

    /// The leader finished a write. Returns false if it was replaced during the write.
    pub(crate) fn finish_write(&self, ticket: &mut Ticket) -> bool {
        let back = self.finish_work(ticket);
        if back {
            self.writes.store(false, Ordering::Relaxed);
        }
        back
    }

    /// Returns whether the current step of the leader is a write.
    pub(crate) fn writes(&self) -> bool {
        self.writes.load(Ordering::Relaxed)
    }

    /// The leader finished a step. Returns false if it was replaced during the step.
    pub(crate) fn finish_work(&self, ticket: &mut Ticket) -> bool {
        let back = self.epoch.compare_exchange(ticket.0, ticket.0 + 1, Ordering::AcqRel, Ordering::Acquire).is_ok();
        ticket.0 += 1;
        back
    }

    /// Replaces a leader that is still in the step that started at epoch `seen`. Returns the ticket of the next leader, or
    /// `None` if the step has ended.
    pub(crate) fn take_over(&self, seen: u64) -> Option<Ticket> {
        self.epoch.compare_exchange(seen, seen + 1, Ordering::AcqRel, Ordering::Acquire).ok()?;
        self.writes.store(false, Ordering::Relaxed);
        Some(Ticket(seen + 1))
    }

    /// Returns the current epoch.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::SeqCst)
    }

    /// Marks the watchdog as sleeping. Returns false, and does not mark it, if the epoch is no longer `seen`.
    pub(crate) fn sleep(&self, seen: u64) -> bool {
        self.watchdog_sleeps.store(true, Ordering::SeqCst);
        let sleeps = self.epoch() == seen;
        if !sleeps {
            self.watchdog_sleeps.store(false, Ordering::SeqCst);
        }
        sleeps
    }
}

/// Returns whether the leader is in a step that may take long at this epoch.
pub(crate) fn is_busy(epoch: u64) -> bool {
    epoch % 2 == 1
}

impl Ticket {
    /// Returns the epoch of this ticket.
    pub(crate) fn epoch(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leader_either_finishes_its_step_or_is_replaced() {
        let (wakeup, (lead, mut first)) = (Wakeup::new().unwrap(), Leadership::new());
        lead.start_work(&mut first, &wakeup);
        assert!(is_busy(lead.epoch()));
        let seen = lead.epoch();
        assert!(lead.finish_work(&mut first));
        assert_eq!(lead.take_over(seen), None, "the step has ended");

        lead.start_work(&mut first, &wakeup);
        let mut second = lead.take_over(lead.epoch()).expect("the leader is still in the step");
        assert!(!lead.finish_work(&mut first));
        lead.start_work(&mut second, &wakeup);
        assert!(lead.finish_work(&mut second));
    }

    #[test]
    fn writes_reports_only_the_current_leader() {
        let (wakeup, (lead, mut first)) = (Wakeup::new().unwrap(), Leadership::new());
        lead.start_write(&mut first, &wakeup);
        assert!(lead.writes());
        let mut second = lead.take_over(lead.epoch()).expect("the leader is still in the step");
        assert!(!lead.writes(), "only the replaced leader writes");
        lead.start_write(&mut second, &wakeup);
        assert!(!lead.finish_write(&mut first));
        assert!(lead.writes(), "the second leader writes");
        assert!(lead.finish_write(&mut second));
        assert!(!lead.writes());
    }

    #[test]
    fn a_leader_wakes_the_watchdog_only_when_it_sleeps() {
        let (wakeup, (lead, mut ticket)) = (Wakeup::new().unwrap(), Leadership::new());
        lead.start_work(&mut ticket, &wakeup);
        assert!(lead.finish_work(&mut ticket));
        assert!(!lead.sleep(0), "the epoch has changed");
        assert!(lead.sleep(lead.epoch()));
        lead.start_work(&mut ticket, &wakeup);
        assert!(!lead.watchdog_sleeps.load(Ordering::SeqCst));
    }
}
