//! The supported clients, and where each keeps its list of servers.

use std::env;
use std::path::PathBuf;

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
        let home = || env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        let folder = |name: &str| env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
        Some(match self {
            Client::ClaudeCode => folder("CLAUDE_CONFIG_DIR").or_else(home)?.join(".claude.json"),
            Client::ClaudeDesktop if cfg!(target_os = "macos") => {
                home()?.join("Library/Application Support/Claude/claude_desktop_config.json")
            }
            Client::ClaudeDesktop => {
                let folder = folder("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))?;
                folder.join("Claude/claude_desktop_config.json")
            }
            Client::Cursor => home()?.join(".cursor/mcp.json"),
            Client::VsCode => PathBuf::from(".vscode/mcp.json"),
            Client::McpJson => PathBuf::from(".mcp.json"),
        })
    }
}
