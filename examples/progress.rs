//! Slow tools that report progress, log messages, and stop when they are cancelled. This is the code of
//! `docs/logging-and-progress.md`; a test compares the two.
//!
//! ```sh
//! cargo run --example progress -- call boil seconds=3
//! ```

use std::process::ExitCode;
use std::time::Duration;

use mcp_core::{Builder, Context, LogLevel, Server, tool, tools};

/// Cook an egg.
///
/// Stops when the call is cancelled: the future of an `async fn` is dropped at its next `.await`.
#[tool(timeout = "10m")]
async fn boil(
    /// how long to boil it, in seconds
    #[serde(default = "soft")]
    seconds: u32,
    cx: &Context,
) -> String {
    cx.log(LogLevel::Info, format!("boiling for {seconds} s"));
    for second in 0..seconds {
        cx.progress(second, seconds, "boiling");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    format!("boiled for {seconds} s")
}

fn soft() -> u32 {
    240
}

/// Search for the largest prime below a number, the slow way.
///
/// A plain `fn` may block, because it runs on a thread of its own. It must check for cancellation itself.
#[tool(read_only)]
fn largest_prime_below(limit: u64, cx: &Context) -> Result<u64, &'static str> {
    for (tried, candidate) in (2..limit).rev().enumerate() {
        if cx.is_cancelled() {
            return Err("cancelled");
        }
        cx.progress(tried, limit, "");
        if (2..).take_while(|divisor| divisor * divisor <= candidate).all(|divisor| candidate % divisor != 0) {
            return Ok(candidate);
        }
    }
    Err("there is no prime below that number")
}

/// Builds the server, for `main` and for tests.
pub fn server() -> Builder {
    Server::builder("progress", env!("CARGO_PKG_VERSION")).tools(tools![boil, largest_prime_below])
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
