//! The options of a hub.

use std::time::Duration;

/// The options of a hub that its parts need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    pub(crate) ring_events: usize,
    pub(crate) ring_bytes: usize,
    pub(crate) lease: Duration,
    pub(crate) idle: Duration,
    pub(crate) heartbeat: Duration,
    pub(crate) retry: Duration,
    pub(crate) max_watchers: usize,
    pub(crate) max_sessions: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ring_events: 1000,
            ring_bytes: 4 << 20,
            lease: Duration::from_secs(12),
            idle: Duration::from_secs(15 * 60),
            heartbeat: Duration::from_secs(15),
            retry: Duration::from_secs(1),
            max_watchers: 1000,
            max_sessions: 100,
        }
    }
}
