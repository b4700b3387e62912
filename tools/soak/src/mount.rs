//! The server that every agent session mounts.

use mcp_core::{Builder, Server, tool, tools};

/// Add two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// The server with the tool `add`.
pub(crate) fn server() -> Builder {
    Server::builder("soak", "0").tools(tools![add])
}
