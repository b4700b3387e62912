use std::process::ExitCode;

use mcp_core::{Server, tool, tools};

/// Say hello.
#[tool]
fn hello() -> &'static str {
    "hello"
}

fn main() -> ExitCode {
    tracing_subscriber::fmt().with_ansi(false).with_writer(std::io::stderr).init();
    mcp_stdio::run(Server::builder("abrupt", "1.0.0").tools(tools![hello]))
}
