//! The CLI of the agent sessions of `soak sessions`: runs the script in the file beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_agent_test::scripted_cli()
}
