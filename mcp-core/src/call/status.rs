//! The status of a call: running, answered, cancelled or timed out.
//!
//! The package `status-model` compiles this file a second time with the synchronization types of loom, and tests all
//! interleavings.

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

/// The status of a call. One compare-and-swap decides between the response and a cancellation, so exactly one of them wins.
#[derive(Debug, Default)]
pub(crate) struct CallStatus {
    state: AtomicU8,
    listeners: Mutex<Listeners>,
}

/// What a cancellation notifies.
///
/// The lock prevents lost notifications. A listener registers under the lock and then reads the state. A cancellation changes
/// the state and then takes the lock. So either the listener sees the changed state, or the cancellation sees the listener.
#[derive(Debug, Default)]
struct Listeners {
    /// Created on first use: most tools never ask for it.
    token: Option<Cancellation>,
    waker: Option<Waker>,
}

impl CallStatus {
    /// Claims the right to respond. Returns `false` if the call was cancelled before.
    pub(crate) fn answer(&self) -> bool {
        self.state.compare_exchange(RUNNING, ANSWERED, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Cancels the call. Returns `false` if it was answered or cancelled before.
    pub(crate) fn cancel(&self) -> bool {
        self.stop(CANCELLED)
    }

    /// Claims the right to respond after a timeout, and cancels the token of the tool. Returns `false` if the call was
    /// answered or cancelled before.
    pub(crate) fn expire(&self) -> bool {
        self.stop(EXPIRED)
    }

    fn stop(&self, state: u8) -> bool {
        if self.state.compare_exchange(RUNNING, state, Ordering::AcqRel, Ordering::Acquire).is_err() {
            return false;
        }
        let mut listeners = self.listeners();
        let (token, waker) = (listeners.token.clone(), listeners.waker.take());
        // Release the lock before calling foreign code, which may take locks of its own.
        drop(listeners);
        if let Some(token) = token {
            token.cancel();
        }
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }

    /// Returns whether the call was cancelled or timed out.
    pub(crate) fn is_stopped(&self) -> bool {
        self.state.load(Ordering::Acquire) >= CANCELLED
    }

    /// Returns whether the call was stopped, or the tool itself cancelled the token of the call.
    #[cfg(not(mcp_loom))]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_stopped() || self.listeners().token.as_ref().is_some_and(Cancellation::is_cancelled)
    }

    /// Returns a token that is cancelled with the call.
    pub(crate) fn token(&self) -> Cancellation {
        let token = self.listeners().token.get_or_insert_default().clone();
        // The call may have been cancelled before the token existed.
        if self.is_stopped() {
            token.cancel();
        }
        token
    }

    /// Sets the waker that a cancellation wakes. The caller must check [`is_stopped`](Self::is_stopped) afterwards, because
    /// an earlier cancellation does not wake it.
    pub(crate) fn register(&self, waker: &Waker) {
        match &mut self.listeners().waker {
            Some(old) if old.will_wake(waker) => {}
            slot => *slot = Some(waker.clone()),
        }
    }

    /// Wakes the task that polls the call.
    #[cfg(not(mcp_loom))]
    pub(crate) fn wake(&self) {
        let waker = self.listeners().waker.clone();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// No code panics while it holds the lock, so the content of a poisoned lock is still consistent.
    fn listeners(&self) -> MutexGuard<'_, Listeners> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, not(mcp_loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_either_answered_or_cancelled() {
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
    fn a_token_that_the_tool_cancels_is_seen_by_is_cancelled() {
        let status = CallStatus::default();
        status.token().cancel();
        assert!(status.is_cancelled() && !status.is_stopped());
        assert!(status.answer(), "the tool can still return a result");
    }

    #[test]
    fn a_token_created_before_the_cancellation_is_cancelled() {
        let status = CallStatus::default();
        let token = status.token();
        assert!(status.cancel());
        assert!(token.is_cancelled());
    }
}
