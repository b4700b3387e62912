//! Cache hints for clients.

use std::time::Duration;

/// How long a list or the contents of a resource may be cached, and whether by shared caches.
///
/// Sent in revision 2026-07-28. Older revisions have no cache hints.
///
/// ```
/// use std::time::Duration;
/// use mcp_core::{Cache, Server};
///
/// let server = Server::builder("news", "1.0.0")
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
    /// Not cacheable: it may change at any time, and is meant for the requesting client.
    pub const NONE: Cache = Cache::private(Duration::ZERO);

    /// Allows every cache to keep a result for this long, also caches that several clients share.
    pub const fn public(ttl: Duration) -> Cache {
        Cache { ttl, scope: "public" }
    }

    /// Allows only the requesting client to keep a result for this long.
    pub const fn private(ttl: Duration) -> Cache {
        Cache { ttl, scope: "private" }
    }

    /// Default for the lists of a server that does not change.
    pub(crate) const LISTS: Cache = Cache::public(Duration::from_secs(3600));

    /// Default for the lists of a live server, which may change at any time. Clients subscribe to changes.
    pub(crate) const LIVE_LISTS: Cache = Cache::public(Duration::ZERO);

    pub(crate) fn ttl_ms(self) -> u64 {
        u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX)
    }

    pub(crate) fn scope(self) -> &'static str {
        self.scope
    }
}
