//! A tool that takes its time: it reports progress and stops when it is cancelled.

use std::process::ExitCode;
use std::time::Duration;

use mcp_core::{Builder, Context, LogLevel, Server, tool, tools};

/// Cook an egg.
///
/// Stops at once when the call is cancelled: an `async fn` is simply dropped at its next `.await`.
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
/// A plain `fn` may block: it holds up nobody. It looks by itself whether somebody still wants its answer.
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

/// The server as a value: `main` ships it, tests call it.
pub fn server() -> Builder {
    Server::new("progress", env!("CARGO_PKG_VERSION")).tools(tools![boil, largest_prime_below])
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
