//! The code of `docs/agent.md`.

use mcp_agent::{Agent, Decision};
use mcp_core::{Builder, server, tool, tools};

/// Add two numbers.
#[tool(read_only, always_load)]
async fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

pub fn server() -> Builder {
    server!().tools(tools![add])
}

async fn ask() -> Result<(), mcp_agent::Error> {
    let mut session = Agent::new()
        .mount("calc", server())
        .allow_tools(["mcp__calc__add"])
        .permission(|ask| async move { Decision::deny(format!("no {} today", ask.tool_name)) })
        .open()
        .await?;
    session.send("What is 2 + 3? Use the tool.").await?;
    while let Some(message) = session.next().await? {
        if let Some(text) = message.text() {
            println!("{text}");
        }
    }
    Ok(())
}
