//! Sends messages that nobody waits for.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use crate::transport::{Link, Outgoing};

/// The maximum number of notifications and responses that are sent at the same time.
const MOST_POSTS: usize = 64;

/// Sends notifications and responses in tasks of their own.
pub(crate) struct Posts {
    permits: Arc<Semaphore>,
    /// A call may be dropped outside the runtime, and its cancellation needs a handle.
    runtime: Handle,
}

impl Posts {
    /// Must be called on a runtime of tokio.
    pub(crate) fn new() -> Posts {
        Posts { permits: Arc::new(Semaphore::new(MOST_POSTS)), runtime: Handle::current() }
    }

    /// Sends a message over a connection, or drops it if too many are being sent.
    pub(crate) fn send(&self, link: Arc<dyn Link>, message: Outgoing) {
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else {
            tracing::debug!("dropped a message, because too many are being sent");
            return;
        };
        self.runtime.spawn(async move {
            if let Err(failure) = link.exchange(message).await {
                tracing::debug!(reason = %failure, "the server refused a message");
            }
            drop(permit);
        });
    }
}
