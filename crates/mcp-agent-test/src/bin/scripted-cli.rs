//! Runs the script in the same folder; see `mcp_agent_test::scripted_cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_agent_test::scripted_cli()
}
