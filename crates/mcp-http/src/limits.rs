//! Every limit on memory, concurrency and time: what [`Http`](crate::Http) can set, and what is fixed.

use std::sync::Arc;
use std::time::Duration;

use crate::peer::Client;
use crate::quota::{Quota, Share};
use crate::responses::Refusal;

/// One client may use the total divided by this number, unless another limit is set.
pub(crate) const PARTS: usize = 4;

/// Body bytes that a request may use without taking a share of [`LARGE_BODIES`].
pub(crate) const SMALL_BODY: usize = 16 << 10;

/// Total bytes of all large request bodies that are in memory at once.
pub(crate) const LARGE_BODIES: usize = 64 << 20;

/// Size limit of a request head: the request line and the headers.
pub(crate) const MAX_REQUEST_HEAD: usize = 64 << 10;

/// Unread bytes of one stream above which notifications are dropped. A tool that logs without end to a client that does not
/// read must not fill the memory.
pub(crate) const MAX_UNREAD_NOTIFICATIONS: usize = 1 << 20;

/// Unread bytes of one stream above which a stream that carries several responses is closed: its client sends requests and
/// does not read the responses.
pub(crate) const MAX_UNREAD_RESPONSES: usize = 8 << 20;

/// Bytes of each stream that are kept after they were sent, for a client that resumes the stream.
pub(crate) const REPLAY_BYTES_PER_STREAM: usize = 64 << 10;

/// The number of finished streams of one session that are kept for a client that resumes them.
pub(crate) const FINISHED_STREAMS: usize = 16;

/// Total bytes of the finished streams of one session.
pub(crate) const FINISHED_STREAM_BYTES: usize = 1 << 20;

/// Time after which a request without a response is answered with an event stream, so that proxies do not time out.
pub(crate) const STREAM_AFTER: Duration = Duration::from_secs(10);

/// Time without a message after which a stream sends a comment, so that proxies do not close it.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Delay after which a client should reconnect to a stream that it lost.
pub(crate) const RECONNECT_DELAY: Duration = Duration::from_millis(500);

/// Idle time after which a session that was used may be ended to make room for another session of the same client.
pub(crate) const EVICT_IDLE_SESSION: Duration = Duration::from_secs(60);

/// Interval of the search for sessions that have expired.
pub(crate) const EXPIRY_CHECK: Duration = Duration::from_secs(60);

/// Pause before accepting again after the system failed to accept a connection, for example for lack of file descriptors.
pub(crate) const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// The same pause, if an idle connection was closed to make room.
pub(crate) const ACCEPT_RETRY_AFTER_CLOSE: Duration = Duration::from_millis(1);

/// The limits that [`Http`](crate::Http) can set. Its methods document them.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    pub(crate) max_body: usize,
    pub(crate) body_timeout: Duration,
    pub(crate) header_timeout: Duration,
    pub(crate) write_timeout: Duration,
    pub(crate) connections: Limit,
    pub(crate) requests: Limit,
    pub(crate) streams: Limit,
    pub(crate) sessions: Limit,
    pub(crate) session_idle: Duration,
    pub(crate) grace: Duration,
}

/// A limit in total and for each client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) total: usize,
    /// The limit for each client. `None`: a quarter of the total.
    pub(crate) per_client: Option<usize>,
}

impl Limit {
    const fn new(total: usize) -> Limit {
        Limit { total, per_client: None }
    }

    /// Returns the limit for each client.
    pub(crate) fn per_client(self) -> usize {
        self.per_client.unwrap_or(self.total.div_ceil(PARTS))
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_body: 4 << 20,
            body_timeout: Duration::from_secs(30),
            header_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            connections: Limit::new(1024),
            requests: Limit::new(1024),
            streams: Limit::new(512),
            sessions: Limit::new(1024),
            session_idle: Duration::from_secs(30 * 60),
            grace: Duration::from_secs(10),
        }
    }
}

/// Counts the requests and the long-lived streams that are open, and refuses those above the limits.
#[derive(Debug)]
pub(crate) struct Slots {
    requests: Arc<Quota>,
    streams: Arc<Quota>,
}

impl Slots {
    pub(crate) fn new(limits: &Limits) -> Slots {
        let quota = |limit: Limit| Quota::new(limit.total, limit.per_client());
        Slots { requests: quota(limits.requests), streams: quota(limits.streams) }
    }

    /// Takes a slot for a request. Dropping the share frees the slot.
    pub(crate) fn request(&self, client: &Client) -> Result<Share, Refusal> {
        self.requests.take(client, 1).map_err(|exceeded| Refusal::over_limit(exceeded, "requests"))
    }

    /// Takes a slot for a stream that stays open. Dropping the share frees the slot.
    pub(crate) fn stream(&self, client: &Client) -> Result<Share, Refusal> {
        self.streams.take(client, 1).map_err(|exceeded| Refusal::over_limit(exceeded, "streams"))
    }
}
