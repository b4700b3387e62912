//! The smallest server: one tool, and a `main` with one line. Without arguments it serves stdio; `call` runs the tool
//! from the command line.
//!
//! ```sh
//! cargo run --example hello -- call add a=2 b=3
//! ```

use mcp_core::{server, tool, tools};

/// Add two numbers.
#[tool]
async fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

fn main() -> std::process::ExitCode {
    mcp_stdio::run(server!().tools(tools![add]))
}
