//! Runs the code of the author in a stage: with a timeout, and without letting a panic through.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_lite::FutureExt as _;
use mcp_core::Context;
use tracing::warn;

/// How long a hook or check may take if nothing else is said: as long as the hooks of the CLI.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// What happens to the call if a hook panics or does not finish in time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnFailure {
    /// The call is denied.
    #[default]
    Deny,
    /// The call goes on as if the hook did not exist.
    Continue,
}

/// How a hook runs: its timeout, and what happens if it fails.
///
/// ```
/// use std::time::Duration;
/// use mcp_guard::{HookOptions, OnFailure};
///
/// let options = HookOptions::new().timeout(Duration::from_secs(5)).on_failure(OnFailure::Continue);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct HookOptions {
    timeout: Duration,
    pub(crate) on_failure: OnFailure,
}

impl HookOptions {
    /// Creates options with a timeout of 60 seconds. The call is denied if the hook fails.
    pub fn new() -> Self {
        Self { timeout: TIMEOUT, on_failure: OnFailure::Deny }
    }

    /// Sets the timeout.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets what happens to the call if the hook panics or does not finish in time.
    #[must_use]
    pub fn on_failure(mut self, on_failure: OnFailure) -> Self {
        self.on_failure = on_failure;
        self
    }

    /// Runs the hook. Returns an error with the reason if it panics or does not finish in time.
    pub(crate) async fn run<T>(&self, what: &str, context: &Context, work: impl Future<Output = T>) -> Result<T, String> {
        let work =
            async { AssertUnwindSafe(work).catch_unwind().await.map_err(|_| format!("a {what} of the server panicked")) };
        let timer = context.sleep(self.timeout);
        let expired = async {
            timer.await;
            Err(format!("a {what} of the server did not finish within {:?}", self.timeout))
        };
        let outcome = work.or(expired).await;
        if let Err(reason) = &outcome {
            warn!(tool = context.name(), on_failure = ?self.on_failure, "{reason}");
        }
        outcome
    }
}

impl Default for HookOptions {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_has_a_minute_and_denies_the_call_if_it_fails() {
        let options = HookOptions::default();
        assert_eq!((options.timeout, options.on_failure), (Duration::from_secs(60), OnFailure::Deny));
    }
}
