//! Requests about MCP servers.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::reply::McpServerList;
use super::{Handle, McpServerStatus, Nothing, ServersChanged};
use crate::error::Error;
use crate::options::McpServer;
use crate::wire::Typed;

/// MCP servers
impl Handle {
    /// How the MCP servers are.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn mcp_status(&self) -> Result<Vec<Typed<McpServerStatus>>, Error> {
        Ok(self.ask::<Option<McpServerList>>("mcp_status", Nothing {}).await?.unwrap_or_default().servers)
    }

    /// Replaces the servers that were set up by this request before. Mounted servers stay.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn set_mcp_servers(
        &self,
        servers: impl IntoIterator<Item = (String, McpServer)>,
    ) -> Result<Typed<ServersChanged>, Error> {
        // What is left out is removed, so those that are mounted are always said again.
        let mounted = self.mounted().into_iter().map(|name| (name.clone(), McpServer::mounted(&name)));
        let servers: BTreeMap<String, McpServer> = servers.into_iter().chain(mounted).collect();
        self.ask("mcp_set_servers", json!({"servers": servers})).await
    }

    /// Connects to a server again. The CLI refuses it for mounted ones, which need it not.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn mcp_reconnect(&self, server: &str) -> Result<(), Error> {
        self.order("mcp_reconnect", json!({"serverName": server})).await
    }

    /// Switches a server on or off.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn mcp_toggle(&self, server: &str, enabled: bool) -> Result<(), Error> {
        self.order("mcp_toggle", json!({"serverName": server, "enabled": enabled})).await
    }

    /// Calls a tool of a server that the CLI runs, without the model. `tool` is the full name, `mcp__server__tool`.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn mcp_call(&self, tool: &str, arguments: Map<String, Value>) -> Result<Value, Error> {
        self.ask("mcp_call", json!({"tool": tool, "arguments": arguments})).await
    }

    /// Reads a resource of a server.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn mcp_read_resource(&self, server: &str, uri: &str) -> Result<Value, Error> {
        self.ask("mcp_read_resource", json!({"serverName": server, "uri": uri})).await
    }
}
