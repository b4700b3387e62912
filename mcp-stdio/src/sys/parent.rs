//! Whether the process that started us is still there.

use std::time::{Duration, Instant};

use rustix::process::{Pid, getppid};

/// How often to look.
const PERIOD: Duration = Duration::from_secs(2);

/// The process that started us.
///
/// A client that is killed may leave our input open, because a sibling inherited it; we would then wait for ever. The parent
/// is looked at now and then; to ask the kernel for a signal instead would fire when the *thread* that started us ends.
#[derive(Debug)]
pub(crate) struct Parent {
    pid: Option<Pid>,
    looked: Instant,
}

impl Parent {
    /// Whoever is the parent now.
    pub(crate) fn now() -> Parent {
        Parent { pid: getppid(), looked: Instant::now() }
    }

    /// How long until the next look.
    pub(crate) fn pause(&self) -> Duration {
        PERIOD.saturating_sub(self.looked.elapsed())
    }

    /// Looks, if it is time again.
    pub(crate) fn is_gone(&mut self) -> bool {
        if !self.pause().is_zero() {
            return false;
        }
        self.looked = Instant::now();
        getppid() != self.pid
    }
}
