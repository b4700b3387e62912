//! A server over HTTP whose spans and metrics are exported to an OpenTelemetry collector. Spans continue the traces of
//! the clients.
//!
//! ```sh
//! cargo run -p otlp-server -- http://127.0.0.1:4318
//! ```

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
