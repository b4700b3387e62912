//! Word of a cancel, for whoever wants to hear of it.

use tokio::sync::watch;

/// Says that something was cancelled, to everybody who has a clone of it.
///
/// ```
/// # use mcp_core::Cancellation;
/// # futures_lite::future::block_on(async {
/// let cancellation = Cancellation::new();
/// let heard = cancellation.clone();
/// assert!(!heard.is_cancelled());
/// cancellation.cancel();
/// heard.cancelled().await;
/// # });
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancellation(watch::Sender<bool>);

impl Cancellation {
    /// Of something that is not cancelled yet.
    pub fn new() -> Cancellation {
        Cancellation::default()
    }

    /// Tells everybody. There is no way back.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// Whether it has come to that.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Is ready when it has come to that.
    pub async fn cancelled(&self) {
        // The other end is here as well, so it is never gone.
        let _ = self.0.subscribe().wait_for(|cancelled| *cancelled).await;
    }
}
