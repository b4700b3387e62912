//! The trace of a simulation: a hash of every event, and the last events as text.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of events that a failure shows.
const SHOWN: usize = 60;

/// Records the events of one simulation. Clones record into the same trace.
#[derive(Clone, Default)]
pub(crate) struct Trace(Arc<Mutex<Events>>);

#[derive(Default)]
struct Events {
    hash: u64,
    count: u64,
    last: VecDeque<String>,
}

impl Trace {
    /// Records an event. Its text must not contain anything that differs between two runs of a seed, such as a random id.
    pub(crate) fn note(&self, event: impl fmt::Display) {
        let text = event.to_string();
        let mut events = self.lock();
        // FNV-1a.
        for byte in text.bytes().chain([b'\n']) {
            events.hash = (events.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        events.count += 1;
        events.last.push_back(text);
        if events.last.len() > SHOWN {
            events.last.pop_front();
        }
    }

    /// Returns the hash of all events so far.
    pub(crate) fn hash(&self) -> u64 {
        self.lock().hash
    }

    /// Returns the number of events so far.
    pub(crate) fn count(&self) -> u64 {
        self.lock().count
    }

    /// Returns the last events, one on each line.
    pub(crate) fn last_events(&self) -> String {
        let events = self.lock();
        events.last.iter().fold(String::new(), |text, event| text + event + "\n")
    }

    fn lock(&self) -> MutexGuard<'_, Events> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
