//! The code of the pages in `docs/`, a file for each; a test compares the two.
//!
//! ```sh
//! cargo run --example pages -- state tools
//! ```
#![allow(dead_code, unused_imports, reason = "some of it is for its test, some only has to compile")]

use std::process::ExitCode;

mod agent;
mod errors;
mod from_rmcp;
mod own_command_line;
mod state;
mod testing;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let server = match words.next().as_deref() {
        Some("errors") => errors::server(),
        Some("from-rmcp") => from_rmcp::server(),
        Some("testing") => testing::server(),
        _ => state::server(),
    };
    mcp_stdio::Stdio::new().arguments(words).run(server)
}
