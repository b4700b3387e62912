//! Requests about MCP servers.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcp_core::IntoServer;
use serde_json::{Map, Value, json};

use super::reply::McpServerList;
use super::{Handle, McpServerStatus, Nothing, ServersChanged};
use crate::error::Error;
use crate::options::McpServer;
use crate::wire::Typed;

const SET_SERVERS: &str = "mcp_set_servers";

/// MCP servers
impl Handle {
    /// How the MCP servers are.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn mcp_status(&self) -> Result<Vec<Typed<McpServerStatus>>, Error> {
        Ok(self.ask::<Option<McpServerList>>("mcp_status", Nothing {}).await?.unwrap_or_default().servers)
    }

    /// Replaces the servers that were set up by this request before. Mounted servers stay, and so do those that the agent
    /// was opened with.
    ///
    /// # Errors
    /// When the CLI refuses or is gone. A server that did not start is no error: see [`ServersChanged::errors`].
    pub async fn set_mcp_servers(
        &self,
        servers: impl IntoIterator<Item = (String, McpServer)>,
    ) -> Result<Typed<ServersChanged>, Error> {
        let mut told = self.rack.told.lock().await;
        let servers: BTreeMap<String, McpServer> = servers.into_iter().collect();
        let changed = self.tell_servers(&servers).await?;
        *told = servers;
        Ok(changed)
    }

    /// Mounts a server of this program while the session is open, in the place of one of the same name.
    ///
    /// As [`Agent::mount`](crate::Agent::mount), but the CLI has to ask the server what it offers. Its tools are there when
    /// this returns. For a server whose tools change there is [`Live`](mcp_core::Live), which needs no new mounting.
    ///
    /// # Errors
    /// When the server is built wrong, and when the CLI refuses it or is gone.
    pub async fn mount(&self, name: impl Into<String>, server: impl IntoServer) -> Result<(), Error> {
        let name = name.into();
        let server = match server.into_server() {
            Ok(server) => server,
            Err(source) => return Err(Error::Mount { name, source: Arc::new(source) }),
        };
        let told = self.rack.told.lock().await;
        if self.rack.take(&name) {
            // The CLI would take another server of the name for the one that it knows.
            self.tell_servers(&told).await?;
        }
        self.rack.put(&name, &server, None);
        let refusal = match self.tell_servers(&told).await {
            Ok(changed) => match changed.errors.get(&name) {
                None => return Ok(()),
                Some(message) => Error::Refused { request: SET_SERVERS.to_owned(), message: message.clone(), code: None },
            },
            Err(error) => error,
        };
        self.rack.take(&name);
        Err(refusal)
    }

    /// Takes a mounted server out of the session. Says whether there was one of that name.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn unmount(&self, name: &str) -> Result<bool, Error> {
        let told = self.rack.told.lock().await;
        let mounted = self.rack.take(name);
        if mounted {
            self.tell_servers(&told).await?;
        }
        Ok(mounted)
    }

    /// Tells the CLI which servers there are. What is left out is removed, so those that are mounted are always said again.
    async fn tell_servers(&self, servers: &BTreeMap<String, McpServer>) -> Result<Typed<ServersChanged>, Error> {
        let all: BTreeMap<String, McpServer> = servers.clone().into_iter().chain(self.rack.configs()).collect();
        self.ask(SET_SERVERS, json!({"servers": all})).await
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
