//! An MCP configuration file.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::entry::McpEntry;
use super::expand::UnsetVariable;
use crate::agent::Agent;

/// The MCP servers of a `.mcp.json` file, or of `mcpServers` in settings.
///
/// Other content of the file is preserved.
///
/// ```
/// # use mcp_agent::mcp_config::{McpConfig, McpEntry};
/// let text = r#"{"mcpServers": {"db": {"command": "db-server", "args": ["${DB_URL:-sqlite://x}"]}}}"#;
/// let mut config: McpConfig = text.parse()?;
/// config.servers.insert("web".into(), McpEntry::http("https://example.com/mcp"));
/// let expanded = config.expanded(&|variable| std::env::var(variable).ok())?;
/// assert_eq!(expanded.servers["db"], McpEntry::stdio("db-server", ["sqlite://x"]));
/// # Ok::<(), mcp_agent::mcp_config::McpConfigError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct McpConfig {
    /// The servers, by name.
    #[serde(rename = "mcpServers", default)]
    pub servers: BTreeMap<String, McpEntry>,
    /// The other content of the file.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// Why a configuration could not be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum McpConfigError {
    /// It is not valid JSON, or does not have the expected format.
    Json(serde_json::Error),
    /// The file could not be read or written.
    Io(io::Error),
    /// A variable has neither a value nor a default.
    Unset {
        /// The server whose entry contains the variable.
        server: String,
        /// The variable that is not set.
        source: UnsetVariable,
    },
}

impl McpConfig {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read or does not have the expected format.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, McpConfigError> {
        std::fs::read_to_string(path)?.parse()
    }

    /// Writes a file atomically: other processes read either the complete old content or the complete new one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), McpConfigError> {
        let path = path.as_ref();
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        let beside = path.with_added_extension(format!("{}.new", crate::uuid::random()));
        let written = std::fs::File::create_new(&beside)
            .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
            .and_then(|()| std::fs::rename(&beside, path));
        if written.is_err() {
            let _ = std::fs::remove_file(&beside);
        }
        Ok(written?)
    }

    /// Returns a copy with all variables replaced.
    ///
    /// # Errors
    /// For the first variable that has neither a value nor a default.
    pub fn expanded(&self, value: &dyn Fn(&str) -> Option<String>) -> Result<Self, McpConfigError> {
        let servers = self.servers.iter().map(|(name, entry)| match entry.expanded(value) {
            Ok(entry) => Ok((name.clone(), entry)),
            Err(source) => Err(McpConfigError::Unset { server: name.clone(), source }),
        });
        Ok(Self { servers: servers.collect::<Result<_, _>>()?, rest: self.rest.clone() })
    }
}

/// # Servers
impl Agent {
    /// Adds all servers of a configuration, except those of type `sdk`, which [`mount`](Agent::mount) adds. Variables
    /// that were not [expanded](McpConfig::expanded) are expanded by the CLI.
    #[must_use]
    pub fn mcp_config(self, config: McpConfig) -> Self {
        let outer = config.servers.into_iter().filter(|(_, entry)| !matches!(entry, McpEntry::Sdk(_)));
        outer.fold(self, |agent, (name, entry)| agent.mcp_server(name, entry.into()))
    }
}

impl std::str::FromStr for McpConfig {
    type Err = McpConfigError;

    fn from_str(text: &str) -> Result<Self, McpConfigError> {
        // Some Windows editors write a byte order mark at the start of a file.
        Ok(serde_json::from_str(text.trim_start_matches('\u{feff}'))?)
    }
}

impl fmt::Display for McpConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(_) => f.write_str("invalid MCP configuration"),
            Self::Io(_) => f.write_str("cannot read or write the MCP configuration"),
            Self::Unset { server, .. } => write!(f, "cannot configure the MCP server {server:?}"),
        }
    }
}

impl std::error::Error for McpConfigError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            Self::Json(source) => source,
            Self::Io(source) => source,
            Self::Unset { source, .. } => source,
        })
    }
}

impl From<serde_json::Error> for McpConfigError {
    fn from(source: serde_json::Error) -> Self {
        Self::Json(source)
    }
}

impl From<io::Error> for McpConfigError {
    fn from(source: io::Error) -> Self {
        Self::Io(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn config(value: Value) -> McpConfig {
        value.to_string().parse().expect("a configuration")
    }

    #[test]
    fn every_type_of_entry_round_trips() {
        let text = json!({
            "mcpServers": {
                "http": {"type": "http", "url": "https://${HOST}/mcp", "headers": {"Authorization": "Bearer ${KEY:-none}"}, "timeout": 5},
                "later": {"type": "carrier-pigeon", "loft": 3},
                "odd": {"type": "http", "url": 7},
                "sdk": {"type": "sdk", "name": "mine"},
                "sse": {"type": "sse", "url": "https://example.com/sse"},
                "stdio": {"type": "stdio", "command": "x", "args": ["-v"], "env": {"A": "${B}"}, "alwaysLoad": true},
            },
            "theme": "dark",
        });
        let config = config(text.clone());
        let kinds: Vec<_> = config.servers.values().map(|entry| entry.kind().unwrap_or("other")).collect();
        assert_eq!(kinds, ["http", "other", "other", "sdk", "sse", "stdio"]);
        assert_eq!(serde_json::to_value(&config).expect("serialises"), text);
    }

    #[test]
    fn an_entry_without_type_is_a_program() {
        let config = config(json!({"mcpServers": {"a": {"command": "x"}}}));
        assert_eq!(config.servers["a"], McpEntry::stdio("x", [""; 0]));
        assert_eq!(McpConfig::default(), self::config(json!({})));
    }

    #[test]
    fn variables_are_expanded_everywhere_and_the_error_names_variable_and_server() {
        let config = config(json!({"mcpServers": {
            "a": {"type": "http", "url": "https://${HOST}/", "headers": {"X": "${KEY:-none}"}},
            "b": {"command": "${BIN}/x", "args": ["${HOST}"], "env": {"Y": "${HOST}"}},
        }}));
        let value = |name: &str| (name != "KEY").then(|| name.to_lowercase());
        let expanded = serde_json::to_value(config.expanded(&value).expect("all set")).expect("serialises");
        assert_eq!(expanded["mcpServers"]["a"], json!({"type": "http", "url": "https://host/", "headers": {"X": "none"}}));
        assert_eq!(expanded["mcpServers"]["b"]["env"]["Y"], "host");
        assert_eq!(expanded["mcpServers"]["b"]["command"], "bin/x");
        match config.expanded(&|name| (name == "HOST").then(String::new)) {
            Err(McpConfigError::Unset { server, source }) => {
                assert_eq!((server.as_str(), source.variable.as_str()), ("b", "BIN"))
            }
            other => panic!("{other:?}"),
        }
    }
}
