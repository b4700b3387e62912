//! Requests about MCP servers.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcp_core::IntoServer;
use serde_json::{Map, Value, json};

use super::reply::McpServerList;
use super::{Handle, McpCall, McpCallResult, McpResource, McpServerStatus, Nothing, ServersChanged};
use crate::error::Error;
use crate::options::{McpServer, MountOptions};
use crate::wire::Typed;

const SET_SERVERS: &str = "mcp_set_servers";

/// # MCP servers
impl Handle {
    /// Returns the state of the MCP servers.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn mcp_status(&self) -> Result<Vec<Typed<McpServerStatus>>, Error> {
        Ok(self.ask::<Option<McpServerList>>("mcp_status", Nothing {}).await?.unwrap_or_default().servers)
    }

    /// Returns the state of the MCP servers. A CLI that stores its responses, as in a cloud session, does not store this one.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn mcp_status_live(&self) -> Result<Vec<Typed<McpServerStatus>>, Error> {
        Ok(self.ask::<Option<McpServerList>>("mcp_status", json!({"liveReply": true})).await?.unwrap_or_default().servers)
    }

    /// Replaces the servers that were set by previous calls of this method. Mounted servers and those that the agent
    /// was opened with are kept.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited. A server that did not
    /// start is not an error: see [`ServersChanged::errors`].
    pub async fn set_mcp_servers(
        &self,
        servers: impl IntoIterator<Item = (String, McpServer)>,
    ) -> Result<Typed<ServersChanged>, Error> {
        let mut external = self.mounted.external.lock().await;
        let servers: BTreeMap<String, McpServer> = servers.into_iter().collect();
        let changed = self.send_servers(&servers).await?;
        *external = servers;
        Ok(changed)
    }

    /// Mounts a server of this program while the session is open. It replaces a mounted server of the same name.
    ///
    /// As [`Agent::mount`](crate::Agent::mount), but the CLI must first query the server for its tools. They are
    /// available when this returns. For a server whose tools change, use [`Live`](mcp_core::Live): it does not have to
    /// be mounted again.
    ///
    /// # Errors
    /// [`Error::Mount`] if the server fails validation, [`Error::Refused`] if the CLI rejects it, [`Error::Ended`] if
    /// the CLI has exited.
    pub async fn mount(&self, name: impl Into<String>, server: impl IntoServer) -> Result<(), Error> {
        self.mount_with(name, server, MountOptions::new()).await
    }

    /// Mounts a server with options, as [`Agent::mount_with`](crate::Agent::mount_with).
    ///
    /// # Errors
    /// As [`mount`](Self::mount).
    pub async fn mount_with(
        &self,
        name: impl Into<String>,
        server: impl IntoServer,
        options: MountOptions,
    ) -> Result<(), Error> {
        let name = name.into();
        let server = match server.into_server() {
            Ok(server) => server,
            Err(source) => return Err(Error::Mount { name, source: Arc::new(source) }),
        };
        let external = self.mounted.external.lock().await;
        if self.mounted.take(&name) {
            // Remove the old server first: the CLI would otherwise treat the new one as the server that it already
            // knows.
            self.send_servers(&external).await?;
        }
        self.mounted.put(&name, &server, &options);
        let refusal = match self.send_servers(&external).await {
            Ok(changed) => match changed.errors.get(&name) {
                None => return Ok(()),
                Some(message) => Error::Refused { request: SET_SERVERS.to_owned(), message: message.clone(), code: None },
            },
            Err(error) => error,
        };
        self.mounted.take(&name);
        Err(refusal)
    }

    /// Unmounts a server. Returns false if no server of that name was mounted.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn unmount(&self, name: &str) -> Result<bool, Error> {
        let external = self.mounted.external.lock().await;
        let mounted = self.mounted.take(name);
        if mounted {
            self.send_servers(&external).await?;
        }
        Ok(mounted)
    }

    /// Sends the complete list of servers to the CLI. The CLI removes servers that are not in the list, so mounted
    /// servers are always included.
    async fn send_servers(&self, servers: &BTreeMap<String, McpServer>) -> Result<Typed<ServersChanged>, Error> {
        let all: BTreeMap<String, McpServer> = servers.clone().into_iter().chain(self.mounted.configs()).collect();
        self.ask(SET_SERVERS, json!({"servers": all})).await
    }

    /// Reconnects a server. The CLI rejects this for mounted servers, which do not need it.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn mcp_reconnect(&self, server: &str) -> Result<(), Error> {
        self.order("mcp_reconnect", json!({"serverName": server})).await
    }

    /// Enables or disables a server.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn mcp_toggle(&self, server: &str, enabled: bool) -> Result<(), Error> {
        self.order("mcp_toggle", json!({"serverName": server, "enabled": enabled})).await
    }

    /// Calls a tool of a server that the CLI runs, without the model and without asking for permission. `tool` is the qualified
    /// name, `mcp__server__tool`. The CLI rejects this for mounted servers, which this program can call itself.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn mcp_call(&self, tool: &str, arguments: Map<String, Value>) -> Result<Typed<McpCallResult>, Error> {
        self.mcp_call_with(McpCall::new(tool).arguments(arguments)).await
    }

    /// Calls a tool of a server that the CLI runs, with options.
    ///
    /// # Errors
    /// As [`mcp_call`](Self::mcp_call).
    pub async fn mcp_call_with(&self, call: McpCall) -> Result<Typed<McpCallResult>, Error> {
        self.ask("mcp_call", call).await
    }

    /// Reads a resource of a server that the CLI runs, for the user interface of a tool: its URI begins with `ui://`.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn mcp_read_resource(&self, server: &str, uri: &str) -> Result<Typed<McpResource>, Error> {
        self.ask("mcp_read_resource", json!({"serverName": server, "uri": uri})).await
    }
}
