//! A server that can be served over standard input and output, and over HTTP: `cargo run -p mcp-serve --example calc -- serve --http 8080`

use std::process::ExitCode;

use mcp_core::{server, tool, tools};

/// Add two numbers.
#[tool(read_only)]
async fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

fn main() -> ExitCode {
    mcp_serve::run(server!().tools(tools![add]))
}
