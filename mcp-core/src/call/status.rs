//! The status of a call: running, answered, cancelled or timed out.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use crate::call::cancellation::Cancellation;

/// The status of a call. The first response, cancellation or timeout ends the call. All later ones are rejected.
///
/// One lock guards the state and everything that a cancellation notifies. So a task that registers for a notification
/// either sees that the call has ended, or is notified.
#[derive(Debug, Default)]
pub(crate) struct CallStatus(Mutex<Status>);

#[derive(Debug, Default)]
struct Status {
    state: State,
    /// The token of the tool. Created on first use: most tools never ask for it.
    token: Option<Cancellation>,
    /// Wakes the task that polls the call.
    waker: Option<Waker>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Running,
    Answered,
    Cancelled,
    TimedOut,
}

impl State {
    /// Returns whether the call ended without a result of the tool.
    fn is_stopped(self) -> bool {
        matches!(self, State::Cancelled | State::TimedOut)
    }
}

impl CallStatus {
    /// Claims the right to respond. Returns `false` if the call was cancelled before.
    pub(crate) fn answer(&self) -> bool {
        let mut status = self.lock();
        let was_running = status.state == State::Running;
        if was_running {
            status.state = State::Answered;
        }
        was_running
    }

    /// Cancels the call. Returns `false` if it was answered or cancelled before.
    pub(crate) fn cancel(&self) -> bool {
        self.stop(State::Cancelled)
    }

    /// Claims the right to respond after a timeout, and cancels the token of the tool. Returns `false` if the call was
    /// answered or cancelled before.
    pub(crate) fn expire(&self) -> bool {
        self.stop(State::TimedOut)
    }

    fn stop(&self, state: State) -> bool {
        let mut status = self.lock();
        if status.state != State::Running {
            return false;
        }
        status.state = state;
        let (token, waker) = (status.token.clone(), status.waker.take());
        // Release the lock before calling foreign code, which may take locks of its own.
        drop(status);
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
        self.lock().state.is_stopped()
    }

    /// Returns whether the call was stopped, or the tool itself cancelled the token of the call.
    pub(crate) fn is_cancelled(&self) -> bool {
        let status = self.lock();
        status.state.is_stopped() || status.token.as_ref().is_some_and(Cancellation::is_cancelled)
    }

    /// Returns a token that is cancelled with the call.
    pub(crate) fn token(&self) -> Cancellation {
        let mut status = self.lock();
        let is_stopped = status.state.is_stopped();
        let token = status.token.get_or_insert_default().clone();
        drop(status);
        // The call may have been cancelled before the token existed.
        if is_stopped {
            token.cancel();
        }
        token
    }

    /// Sets the waker that a cancellation wakes. Returns `false` if the call was stopped before: then nothing wakes it.
    #[must_use]
    pub(crate) fn register(&self, waker: &Waker) -> bool {
        let mut status = self.lock();
        if status.state.is_stopped() {
            return false;
        }
        match &mut status.waker {
            Some(old) => old.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        true
    }

    /// Wakes the task that polls the call.
    pub(crate) fn wake(&self) {
        let waker = self.lock().waker.clone();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Locks the content. No code panics while it holds the lock, so the content of a poisoned lock is still consistent.
    fn lock(&self) -> MutexGuard<'_, Status> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::task::Wake;
    use std::thread;

    use super::*;

    const ENDINGS: [fn(&CallStatus) -> bool; 3] = [CallStatus::answer, CallStatus::cancel, CallStatus::expire];

    #[test]
    fn of_a_response_a_cancellation_and_a_timeout_the_first_wins_in_every_order() {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let status = CallStatus::default();
            assert_eq!(order.map(|ending| ENDINGS[ending](&status)), [true, false, false], "{order:?}");
            assert_eq!(status.is_stopped(), order[0] != 0, "{order:?}");
            assert_eq!(status.token().is_cancelled(), order[0] != 0, "{order:?}");
        }
    }

    #[test]
    fn of_a_response_a_cancellation_and_a_timeout_on_three_threads_exactly_one_wins() {
        for _ in 0..1000 {
            let status = &CallStatus::default();
            let wins = thread::scope(|scope| {
                ENDINGS.map(|ending| scope.spawn(move || ending(status))).map(|thread| thread.join().unwrap())
            });
            assert_eq!(wins.into_iter().filter(|won| *won).count(), 1);
            assert_eq!(status.is_stopped(), !wins[0]);
        }
    }

    struct Flag(AtomicBool);

    impl Wake for Flag {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    #[test]
    fn a_task_that_registers_is_woken_or_sees_the_cancellation() {
        for _ in 0..1000 {
            let (status, flag) = (CallStatus::default(), Arc::new(Flag(AtomicBool::new(false))));
            let is_registered = thread::scope(|scope| {
                let cancel = scope.spawn(|| status.cancel());
                let is_registered = status.register(&Waker::from(flag.clone()));
                assert!(cancel.join().unwrap());
                is_registered
            });
            assert_eq!(flag.0.load(Ordering::SeqCst), is_registered);
        }
    }

    #[test]
    fn a_token_is_cancelled_whether_it_was_created_before_or_after_the_cancellation() {
        let status = CallStatus::default();
        let before = status.token();
        assert!(!before.is_cancelled() && status.cancel());
        assert!(before.is_cancelled() && status.token().is_cancelled());
    }

    #[test]
    fn a_token_that_the_tool_cancels_is_seen_by_is_cancelled() {
        let status = CallStatus::default();
        status.token().cancel();
        assert!(status.is_cancelled() && !status.is_stopped());
        assert!(status.answer(), "the tool can still return a result");
    }
}
