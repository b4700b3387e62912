//! The sample tools over standard input and output.

use std::process::ExitCode;

use mcp_core::Server;

fn main() -> ExitCode {
    mcp_stdio::run(Server::builder("samples", "1.0.0").tools(interop::sample_tools()))
}
