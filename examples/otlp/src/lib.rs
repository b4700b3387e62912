//! An example: spans and metrics of a server over HTTP, exported to an OpenTelemetry collector.

mod telemetry;

use mcp_core::{Builder, server, tool, tools};

pub use telemetry::Telemetry;

/// Add two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> Option<i64> {
    tracing::info!(a, b, "adding");
    a.checked_add(b)
}

/// Builds the server whose requests are traced.
pub fn calculator() -> Builder {
    server!().tools(tools![add])
}
