//! Mounted servers: MCP servers of this program that the CLI reaches through `mcp_message` requests.

mod mounted;
mod server;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::IntoServer;
use mcp_core::transport::Response;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::agent::Agent;
use crate::error::Error;
use crate::options::MountOptions;
use crate::transport::Pending;

pub(crate) use mounted::MountedServers;

/// # Mounted servers
impl Agent {
    /// Mounts an MCP server of this program in the session. The model sees its tools as `mcp__name__tool`.
    ///
    /// The server is the same value that runs over any other transport; its tools run in this process. The CLI gets the
    /// list of its tools when the session opens, without a handshake. Validation errors of the server are returned by
    /// [`open`](Self::open). Mounting another server with the same name replaces the first.
    #[must_use]
    pub fn mount(self, name: impl Into<String>, server: impl IntoServer) -> Self {
        self.mount_with(name, server, MountOptions::new())
    }

    /// Mounts a server with a time limit for its tools: see [`MountOptions::timeout`].
    #[must_use]
    pub fn mount_with_timeout(self, name: impl Into<String>, server: impl IntoServer, timeout: Duration) -> Self {
        self.mount_with(name, server, MountOptions::new().timeout(timeout))
    }

    /// Mounts a server with options: a time limit for its tools, and what is permitted for each tool.
    #[must_use]
    pub fn mount_with(mut self, name: impl Into<String>, server: impl IntoServer, options: MountOptions) -> Self {
        let name = name.into();
        match server.into_server() {
            Ok(server) => self.mounts.add(name, Arc::new(server), options),
            Err(source) => self.mounts.faults.push(Error::Mount { name, source: Arc::new(source) }),
        }
        self
    }
}

/// Sends a message from a server to the CLI: a notification or a request, not a response.
pub(crate) type ToCli = Arc<dyn Fn(Box<RawValue>) + Send + Sync>;

/// A server that can be mounted.
pub(crate) trait Mount: Send + Sync {
    /// Returns the results of `initialize` and `tools/list`, so that the CLI does not have to request them.
    fn manifest(&self) -> Result<Manifest, serde_json::Error>;

    /// Opens a session that is already initialized. Notifications and requests of the server go to `to_cli`.
    fn open(&self, to_cli: ToCli) -> Arc<dyn Mounted>;
}

/// The session of a mounted server.
pub(crate) trait Mounted: Send + Sync {
    /// Receives a JSON-RPC message. All effects that depend on the order of messages happen before this returns.
    fn receive(&self, message: &RawValue) -> Received;
}

/// The reply of a server to a message.
pub(crate) enum Received {
    /// No response: the message was a notification or a response.
    Nothing,
    /// The response is complete.
    Now(Response),
    /// The response, later. `None` if the call was cancelled. Dropping the future cancels the call.
    Later(Pending<'static, Option<Response>>),
}

/// The results of `initialize` and `tools/list` of a server.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    pub(crate) initialize_result: Box<RawValue>,
    pub(crate) tools_list_result: Box<RawValue>,
}

/// The servers to be mounted, by name.
#[derive(Clone, Default)]
pub(crate) struct Mounts {
    servers: BTreeMap<String, Entry>,
    faults: Vec<Error>,
}

#[derive(Clone)]
struct Entry {
    server: Arc<dyn Mount>,
    options: MountOptions,
}

impl Mounts {
    pub(crate) fn add(&mut self, name: String, server: Arc<dyn Mount>, options: MountOptions) {
        self.servers.insert(name, Entry { server, options });
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.servers.keys().map(String::as_str)
    }

    /// Returns the validation error of the first server that has one.
    pub(crate) fn fault(&self) -> Option<Error> {
        self.faults.first().cloned()
    }

    /// Returns the manifests of all servers. A manifest that cannot be serialized is left out; the CLI then sends the
    /// requests.
    pub(crate) fn manifests(&self) -> BTreeMap<&str, Manifest> {
        self.servers.iter().filter_map(|(name, entry)| Some((name.as_str(), entry.server.manifest().ok()?))).collect()
    }

    /// Returns the options of the servers that have any.
    pub(crate) fn configs(&self) -> BTreeMap<&str, Map<String, Value>> {
        let configs = self.servers.iter().map(|(name, entry)| (name.as_str(), entry.options.config()));
        configs.filter(|(_, config)| !config.is_empty()).collect()
    }
}

impl fmt::Debug for Mounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
