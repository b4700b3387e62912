//! The cancellation token.

use tokio::sync::watch;

/// A cancellation token. All clones share the same state.
///
/// ```
/// # use mcp_core::Cancellation;
/// # futures_lite::future::block_on(async {
/// let cancellation = Cancellation::new();
/// let clone = cancellation.clone();
/// assert!(!clone.is_cancelled());
/// cancellation.cancel();
/// clone.cancelled().await;
/// # });
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancellation(watch::Sender<bool>);

impl Cancellation {
    /// Creates a token that is not cancelled.
    pub fn new() -> Cancellation {
        Cancellation::default()
    }

    /// Cancels this token and all its clones. This cannot be undone.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// Returns whether the token is cancelled.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the token is cancelled.
    pub async fn cancelled(&self) {
        // `wait_for` fails only if the sender is dropped, and `self` holds it.
        let _ = self.0.subscribe().wait_for(|cancelled| *cancelled).await;
    }
}
