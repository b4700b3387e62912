//! Published MCP clients in pinned versions, against the `calculator` example, the `everything` example and the sample server.

mod claude_code;
mod client_report;
mod conformance;
mod features;
mod http;
mod inspector;
mod npm_client;
mod npm_sdk;
mod own_tool;
mod python;
mod recorded;
mod rust_rmcp;
mod samples;

use std::path::Path;

use interop::{Sandbox, calculator};
use mcp_agent_test::Cli;
use test_env::{Missing, needs};

/// The newest revision with `initialize`.
const HANDSHAKE: &str = "2025-11-25";
/// The revision without `initialize`.
const STATELESS: &str = "2026-07-28";

/// The real Claude Code CLI. If it is missing, the check is reported as skipped.
fn claude_code_cli() -> Option<Cli> {
    needs(Cli::pinned().map_err(|error| Missing::new("Claude Code CLI", error)))
}

/// A sandbox with the calculator.
fn sandbox(name: &str) -> Sandbox {
    Sandbox::new(name, env!("CARGO_BIN_EXE_recorder"), calculator())
}

/// A sandbox with the sample server.
fn samples_sandbox(name: &str) -> Sandbox {
    Sandbox::new(name, env!("CARGO_BIN_EXE_recorder"), Path::new(env!("CARGO_BIN_EXE_sample-server")))
}
