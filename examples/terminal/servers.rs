//! The MCP servers of the project, which the user approves once.

use std::path::Path;

use mcp_agent::Agent;
use mcp_agent::project_servers::{Approvals, ProjectServers};

use crate::screen::Screen;
use crate::user::User;

/// Asks about the servers in `.mcp.json` that are not approved yet, and adds the approved ones to the agent.
///
/// A repository could otherwise start programs, and give them secrets of the user's environment.
pub(crate) async fn with_servers(agent: Agent, cwd: &Path, screen: &mut Screen, user: &mut User) -> anyhow::Result<Agent> {
    let project = ProjectServers::read(cwd)?;
    let mut approvals = Approvals::of_user()?;
    if let Some(reason) = approvals.ignored() {
        screen.line(&format!("(approvals of MCP servers are ignored: {reason})"));
    }
    for server in project.pending(&approvals).cloned().collect::<Vec<_>>() {
        user.forget_lines();
        screen.line(&format!("? {server}"));
        screen.put("  start it, now and in the future? [y/N] ");
        let line = user.lines.recv().await.unwrap_or_default();
        screen.is_mid_line = false;
        if line.trim().eq_ignore_ascii_case("y") || line.trim().eq_ignore_ascii_case("yes") {
            approvals.approve(&server)?;
        }
    }
    Ok(agent.project_servers(&project, &approvals, &|variable| std::env::var(variable).ok())?)
}
