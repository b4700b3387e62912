//! Replaces a leader that is blocked in a call or a write.

use std::sync::Arc;
use std::time::Duration;

use crate::driver::Driver;
use crate::driver::leader::is_busy;

/// Time between two checks. A leader is replaced when a call takes more than one to two ticks, or two ticks if the call had
/// to wake the watchdog.
///
/// A tick is longer than the first call of a tool takes, which builds the validator of its schema.
pub(crate) const TICK: Duration = Duration::from_millis(4);

/// Additional ticks that a blocked write is allowed. Until the client reads, no reply can be sent to it, and replies to
/// further messages would only fill the memory.
const EXTRA_TICKS_FOR_WRITE: u32 = 12;

/// Ticks without any step of the leader after which the watchdog sleeps until the next step wakes it.
const TICKS_UNTIL_SLEEP: u32 = 12;

/// Detects that the leader is blocked.
///
/// It compares the epoch with that of the last tick. Short calls therefore cost one increment, and a busy server a few
/// hundred ticks a second.
#[derive(Debug)]
pub(crate) struct Watchdog {
    seen: u64,
    stuck: u32,
    quiet: u32,
    asleep: bool,
}

impl Watchdog {
    pub(crate) fn new() -> Watchdog {
        Watchdog { seen: 0, stuck: 0, quiet: 0, asleep: true }
    }

    /// Returns the time until the next tick, or `None` while the watchdog sleeps.
    pub(crate) fn pause(&self) -> Option<Duration> {
        (!self.asleep).then_some(TICK)
    }

    /// Checks the leader once.
    pub(crate) fn tick(&mut self, driver: &Arc<Driver>) {
        let lead = &driver.host.lead;
        let epoch = lead.epoch();
        let changed = epoch != self.seen;
        if changed || is_busy(epoch) {
            self.quiet = 0;
            self.asleep = false;
            driver.host.output.tick();
        } else {
            self.quiet += 1;
        }
        self.stuck = if changed || !is_busy(epoch) { 0 } else { self.stuck + 1 };
        if self.stuck > if lead.writes() { EXTRA_TICKS_FOR_WRITE } else { 0 } {
            driver.replace_leader(epoch);
        }
        self.seen = epoch;
        if self.quiet >= TICKS_UNTIL_SLEEP && !self.asleep {
            self.quiet = 0;
            self.asleep = lead.sleep(epoch);
        }
    }
}
