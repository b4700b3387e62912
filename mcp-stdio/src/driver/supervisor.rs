//! The supervisor: the main thread, which replaces a blocked leader and shuts the server down.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::driver::Driver;
use crate::driver::shutdown::ShutdownReason;
use crate::driver::state::{State, Work};
use crate::sys::Parent;

/// Time between two checks of the leader. A leader is replaced when a call takes more than one to two ticks.
///
/// A tick is longer than the first call of a tool takes, which builds the validator of its schema.
pub(crate) const TICK: Duration = Duration::from_millis(4);

/// Time between two checks of the parent process.
pub(crate) const PARENT_CHECK: Duration = Duration::from_secs(2);

/// Time that cancelled calls have to end at shutdown.
pub(crate) const CANCEL_TIMEOUT: Duration = Duration::from_millis(300);

/// Time for which a client may read nothing at shutdown. Together with the default grace this is less than the two seconds after which
/// clients kill a server.
pub(crate) const WRITE_TIMEOUT: Duration = Duration::from_millis(500);

impl Driver {
    /// Watches the leader and the parent process until the shutdown is requested. Returns the reason.
    pub(crate) fn supervise(self: &Arc<Driver>, parent: Option<&Parent>) -> ShutdownReason {
        let mut next_check = Instant::now() + PARENT_CHECK;
        loop {
            let ticking = self.shared.with(|state| state.is_ticking());
            let until_check = parent.map(|_| next_check.saturating_duration_since(Instant::now()));
            let timeout = if ticking { Some(TICK) } else { until_check };
            self.shared.wait_until(timeout, |state| state.is_shutting_down() || state.is_ticking() != ticking);
            if let Some(reason) = self.shared.with(State::take_end) {
                return reason;
            }
            if ticking && self.shared.with(State::tick) {
                self.replace_leader();
            }
            if let Some(parent) = parent.filter(|_| Instant::now() >= next_check) {
                next_check = Instant::now() + PARENT_CHECK;
                if parent.has_exited() {
                    self.shared.with(|state| state.request_shutdown(ShutdownReason::Orphaned));
                }
            }
        }
    }

    /// Lets another reader thread become the leader, and moves the work of the replaced leader that somebody else can do.
    fn replace_leader(self: &Arc<Driver>) {
        // If no thread can be started, the leader stays.
        let _ = self.ensure_reader_thread();
        match self.shared.with(State::replace_leader) {
            Some(Work::RunJob(call)) => self.spawn_pending(call),
            Some(Work::Poll(Some(job))) => self.host.run_on_pool(job),
            Some(Work::Poll(None) | Work::Write) | None => {}
        }
    }

    /// Waits until all requests are answered, at most for the grace. Then cancels the other calls, and waits until everything
    /// is written or the client no longer reads.
    pub(crate) fn drain(&self, grace: Duration) {
        self.shared.wait_until(Some(grace), |state| state.is_idle());
        self.session.cancel_all();
        self.shared.with(|state| state.queue().close());
        self.shared.wait_until(Some(CANCEL_TIMEOUT), |state| state.is_idle());
        let mut written = self.shared.with(|state| state.queue().written());
        while self.shared.wait_until(Some(WRITE_TIMEOUT), |state| {
            state.queue().is_flushed() || state.queue().written() != written
        }) {
            if self.shared.with(|state| state.queue().is_flushed()) {
                return;
            }
            written = self.shared.with(|state| state.queue().written());
        }
    }
}
