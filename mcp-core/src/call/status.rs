//! Who owns the reply of a call: the tool that finishes, or the client that cancels.
//!
//! The package `status-model` compiles this file a second time, with the synchronisation of loom, and runs all interleavings.

#[cfg(mcp_loom)]
use loom::sync::{Mutex, MutexGuard, atomic::AtomicU8};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
#[cfg(not(mcp_loom))]
use std::sync::{Mutex, MutexGuard, atomic::AtomicU8};
use std::task::Waker;

use crate::call::cancellation::Cancellation;

const RUNNING: u8 = 0;
const ANSWERED: u8 = 1;
const CANCELLED: u8 = 2;
const EXPIRED: u8 = 3;

/// The status of a call. One compare-and-swap decides between reply and cancel, so it is always exactly one of them.
#[derive(Debug, Default)]
pub(crate) struct CallStatus {
    state: AtomicU8,
    listeners: Mutex<Listeners>,
}

/// Whom to tell of a cancel.
///
/// The lock is what makes sure that they are told: who comes to listen takes it before the look at the state, who cancels
/// after the change of the state, so one of them sees the other.
#[derive(Debug, Default)]
struct Listeners {
    /// Made only for those who ask: most tools never look.
    token: Option<Cancellation>,
    waker: Option<Waker>,
}

impl CallStatus {
    /// Claims the reply; false if the call was cancelled before.
    pub(crate) fn answer(&self) -> bool {
        self.state.compare_exchange(RUNNING, ANSWERED, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Cancels the call; false if it was answered or cancelled before.
    pub(crate) fn cancel(&self) -> bool {
        self.stop(CANCELLED)
    }

    /// Claims the reply because the time is up, and tells the tool to stop; false if it was answered or cancelled before.
    pub(crate) fn expire(&self) -> bool {
        self.stop(EXPIRED)
    }

    fn stop(&self, state: u8) -> bool {
        if self.state.compare_exchange(RUNNING, state, Ordering::AcqRel, Ordering::Acquire).is_err() {
            return false;
        }
        let mut listeners = self.listeners();
        let (token, waker) = (listeners.token.clone(), listeners.waker.take());
        // Those who are told may have locks of their own.
        drop(listeners);
        if let Some(token) = token {
            token.cancel();
        }
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }

    /// Nobody waits for the tool any more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.state.load(Ordering::Acquire) >= CANCELLED
    }

    /// A token that is cancelled with the call.
    pub(crate) fn token(&self) -> Cancellation {
        let token = self.listeners().token.get_or_insert_default().clone();
        // The cancel may have come before there was a token to tell.
        if self.is_stopped() {
            token.cancel();
        }
        token
    }

    /// Whom to wake on cancel. The caller looks at [`is_stopped`](Self::is_stopped) afterwards, or misses an earlier one.
    pub(crate) fn register(&self, waker: &Waker) {
        match &mut self.listeners().waker {
            Some(old) if old.will_wake(waker) => {}
            slot => *slot = Some(waker.clone()),
        }
    }

    /// Has the call looked at again, for whatever reason.
    #[cfg(not(mcp_loom))]
    pub(crate) fn wake(&self) {
        let waker = self.listeners().waker.clone();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Nothing panics while the lock is held, so a poisoned one is as good as new.
    fn listeners(&self) -> MutexGuard<'_, Listeners> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, not(mcp_loom)))]
mod tests {
    use super::*;

    #[test]
    fn reply_and_cancel_exclude_each_other() {
        let answered = CallStatus::default();
        assert!(answered.answer());
        assert!(!answered.cancel());
        assert!(!answered.token().is_cancelled());

        let cancelled = CallStatus::default();
        assert!(cancelled.cancel());
        assert!(!cancelled.answer());
        assert!(cancelled.token().is_cancelled());
    }

    #[test]
    fn a_token_made_before_the_cancel_is_told() {
        let status = CallStatus::default();
        let token = status.token();
        assert!(status.cancel());
        assert!(token.is_cancelled());
    }
}
