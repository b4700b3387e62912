//! How long clients may keep what they were told.

use std::time::Duration;

/// How long a client may keep a list or what a resource holds, and whether for everybody.
///
/// Revision 2026-07-28 says so with each of them; others do not know it.
///
/// ```
/// use std::time::Duration;
/// use mcp_core::{Cache, Server};
///
/// let server = Server::new("news", "1.0.0")
///     .cache_lists(Cache::public(Duration::from_secs(86_400)))
///     .cache_reads(Cache::private(Duration::from_secs(60)));
/// # let _ = server;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    ttl: Duration,
    scope: &'static str,
}

impl Cache {
    /// Nobody keeps it: it may be other at any time, and is meant for whoever asked.
    pub const NONE: Cache = Cache::private(Duration::ZERO);

    /// Whoever is in between may keep it for all clients.
    pub const fn public(ttl: Duration) -> Cache {
        Cache { ttl, scope: "public" }
    }

    /// Only the client that asked may keep it.
    pub const fn private(ttl: Duration) -> Cache {
        Cache { ttl, scope: "private" }
    }

    /// The lists of a server that does not change.
    pub(crate) const LISTS: Cache = Cache::public(Duration::from_secs(3600));

    /// The lists of a server that may change at any time; who wants to know listens.
    pub(crate) const LIVE_LISTS: Cache = Cache::public(Duration::ZERO);

    pub(crate) fn ttl_ms(self) -> u64 {
        u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX)
    }

    pub(crate) fn scope(self) -> &'static str {
        self.scope
    }
}
