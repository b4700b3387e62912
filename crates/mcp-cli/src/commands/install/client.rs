//! The supported clients, and where each keeps its list of servers.

use std::path::PathBuf;

use crate::sys;

/// A client that a server can be installed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Client {
    ClaudeCode,
    ClaudeDesktop,
    Cursor,
    VsCode,
    McpJson,
}

impl Client {
    pub(super) const ALL: [Client; 5] =
        [Client::ClaudeCode, Client::ClaudeDesktop, Client::Cursor, Client::VsCode, Client::McpJson];

    pub(super) fn name(self) -> &'static str {
        match self {
            Client::ClaudeCode => "claude-code",
            Client::ClaudeDesktop => "claude-desktop",
            Client::Cursor => "cursor",
            Client::VsCode => "vscode",
            Client::McpJson => "mcp-json",
        }
    }

    /// The key of the configuration file whose value has the servers.
    pub(super) fn key(self) -> &'static str {
        if self == Client::VsCode { "servers" } else { "mcpServers" }
    }

    /// Whether an entry names its transport (`"type": "stdio"`).
    pub(super) fn names_transport(self) -> bool {
        matches!(self, Client::VsCode | Client::ClaudeCode)
    }

    /// Returns the configuration file: the user's, or for VS Code and `.mcp.json` the one in the current directory. `None` if the
    /// home directory is not known.
    pub(super) fn file(self) -> Option<PathBuf> {
        Some(match self {
            Client::ClaudeCode => sys::folder("CLAUDE_CONFIG_DIR").or_else(sys::home)?.join(".claude.json"),
            Client::ClaudeDesktop => sys::settings_folder()?.join("Claude").join("claude_desktop_config.json"),
            Client::Cursor => sys::home()?.join(".cursor").join("mcp.json"),
            Client::VsCode => [".vscode", "mcp.json"].iter().collect(),
            Client::McpJson => PathBuf::from(".mcp.json"),
        })
    }
}
