//! Detects that the leader has been in the same step for too long.

use std::mem;

/// The number of ticks after the first one that sees a call, after which its leader is replaced.
pub(crate) const TICKS_FOR_CALL: u32 = 1;

/// The same for a write. It is longer, because no response can be sent until the client reads, and responses to further
/// messages would only fill the memory.
pub(crate) const TICKS_FOR_WRITE: u32 = 13;

/// The number of ticks without a new step after which the supervisor sleeps.
const TICKS_UNTIL_SLEEP: u32 = 12;

/// What the supervisor knows about the steps of the leader. A step is a call or a write.
///
/// While there are steps, the supervisor ticks. At each tick it compares the number of steps with that of the last tick. A short
/// step therefore costs one increment.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// The supervisor ticks. Otherwise it sleeps, and the next step wakes it.
    ticking: bool,
    /// The number of steps that have begun, now and at the last tick.
    steps: u64,
    seen: u64,
    /// The number of ticks since the first one that has seen the last step.
    ticks: u32,
}

impl Watch {
    /// Called when a step begins. Returns whether the supervisor sleeps and must be woken.
    pub(crate) fn begin_step(&mut self) -> bool {
        self.steps += 1;
        !mem::replace(&mut self.ticking, true)
    }

    /// Called after a tick. `limit` is the limit of ticks for the current step of the leader, if it is in one. Returns whether the leader should be
    /// replaced.
    pub(crate) fn tick(&mut self, limit: Option<u32>) -> bool {
        if mem::replace(&mut self.seen, self.steps) != self.steps {
            self.ticks = 0;
            return false;
        }
        self.ticks += 1;
        if limit.is_none() {
            self.ticking = self.ticks < TICKS_UNTIL_SLEEP;
        }
        limit.is_some_and(|limit| self.ticks >= limit)
    }

    /// Returns whether no step has begun since the last tick.
    pub(crate) fn saw_last_step(&self) -> bool {
        self.seen == self.steps
    }

    /// Returns whether the supervisor ticks.
    pub(crate) fn is_ticking(&self) -> bool {
        self.ticking
    }
}
