//! Approval of the MCP servers that a project brings along.
//!
//! The `.mcp.json` of a repository names programs to start and URLs to connect to, and variables of the user's environment to
//! give to them. The CLI starts these servers without asking when it is not used interactively. With this module a host asks
//! the user first, and asks again when the content of an entry has changed:
//!
//! ```no_run
//! use mcp_agent::Agent;
//! use mcp_agent::project_servers::{Approvals, ProjectServers};
//!
//! # fn ask_the_user(question: &str) -> bool { false }
//! # fn f() -> Result<(), Box<dyn std::error::Error>> {
//! let project = ProjectServers::read("/code/project")?;
//! let mut approvals = Approvals::of_user()?;
//! for server in project.pending(&approvals).cloned().collect::<Vec<_>>() {
//!     if ask_the_user(&server.to_string()) {
//!         approvals.approve(&server)?;
//!     }
//! }
//! let agent = Agent::new().project_servers(&project, &approvals, &|name| std::env::var(name).ok())?;
//! # Ok(())
//! # }
//! ```
//!
//! An approval holds for one project directory, one name and one content: command, arguments, variables, URL, headers and all
//! other fields. What the program does is not part of it: a program inside of the repository can change without a change
//! of `.mcp.json`.

mod approvals;
mod private_file;
mod server;

use std::path::{Path, PathBuf};

pub use approvals::{ApprovalError, Approvals};
pub use server::ProjectServer;

use crate::agent::Agent;
use crate::mcp_config::{McpConfig, McpConfigError, McpEntry};

/// The longest `.mcp.json` that is read.
const LONGEST: u64 = 1 << 20;

/// The MCP servers in the `.mcp.json` of a project.
#[derive(Debug, Clone, Default)]
pub struct ProjectServers(Vec<ProjectServer>);

impl ProjectServers {
    /// Reads the `.mcp.json` of a project. A missing file means that there are no servers.
    ///
    /// Entries of type `sdk` and of unknown types are left out: they cannot be started.
    ///
    /// # Errors
    /// If the file cannot be read, is not a regular file, is larger than one megabyte or is invalid.
    pub fn read(directory: impl AsRef<Path>) -> Result<Self, McpConfigError> {
        // Approvals are for a directory, whatever link leads to it.
        let directory = directory.as_ref().canonicalize()?;
        let path = directory.join(".mcp.json");
        match std::fs::metadata(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            // Reading from something else, such as a pipe, might never end.
            Ok(metadata) if !metadata.is_file() || metadata.len() > LONGEST => {
                let message = format!("{} is not a regular file of at most one megabyte", path.display());
                return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, message).into());
            }
            _ => {}
        }
        Ok(Self::of(directory, McpConfig::read(path)?))
    }

    /// Returns the servers that are not approved.
    pub fn pending<'a>(&'a self, approvals: &'a Approvals) -> impl Iterator<Item = &'a ProjectServer> {
        self.0.iter().filter(|server| !approvals.is_approved(server))
    }

    /// Returns the servers that are approved.
    pub fn approved<'a>(&'a self, approvals: &'a Approvals) -> impl Iterator<Item = &'a ProjectServer> {
        self.0.iter().filter(|server| approvals.is_approved(server))
    }

    fn of(directory: PathBuf, config: McpConfig) -> Self {
        let can_start = |entry: &McpEntry| !matches!(entry, McpEntry::Sdk(_) | McpEntry::Other(_));
        let servers = config.servers.into_iter().filter(|(_, entry)| can_start(entry));
        Self(servers.map(|(name, entry)| ProjectServer::new(directory.clone(), name, entry)).collect())
    }
}

/// # Servers of a project
impl Agent {
    /// Adds the approved servers of a project, with the variables in their entries replaced.
    ///
    /// All others are not started: this sets [`strict_mcp_config`](Self::strict_mcp_config), so that the CLI does not read
    /// `.mcp.json` itself.
    ///
    /// # Errors
    /// If an approved entry contains a variable that has neither a value nor a default.
    pub fn project_servers(
        self,
        project: &ProjectServers,
        approvals: &Approvals,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, McpConfigError> {
        project.approved(approvals).try_fold(self.strict_mcp_config(true), |agent, server| {
            let entry = server.entry().expanded(variable);
            let entry =
                entry.map_err(|source| McpConfigError::Unset { server: server.name().to_owned(), source })?;
            Ok(agent.mcp_server(server.name(), entry.into()))
        })
    }
}
