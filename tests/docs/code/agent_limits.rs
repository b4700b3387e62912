//! The code of `docs/agent-limits.md`.

use std::time::Duration;

use mcp_agent::{Agent, McpServer, MountOptions};
use mcp_core::server;

fn limited() -> Agent {
    Agent::new()
        .max_turns(20)
        .max_budget_usd(0.50)
        .command_timeout(Duration::from_secs(30))
        .max_command_timeout(Duration::from_secs(120))
        .max_command_output(10_000)
        .mcp_tool_timeout(Duration::from_secs(20))
        .max_mcp_output_tokens(5_000)
        .mount_with("calc", server!(), MountOptions::new().timeout(Duration::from_secs(5)))
        .mcp_server("files", McpServer::stdio("files-server").timeout(Duration::from_secs(60)))
        .env("CLAUDE_CODE_MAX_RETRIES", "3")
}
