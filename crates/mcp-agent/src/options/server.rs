//! MCP servers that the CLI runs or reaches by itself.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use super::strings;
use crate::agent::Agent;

/// MCP servers that the CLI runs or reaches by itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Servers {
    pub(crate) configured: BTreeMap<String, McpServer>,
    pub(crate) strict: bool,
}

/// An MCP server that the CLI runs or reaches by itself.
///
/// ```
/// # use mcp_agent::McpServer;
/// McpServer::stdio("my-server").args(["--fast"]).env("LEVEL", "3");
/// McpServer::http("https://example.com/mcp").header("Authorization", "Bearer x");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct McpServer(Map<String, Value>);

impl McpServer {
    /// A program that speaks MCP on its standard input and output.
    pub fn stdio(command: impl Into<String>) -> Self {
        // The CLI stumbles over a server without arguments, so there are always some, be it none.
        Self::of("stdio").with("command", command.into()).with("args", Value::Array(Vec::new()))
    }

    /// A server over streamable HTTP.
    pub fn http(url: impl Into<String>) -> Self {
        Self::of("http").with("url", url.into())
    }

    /// A server over the older HTTP transport with server-sent events.
    pub fn sse(url: impl Into<String>) -> Self {
        Self::of("sse").with("url", url.into())
    }

    /// A server by the CLI's own configuration, for what has no method here.
    pub fn from_config(config: Map<String, Value>) -> Self {
        Self(config)
    }

    /// A server of the program that runs the CLI.
    pub(crate) fn mounted(name: &str, timeout: Option<Duration>) -> Self {
        let server = Self::of("sdk").with("name", name);
        timeout.into_iter().fold(server, Self::timeout)
    }

    /// The arguments of the program.
    #[must_use]
    pub fn args(self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.with("args", strings(args))
    }

    /// One variable of the program's environment.
    #[must_use]
    pub fn env(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.with_entry("env", name.into(), value.into())
    }

    /// One header of every request.
    #[must_use]
    pub fn header(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.with_entry("headers", name.into(), value.into())
    }

    /// How long a tool of the server may take.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        self.with("timeout", u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
    }

    /// Gives the model the server's tools at once instead of on search.
    #[must_use]
    pub fn always_load(self) -> Self {
        self.with("alwaysLoad", true)
    }

    fn of(kind: &str) -> Self {
        Self(Map::new()).with("type", kind)
    }

    fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }

    fn with_entry(mut self, key: &str, name: String, value: String) -> Self {
        let entries = self.0.entry(key).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(entries) = entries {
            entries.insert(name, value.into());
        }
        self
    }
}

/// Servers
impl Agent {
    /// Adds an MCP server that the CLI runs or reaches by itself.
    #[must_use]
    pub fn mcp_server(mut self, name: impl Into<String>, server: McpServer) -> Self {
        self.options.servers.configured.insert(name.into(), server);
        self
    }

    /// Uses only the servers named here, none from settings and projects. Off by default.
    #[must_use]
    pub fn strict_mcp_config(mut self, strict: bool) -> Self {
        self.options.servers.strict = strict;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_program_always_has_a_list_of_arguments() {
        let server = serde_json::to_value(McpServer::stdio("srv").env("A", "1")).expect("serialises");
        assert_eq!(server, json!({"type": "stdio", "command": "srv", "args": [], "env": {"A": "1"}}));
    }
}
