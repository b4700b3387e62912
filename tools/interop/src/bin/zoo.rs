//! The zoo over standard input and output.

use std::process::ExitCode;

use mcp_core::Server;

fn main() -> ExitCode {
    mcp_stdio::run(Server::builder("zoo", "1.0.0").tools(interop::zoo()))
}
