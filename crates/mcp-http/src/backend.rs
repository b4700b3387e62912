//! The MCP server behind the endpoint, and what its sessions run on.

use std::sync::Arc;

use mcp_core::transport::{BoxFuture, Host, Outbox, Session};
use mcp_core::{Cancellation, Principal, Server};
use mcp_tokio::TokioHost;

use crate::limits::{Limits, Slots};

/// What the three ways of serving (stateless, handshake, legacy SSE) share.
pub(crate) struct Backend {
    pub(crate) server: Server,
    pub(crate) slots: Slots,
    host: Arc<dyn Host>,
    shutdown: Cancellation,
}

impl Backend {
    pub(crate) fn new(server: Server, limits: &Limits) -> Backend {
        let (host, shutdown) = (Arc::new(TokioHost::new()), Cancellation::new());
        Backend { server, slots: Slots::new(limits), host, shutdown }
    }

    /// Creates a session that sends its notifications and requests to `outbox`.
    pub(crate) fn session(&self, outbox: Arc<dyn Outbox>) -> Session {
        self.server.session(self.host.clone(), outbox)
    }

    /// Creates a session for a single message of `principal`.
    pub(crate) fn session_for(&self, principal: Option<&Principal>, outbox: Arc<dyn Outbox>) -> Session {
        self.session(outbox).for_one_message().held_by(principal.cloned())
    }

    /// Ends the streams that would otherwise stay open.
    pub(crate) fn shut_down(&self) {
        self.shutdown.cancel();
    }

    /// Completes when the endpoint shuts down.
    pub(crate) fn shutdown_signal(&self) -> BoxFuture<()> {
        let shutdown = self.shutdown.clone();
        Box::pin(async move { shutdown.cancelled().await })
    }
}
