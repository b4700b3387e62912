//! The options that all transports share.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_core::LogLevel;
use mcp_core::protocol::{Implementation, Revision};

use crate::observe::OnMessage;
use crate::recovery::Recovery;

/// Returns the `traceparent` of the current span.
pub(crate) type TraceContext = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// The options that all transports share.
pub(crate) struct Options {
    pub(crate) client_info: Implementation,
    /// The only revision to use.
    pub(crate) pinned: Option<Revision>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) connect_timeout: Duration,
    pub(crate) probe_timeout: Duration,
    pub(crate) recovery: Recovery,
    pub(crate) message_limit: usize,
    pub(crate) page_limit: usize,
    pub(crate) cache: bool,
    pub(crate) tasks: bool,
    pub(crate) validate_output: bool,
    pub(crate) log_level: Mutex<Option<LogLevel>>,
    pub(crate) trace_context: Option<TraceContext>,
    pub(crate) on_message: Option<OnMessage>,
}

impl Default for Options {
    fn default() -> Options {
        let mut client_info = Implementation::default();
        client_info.name = env!("CARGO_PKG_NAME").to_owned();
        client_info.version = env!("CARGO_PKG_VERSION").to_owned();
        Options {
            client_info,
            pinned: None,
            timeout: Some(Duration::from_secs(300)),
            connect_timeout: Duration::from_secs(60),
            probe_timeout: Duration::from_secs(5),
            recovery: Recovery::default(),
            message_limit: 16 << 20,
            page_limit: 1000,
            cache: true,
            tasks: true,
            validate_output: true,
            log_level: Mutex::new(None),
            trace_context: None,
            on_message: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("client", &self.client_info.name)
            .field("pinned", &self.pinned)
            .field("timeout", &self.timeout)
            .field("recovery", &self.recovery)
            .field("message_limit", &self.message_limit)
            .finish_non_exhaustive()
    }
}
