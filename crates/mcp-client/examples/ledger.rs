//! A server whose tool appends a line to a file in each call. Tests kill the server and count the lines.

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::process::ExitCode;

use mcp_core::{Server, ToolError, tool, tools};

/// Append a line to the ledger.
#[tool]
fn append(line: String) -> Result<String, ToolError> {
    let path = env::var("LEDGER").map_err(|_| "LEDGER is not set")?;
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(|error| error.to_string())?;
    // A single write, so that the file never contains a part of a line.
    file.write_all(format!("{line}\n").as_bytes()).map_err(|error| error.to_string())?;
    Ok(line)
}

/// Never answer.
#[tool]
async fn hang(cx: &mcp_core::Context) {
    cx.cancelled().await;
}

fn main() -> ExitCode {
    mcp_stdio::run(Server::builder("ledger", "1.0.0").tools(tools![append, hang]))
}
