//! The supported clients, and where each keeps its list of servers.

use std::path::PathBuf;

use crate::command_line::{Arguments, UsageError};
use crate::suggestion::nearest;
use crate::sys;

/// A client that a server can be installed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum Client {
    ClaudeCode,
    ClaudeDesktop,
    Cursor,
    VsCode,
    Codex,
    GeminiCli,
    Zed,
    Windsurf,
    McpJson,
}

/// The format of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// JSON with comments and trailing commas.
    Json,
    Toml,
}

impl Client {
    pub(super) const ALL: [Client; 9] = [
        Client::ClaudeCode,
        Client::ClaudeDesktop,
        Client::Cursor,
        Client::VsCode,
        Client::Codex,
        Client::GeminiCli,
        Client::Zed,
        Client::Windsurf,
        Client::McpJson,
    ];

    /// Takes the name of a client from the command line of `command`.
    pub(in crate::commands) fn parse(command: &str, arguments: &mut Arguments) -> Result<Client, UsageError> {
        let all = || super::names().collect::<Vec<_>>().join(", ");
        let word = arguments
            .next_word()
            .ok_or_else(|| UsageError::new(format!("`{command}` needs the name of a client: {}", all())))?;
        Client::ALL.iter().copied().find(|client| client.name() == word).ok_or_else(|| {
            let error = UsageError::new(format!("unknown client `{word}`; the clients are {}", all()));
            error.with_nearest(nearest(&word, super::names()))
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Client::ClaudeCode => "claude-code",
            Client::ClaudeDesktop => "claude-desktop",
            Client::Cursor => "cursor",
            Client::VsCode => "vscode",
            Client::Codex => "codex",
            Client::GeminiCli => "gemini-cli",
            Client::Zed => "zed",
            Client::Windsurf => "windsurf",
            Client::McpJson => "mcp-json",
        }
    }

    pub(super) fn format(self) -> Format {
        if self == Client::Codex { Format::Toml } else { Format::Json }
    }

    /// Returns the key of the configuration file whose value has the servers.
    pub(super) fn key(self) -> &'static str {
        match self {
            Client::VsCode => "servers",
            Client::Codex => "mcp_servers",
            Client::Zed => "context_servers",
            _ => "mcpServers",
        }
    }

    /// Returns whether an entry names its transport (`"type": "stdio"`).
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
            Client::Codex => sys::folder("CODEX_HOME").or_else(|| Some(sys::home()?.join(".codex")))?.join("config.toml"),
            Client::GeminiCli => sys::home()?.join(".gemini").join("settings.json"),
            Client::Zed => sys::zed_folder()?.join("settings.json"),
            Client::Windsurf => sys::home()?.join(".codeium").join("windsurf").join("mcp_config.json"),
            Client::McpJson => PathBuf::from(".mcp.json"),
        })
    }
}
