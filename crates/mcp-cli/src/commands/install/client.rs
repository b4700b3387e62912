//! The clients, and where each keeps its servers.

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

    /// The key under which its servers stand.
    pub(super) fn key(self) -> &'static str {
        if self == Client::VsCode { "servers" } else { "mcpServers" }
    }

    /// Whether an entry says how the server is spoken to.
    pub(super) fn names_transport(self) -> bool {
        matches!(self, Client::VsCode | Client::ClaudeCode)
    }

    /// The file: of the user, or for VS Code and `.mcp.json` of the folder we are in. None without a home.
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
