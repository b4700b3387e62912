//! How lost connections are restored.

use std::time::Duration;

use crate::random::random_u32;

/// The count of failures restarts after a connection that lasted at least this long.
pub(crate) const STABLE: Duration = Duration::from_secs(10);

/// The options for restoring a lost connection. The client starts a process again, or opens an HTTP session again.
///
/// The delay before an attempt doubles with each failure in a row, and half of it is random. A connection that is lost within
/// ten seconds counts as a failure, so a server that crashes at every start is not started without end.
///
/// ```
/// use std::time::Duration;
/// use mcp_client::Recovery;
///
/// let patient = Recovery::default().attempts(50).longest_delay(Duration::from_secs(120));
/// # let _ = patient;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    attempts: u32,
    first_delay: Duration,
    longest_delay: Duration,
}

/// Ten attempts, after 100 milliseconds to 30 seconds.
impl Default for Recovery {
    fn default() -> Recovery {
        Recovery { attempts: 10, first_delay: Duration::from_millis(100), longest_delay: Duration::from_secs(30) }
    }
}

impl Recovery {
    /// Does not restore lost connections: every later call fails.
    pub fn off() -> Recovery {
        Recovery { attempts: 0, ..Recovery::default() }
    }

    /// Sets the number of failures in a row after which the client gives up.
    ///
    /// The state is then [`State::Failed`](crate::State::Failed). The next call starts again from the first attempt.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Recovery {
        self.attempts = attempts;
        self
    }

    /// Sets the delay after the first failure.
    #[must_use]
    pub fn first_delay(mut self, delay: Duration) -> Recovery {
        self.first_delay = delay;
        self
    }

    /// Sets the longest delay between two attempts.
    #[must_use]
    pub fn longest_delay(mut self, delay: Duration) -> Recovery {
        self.longest_delay = delay;
        self
    }

    pub(crate) fn is_on(&self) -> bool {
        self.attempts > 0
    }

    pub(crate) fn gives_up(&self, failures: u32) -> bool {
        failures >= self.attempts
    }

    /// Returns the delay after this many failures in a row: between half and all of the doubled delay.
    pub(crate) fn delay(&self, failures: u32) -> Duration {
        if failures == 0 {
            return Duration::ZERO;
        }
        let doubled = self.first_delay.saturating_mul(1 << (failures - 1).min(20));
        let whole = doubled.min(self.longest_delay);
        whole / 2 + (whole / 2).mul_f64(f64::from(random_u32()) / f64::from(u32::MAX))
    }
}

/// The state of a client's connection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// A connection is being opened.
    Connecting,
    /// The connection is open and the handshake is complete.
    Connected,
    /// The connection is lost. Another attempt follows after a delay.
    Waiting {
        /// The number of failures in a row.
        failures: u32,
        /// The time until the next attempt.
        delay: Duration,
    },
    /// The client gave up restoring the connection, or recovery is off.
    Failed,
    /// The client was closed.
    Closed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_longest_and_are_partly_random() {
        let recovery = Recovery::default();
        assert_eq!(recovery.delay(0), Duration::ZERO);
        for (failures, whole) in [(1, 100), (2, 200), (3, 400), (9, 25_600), (10, 30_000), (u32::MAX, 30_000)] {
            let whole = Duration::from_millis(whole);
            for _ in 0..20 {
                let delay = recovery.delay(failures);
                assert!(whole / 2 <= delay && delay <= whole, "{failures}: {delay:?}");
            }
        }
        let delays: std::collections::HashSet<_> = (0..20).map(|_| recovery.delay(5)).collect();
        assert!(delays.len() > 1);
    }
}
