//! External MCP servers: those that the CLI starts or connects to itself.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use super::strings;
use crate::agent::Agent;
use crate::wire::words;

/// External MCP servers: those that the CLI starts or connects to itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Servers {
    pub(crate) configured: BTreeMap<String, McpServer>,
    pub(crate) strict: bool,
    pub(crate) delivery: McpServersDelivery,
}

impl Servers {
    /// Returns the servers that are sent in the `initialize` request.
    pub(crate) fn in_initialize(&self) -> Option<&BTreeMap<String, McpServer>> {
        let is_sent = self.delivery == McpServersDelivery::Initialize && !self.configured.is_empty();
        is_sent.then_some(&self.configured)
    }
}

/// How the external servers are passed to the CLI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum McpServersDelivery {
    /// Servers are in the argument `--mcp-config`. [`Process`](crate::Process) writes the servers to a file that only this user can read; a
    /// transport of another kind may have them in the arguments.
    #[default]
    Arguments,
    /// Servers are in the `initialize` request, so that their variables and headers are on no command line and in no file. A CLI that is too
    /// old for this does not start, or is refused with [`Error::Unsupported`](crate::Error::Unsupported).
    Initialize,
}

words! {
    /// What the host permits for one tool of a server.
    pub enum ToolPermission {
        /// The tool needs no permission. Has no effect for a mounted server: use
        /// [`allow_tools`](crate::Agent::allow_tools).
        AlwaysAllow = "always_allow",
        /// The user is asked before each call, also if a rule allows the tool.
        AlwaysAsk = "always_ask",
        /// Every call is denied.
        AlwaysDeny = "always_deny",
    }
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

    /// Returns the configuration of a mounted server.
    pub(crate) fn mounted(name: &str, options: &MountOptions) -> Self {
        let mut server = Self::of("sdk").with("name", name);
        server.0.extend(options.config());
        server
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

    /// Sets what is permitted for one of its tools, by the name that the server gives it. Can be called for several tools.
    #[must_use]
    pub fn tool_permission(mut self, tool: impl Into<String>, permission: ToolPermission) -> Self {
        let tools = self.0.entry("tools").or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(tools) = tools {
            tools.push(policy(tool.into(), &permission));
        }
        self
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

/// Options of a mounted server: a time limit for its tools, and what is permitted for each tool.
///
/// ```
/// # use std::time::Duration;
/// # use mcp_agent::{MountOptions, ToolPermission};
/// MountOptions::new().timeout(Duration::from_secs(30)).tool_permission("delete", ToolPermission::AlwaysAsk);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MountOptions {
    timeout: Option<Duration>,
    tools: Vec<Value>,
}

impl MountOptions {
    /// Creates options without any set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the time limit for the tools of the server. The minimum is one second; by default there is no limit.
    ///
    /// The CLI enforces the limit, and progress notifications do not extend it. A tool that takes longer is cancelled.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        // The CLI treats less than a second as no limit.
        self.timeout = Some(timeout.max(Duration::from_secs(1)));
        self
    }

    /// Sets what is permitted for one of its tools, by the name that the server gives it. Can be called for several tools.
    #[must_use]
    pub fn tool_permission(mut self, tool: impl Into<String>, permission: ToolPermission) -> Self {
        self.tools.push(policy(tool.into(), &permission));
        self
    }

    /// Returns the options as the CLI reads them. Those that are not set are left out.
    pub(crate) fn config(&self) -> Map<String, Value> {
        let timeout = self.timeout.map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX).into());
        let tools = (!self.tools.is_empty()).then(|| Value::Array(self.tools.clone()));
        [("timeout", timeout), ("tools", tools)]
            .into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value?)))
            .collect()
    }
}

fn policy(tool: String, permission: &ToolPermission) -> Value {
    serde_json::json!({"name": tool, "permission_policy": permission})
}

/// # Servers
impl Agent {
    /// Adds an external MCP server: one that the CLI starts or connects to itself.
    #[must_use]
    pub fn mcp_server(mut self, name: impl Into<String>, server: McpServer) -> Self {
        self.options.servers.configured.insert(name.into(), server);
        self
    }

    /// Sets how the external servers are passed to the CLI. The default is an argument.
    #[must_use]
    pub fn mcp_servers_delivery(mut self, delivery: McpServersDelivery) -> Self {
        self.options.servers.delivery = delivery;
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
