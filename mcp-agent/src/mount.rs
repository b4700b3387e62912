//! Servers of this program inside the session: `mcp_message` to a server and back.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::transport::Pending;

/// A server that can be mounted: what is needed of one before a session and for it.
pub(crate) trait Mount: Send + Sync {
    /// What the server would say to `initialize` and `tools/list`, so that the CLI need not ask.
    fn manifest(&self) -> Manifest;

    /// Opens a session that is already negotiated; what the server says unasked goes to `outbox`.
    fn open(&self, outbox: Arc<dyn Fn(Box<RawValue>) + Send + Sync>) -> Arc<dyn Mounted>;
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
    Now(Box<RawValue>),
    /// The response later; none if it was cancelled. Dropping the future cancels.
    Later(Pending<'static, Option<Box<RawValue>>>),
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
pub(crate) struct Mounts(BTreeMap<String, Entry>);

#[derive(Clone)]
struct Entry {
    server: Arc<dyn Mount>,
    timeout: Option<Duration>,
}

impl Mounts {
    pub(crate) fn add(&mut self, name: String, server: Arc<dyn Mount>, timeout: Option<Duration>) {
        self.0.insert(name, Entry { server, timeout });
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(crate) fn manifests(&self) -> BTreeMap<&str, Manifest> {
        self.0
            .iter()
            .map(|(name, entry)| (name.as_str(), entry.server.manifest()))
            .collect()
    }

    pub(crate) fn configs(&self) -> BTreeMap<&str, Value> {
        let timeouts = self
            .0
            .iter()
            .filter_map(|(name, entry)| Some((name.as_str(), entry.timeout?)));
        timeouts
            .map(|(name, timeout)| {
                (
                    name,
                    serde_json::json!({"timeout": timeout.as_millis() as u64}),
                )
            })
            .collect()
    }

    /// Opens a session with every server; `outbox` is told whose message it is.
    pub(crate) fn open(
        &self,
        outbox: impl Fn(&str, Box<RawValue>) + Clone + Send + Sync + 'static,
    ) -> BTreeMap<String, Arc<dyn Mounted>> {
        let open = |(name, entry): (&String, &Entry)| {
            let (outbox, sender) = (outbox.clone(), name.clone());
            (
                name.clone(),
                entry
                    .server
                    .open(Arc::new(move |message| outbox(&sender, message))),
            )
        };
        self.0.iter().map(open).collect()
    }
}

impl fmt::Debug for Mounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
