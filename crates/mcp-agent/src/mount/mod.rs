//! Servers of this program inside the session: `mcp_message` to a server and back.

mod mounted;
mod server;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::IntoServer;
use mcp_core::transport::Response;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::agent::Agent;
use crate::error::Error;
use crate::transport::Pending;

pub(crate) use mounted::MountedServers;

/// Servers of this program
impl Agent {
    /// Mounts a server of this program in the session. The model sees its tools as `mcp__name__tool`.
    ///
    /// It is the same server that runs over any other transport; its tools run in this process. The CLI learns what it
    /// offers when the session opens, without a handshake. What is wrong with the server is said by
    /// [`open`](Self::open). Another server of the same name takes the place of the first.
    #[must_use]
    pub fn mount(self, name: impl Into<String>, server: impl IntoServer) -> Self {
        self.mount_entry(name.into(), server, None)
    }

    /// Mounts a server whose tools may take this long, at least a second; for ever by default.
    ///
    /// The CLI watches over it, and reports of progress do not extend it. A tool that takes longer is cancelled.
    #[must_use]
    pub fn mount_with_timeout(self, name: impl Into<String>, server: impl IntoServer, timeout: Duration) -> Self {
        self.mount_entry(name.into(), server, Some(timeout))
    }

    fn mount_entry(mut self, name: String, server: impl IntoServer, timeout: Option<Duration>) -> Self {
        match server.into_server() {
            // The CLI would take less for no limit at all.
            Ok(server) => {
                self.mounts.add(name, Arc::new(server), timeout.map(|timeout| timeout.max(Duration::from_secs(1))))
            }
            Err(source) => self.mounts.faults.push(Error::Mount { name, source: Arc::new(source) }),
        }
        self
    }
}

/// Takes what a server says unasked to the CLI.
pub(crate) type ToCli = Arc<dyn Fn(Box<RawValue>) + Send + Sync>;

/// A server that can be mounted: what is needed of one before a session and for it.
pub(crate) trait Mount: Send + Sync {
    /// What the server would say to `initialize` and `tools/list`, so that the CLI need not ask.
    fn manifest(&self) -> Result<Manifest, serde_json::Error>;

    /// Opens a session that is already negotiated; what the server says unasked goes to the CLI.
    fn open(&self, to_cli: ToCli) -> Arc<dyn Mounted>;
}

/// A server in a session.
pub(crate) trait Mounted: Send + Sync {
    /// Takes a JSON-RPC message. What depends on the order of messages happens before this returns.
    fn receive(&self, message: &RawValue) -> Received;
}

/// What a server makes of a message.
pub(crate) enum Received {
    /// Nothing to answer: a notification, or a response.
    Nothing,
    /// The response.
    Now(Response),
    /// The response later; none if it was cancelled. Dropping the future cancels.
    Later(Pending<'static, Option<Response>>),
}

/// What a server would say to the questions of the handshake.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    pub(crate) initialize_result: Box<RawValue>,
    pub(crate) tools_list_result: Box<RawValue>,
}

/// The servers that are mounted, by name.
#[derive(Clone, Default)]
pub(crate) struct Mounts {
    servers: BTreeMap<String, Entry>,
    faults: Vec<Error>,
}

#[derive(Clone)]
struct Entry {
    server: Arc<dyn Mount>,
    timeout: Option<Duration>,
}

impl Mounts {
    pub(crate) fn add(&mut self, name: String, server: Arc<dyn Mount>, timeout: Option<Duration>) {
        self.servers.insert(name, Entry { server, timeout });
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.servers.keys().map(String::as_str)
    }

    /// What is wrong with the servers: the first of them that is built wrong.
    pub(crate) fn fault(&self) -> Option<Error> {
        self.faults.first().cloned()
    }

    /// The manifests of all servers. One that cannot be written is left out: the CLI then asks.
    pub(crate) fn manifests(&self) -> BTreeMap<&str, Manifest> {
        self.servers.iter().filter_map(|(name, entry)| Some((name.as_str(), entry.server.manifest().ok()?))).collect()
    }

    pub(crate) fn configs(&self) -> BTreeMap<&str, Value> {
        let timeouts = self.servers.iter().filter_map(|(name, entry)| Some((name.as_str(), entry.timeout?)));
        timeouts.map(|(name, timeout)| (name, serde_json::json!({"timeout": timeout.as_millis() as u64}))).collect()
    }
}

impl fmt::Debug for Mounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
