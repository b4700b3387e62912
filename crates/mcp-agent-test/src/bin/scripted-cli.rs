//! Plays the script that lies beside it; see `mcp_agent_test::scripted_cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_agent_test::scripted_cli()
}
