//! Lost connections: what is restored, what is sent again, and what is told to the caller.

mod http;
mod process;

use std::time::Duration;

/// Far above what a loaded machine needs; only a client that hangs comes here.
const LIMIT: Duration = Duration::from_secs(60);

async fn within<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, work).await.expect("the client hangs")
}
