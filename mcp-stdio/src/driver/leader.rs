//! Whose turn it is to read: one word that the leading thread and its watchdog decide by.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::driver::watchdog::TICK;
use crate::sys::wakeup::Wakeup;

/// Who leads. The word only ever grows: even while the leader reads, odd while it is in something that may take long.
///
/// One compare-and-swap decides between "the leader came back" and "another thread took over", so it is always exactly one
/// of them, and what the leader holds changes hands with it.
#[derive(Debug)]
pub(crate) struct Leadership {
    word: AtomicU64,
    /// The watchdog waits to be woken.
    watchdog_sleeps: AtomicBool,
    /// What the leader is in is a write.
    writes: AtomicBool,
}

/// The leader's knowledge of the word: who has the current one leads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ticket(u64);

impl Leadership {
    /// A lead, and the ticket of the first leader.
    pub(crate) fn new() -> (Leadership, Ticket) {
        let (watchdog_sleeps, writes) = (AtomicBool::new(true), AtomicBool::new(false));
        (Leadership { word: AtomicU64::new(0), watchdog_sleeps, writes }, Ticket(0))
    }

    /// The leader begins something that may take long.
    pub(crate) fn enter(&self, ticket: &mut Ticket, wakeup: &Wakeup) {
        ticket.0 += 1;
        // Sequentially consistent, as in `sleep`: either we see that the watchdog sleeps, or it sees that we are busy.
        self.word.store(ticket.0, Ordering::SeqCst);
        if self.watchdog_sleeps.load(Ordering::SeqCst) && self.watchdog_sleeps.swap(false, Ordering::SeqCst) {
            // Not at once: nearly everything is over by then, and needs no other thread.
            wakeup.ring_in(TICK);
        }
    }

    /// The leader begins to write.
    pub(crate) fn enter_write(&self, ticket: &mut Ticket, wakeup: &Wakeup) {
        self.writes.store(true, Ordering::Relaxed);
        self.enter(ticket, wakeup);
    }

    /// The leader is back from a write; false if another thread leads by now.
    pub(crate) fn leave_write(&self, ticket: &mut Ticket) -> bool {
        let back = self.leave(ticket);
        if back {
            self.writes.store(false, Ordering::Relaxed);
        }
        back
    }

    /// Whether what the leader is in is a write.
    pub(crate) fn writes(&self) -> bool {
        self.writes.load(Ordering::Relaxed)
    }

    /// The leader is back; false if another thread leads by now.
    pub(crate) fn leave(&self, ticket: &mut Ticket) -> bool {
        let back = self.word.compare_exchange(ticket.0, ticket.0 + 1, Ordering::AcqRel, Ordering::Acquire).is_ok();
        ticket.0 += 1;
        back
    }

    /// Takes the lead from a leader that has been busy with the same thing all the time.
    pub(crate) fn depose(&self, seen: u64) -> Option<Ticket> {
        self.word.compare_exchange(seen, seen + 1, Ordering::AcqRel, Ordering::Acquire).ok()?;
        self.writes.store(false, Ordering::Relaxed);
        Some(Ticket(seen + 1))
    }

    /// The word as it stands.
    pub(crate) fn look(&self) -> u64 {
        self.word.load(Ordering::SeqCst)
    }

    /// The watchdog wants to sleep because the word has not moved; false if it moved after all.
    pub(crate) fn sleep(&self, seen: u64) -> bool {
        self.watchdog_sleeps.store(true, Ordering::SeqCst);
        let sleeps = self.look() == seen;
        if !sleeps {
            self.watchdog_sleeps.store(false, Ordering::SeqCst);
        }
        sleeps
    }
}

/// Whether the leader was in something that may take long.
pub(crate) fn is_busy(word: u64) -> bool {
    word % 2 == 1
}

impl Ticket {
    /// The word of this ticket, to recognise it later.
    pub(crate) fn word(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leader_either_comes_back_or_is_deposed() {
        let (wakeup, (lead, mut first)) = (Wakeup::new().unwrap(), Leadership::new());
        lead.enter(&mut first, &wakeup);
        assert!(is_busy(lead.look()));
        let seen = lead.look();
        assert!(lead.leave(&mut first));
        assert_eq!(lead.depose(seen), None, "it came back before");

        lead.enter(&mut first, &wakeup);
        let mut second = lead.depose(lead.look()).expect("it is still busy");
        assert!(!lead.leave(&mut first));
        lead.enter(&mut second, &wakeup);
        assert!(lead.leave(&mut second));
    }

    #[test]
    fn only_the_leader_at_present_is_said_to_write() {
        let (wakeup, (lead, mut first)) = (Wakeup::new().unwrap(), Leadership::new());
        lead.enter_write(&mut first, &wakeup);
        assert!(lead.writes());
        let mut second = lead.depose(lead.look()).expect("it is still busy");
        assert!(!lead.writes(), "that was the one before");
        lead.enter_write(&mut second, &wakeup);
        assert!(!lead.leave_write(&mut first));
        assert!(lead.writes(), "the second one does");
        assert!(lead.leave_write(&mut second));
        assert!(!lead.writes());
    }

    #[test]
    fn a_leader_wakes_the_watchdog_only_when_it_sleeps() {
        let (wakeup, (lead, mut ticket)) = (Wakeup::new().unwrap(), Leadership::new());
        lead.enter(&mut ticket, &wakeup);
        assert!(lead.leave(&mut ticket));
        assert!(!lead.sleep(0), "the word has moved");
        assert!(lead.sleep(lead.look()));
        lead.enter(&mut ticket, &wakeup);
        assert!(!lead.watchdog_sleeps.load(Ordering::SeqCst));
    }
}
