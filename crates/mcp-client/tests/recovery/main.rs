//! Lost connections: what is restored, what is sent again, and which errors the caller gets.

mod http;
// Windows: recovery/windows.rs
#[cfg(unix)]
mod process;
#[cfg(windows)]
mod windows;

use std::time::Duration;

/// Far above the time that a loaded machine needs, so only a client that hangs reaches it.
const LIMIT: Duration = Duration::from_secs(60);

async fn within<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, work).await.expect("the client hangs")
}
