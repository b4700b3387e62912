//! Looks after the leader, but only while there is something to look after.

use std::sync::Arc;
use std::time::Duration;

use crate::driver::Driver;
use crate::driver::leader::is_busy;

/// How often it looks. A call that takes between one and two of these loses its thread the lead; one that wakes it, two.
///
/// More than the first call takes of a tool whose validator is built for it, which is no reason to change the lead.
pub(crate) const TICK: Duration = Duration::from_millis(4);

/// A client that does not read at the moment is waited for so many ticks more: until it reads, nothing can be told to it anyway,
/// and what is answered meanwhile would only fill the memory.
const SLOW_CLIENT: u32 = 12;

/// After this many ticks without any call it sleeps, and the next call wakes it.
const PATIENCE: u32 = 12;

/// Finds out that the leader is stuck.
///
/// It sees whether the leader is in the same call as at the last tick, so quick calls cost it nothing but a counter, and a
/// busy server a few hundred ticks a second.
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

    /// How long to wait before the next tick; none when a call will ring.
    pub(crate) fn pause(&self) -> Option<Duration> {
        (!self.asleep).then_some(TICK)
    }

    /// Looks once.
    pub(crate) fn tick(&mut self, driver: &Arc<Driver>) {
        let lead = &driver.host.lead;
        let word = lead.look();
        let moved = word != self.seen;
        if moved || is_busy(word) {
            self.quiet = 0;
            self.asleep = false;
            driver.host.output.tick();
        } else {
            self.quiet += 1;
        }
        self.stuck = if moved || !is_busy(word) { 0 } else { self.stuck + 1 };
        if self.stuck > if lead.writes() { SLOW_CLIENT } else { 0 } {
            driver.promote(word);
        }
        self.seen = word;
        if self.quiet >= PATIENCE && !self.asleep {
            self.quiet = 0;
            self.asleep = lead.sleep(word);
        }
    }
}
