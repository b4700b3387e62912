//! External MCP servers: those that the CLI starts or connects to itself.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use super::strings;
use crate::agent::Agent;

/// External MCP servers: those that the CLI starts or connects to itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Servers {
    pub(crate) configured: BTreeMap<String, McpServer>,
    pub(crate) strict: bool,
}

/// An external MCP server: one that the CLI starts or connects to itself.
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
    /// Creates a server that is a program and communicates over its standard input and output.
    pub fn stdio(command: impl Into<String>) -> Self {
        // `args` is always present, even if empty: the CLI fails on a server without it.
        Self::of("stdio").with("command", command.into()).with("args", Value::Array(Vec::new()))
    }

    /// Creates a server that is reached over streamable HTTP.
    pub fn http(url: impl Into<String>) -> Self {
        Self::of("http").with("url", url.into())
    }

    /// Creates a server that is reached over the older HTTP transport with server-sent events.
    pub fn sse(url: impl Into<String>) -> Self {
        Self::of("sse").with("url", url.into())
    }

    /// Creates a server from a configuration in the format of the CLI, for options that have no method.
    pub fn from_config(config: Map<String, Value>) -> Self {
        Self(config)
    }

    /// The configuration of a mounted server.
    pub(crate) fn mounted(name: &str, timeout: Option<Duration>) -> Self {
        let server = Self::of("sdk").with("name", name);
        timeout.into_iter().fold(server, Self::timeout)
    }

    /// Sets the arguments of the program.
    #[must_use]
    pub fn args(self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.with("args", strings(args))
    }

    /// Sets an environment variable of the program.
    #[must_use]
    pub fn env(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.with_entry("env", name.into(), value.into())
    }

    /// Sets a header of every request.
    #[must_use]
    pub fn header(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.with_entry("headers", name.into(), value.into())
    }

    /// Sets the time limit for tools of the server.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        self.with("timeout", u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
    }

    /// Gives the model all tools of the server at once, without tool search.
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

/// # Servers
impl Agent {
    /// Adds an external MCP server: one that the CLI starts or connects to itself.
    #[must_use]
    pub fn mcp_server(mut self, name: impl Into<String>, server: McpServer) -> Self {
        self.options.servers.configured.insert(name.into(), server);
        self
    }

    /// Ignores servers from settings and projects: only those of this agent are used. Off by default.
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
    fn a_stdio_server_always_has_a_list_of_arguments() {
        let server = serde_json::to_value(McpServer::stdio("srv").env("A", "1")).expect("serialises");
        assert_eq!(server, json!({"type": "stdio", "command": "srv", "args": [], "env": {"A": "1"}}));
    }
}
