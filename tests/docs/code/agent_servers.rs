//! The code of `docs/agent-servers.md`.

use mcp_agent::{Agent, Error, Session};
use mcp_core::{server, tool, tools};

/// Add two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

async fn changing(session: &mut Session) -> Result<(), Error> {
    let handle = session.handle();
    handle.mount("calc", server!().tools(tools![add])).await?;
    session.send("What is 2 + 3?").await?;
    session.finish().await?;
    handle.unmount("calc").await?;
    Ok(())
}

use mcp_agent::McpServer;

fn with_servers() -> Agent {
    Agent::new()
        .mcp_server("files", McpServer::stdio("files-server").args(["--root", "/code"]))
        .mcp_server("docs", McpServer::http("https://docs.example.com/mcp"))
        .allow_tools(["mcp__docs__*"])
}

async fn replace(session: &Session) -> Result<(), Error> {
    let handle = session.handle();
    for server in handle.mcp_status().await? {
        println!("{} is {:?}", server.name, server.status);
    }
    handle.mcp_toggle("files", false).await?;
    handle.mcp_reconnect("docs").await?;
    Ok(())
}
