//! The mounted servers of an open session. Servers can be added and removed.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use serde_json::value::RawValue;
use tokio::sync::Mutex;

use super::{Mount, Mounted, Mounts};
use crate::options::{McpServer, MountOptions};

/// The mounted servers of an open session, and the external servers that were set since it was opened.
pub(crate) struct MountedServers {
    mounted: RwLock<BTreeMap<String, Slot>>,
    to_cli: Arc<SendToCli>,
    /// The external servers that were sent to the CLI last. The lock is held during the whole request: the CLI replaces
    /// all servers each time, so a concurrent change would be lost.
    pub(crate) external: Mutex<BTreeMap<String, McpServer>>,
}

/// Sends a message from the server of this name to the CLI: a notification or a request, not a response.
type SendToCli = dyn Fn(&str, Box<RawValue>) + Send + Sync;

struct Slot {
    server: Arc<dyn Mounted>,
    config: McpServer,
}

impl MountedServers {
    /// Opens a session with every server. `to_cli` receives the name of a server and a notification or request from it.
    pub(crate) fn new(mounts: &Mounts, to_cli: impl Fn(&str, Box<RawValue>) + Send + Sync + 'static) -> Self {
        let mounted = Self { mounted: RwLock::default(), to_cli: Arc::new(to_cli), external: Mutex::default() };
        for (name, entry) in &mounts.servers {
            mounted.put(name, entry.server.as_ref(), &entry.options);
        }
        mounted
    }

    /// Opens a session with a server. Replaces the server of the same name.
    pub(crate) fn put(&self, name: &str, server: &dyn Mount, options: &MountOptions) {
        let (to_cli, sender) = (Arc::clone(&self.to_cli), name.to_owned());
        let server = server.open(Arc::new(move |message| to_cli(&sender, message)));
        let config = McpServer::mounted(name, options);
        self.mounted.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), Slot { server, config });
    }

    /// Ends the session with a server. Returns false if no server has that name.
    pub(crate) fn take(&self, name: &str) -> bool {
        self.mounted.write().unwrap_or_else(PoisonError::into_inner).remove(name).is_some()
    }

    /// Returns the names of the mounted servers.
    pub(crate) fn names(&self) -> Vec<String> {
        self.slots().keys().cloned().collect()
    }

    pub(crate) fn get(&self, name: &str) -> Option<Arc<dyn Mounted>> {
        Some(Arc::clone(&self.slots().get(name)?.server))
    }

    /// Returns the configuration of every mounted server, as it is sent to the CLI.
    pub(crate) fn configs(&self) -> BTreeMap<String, McpServer> {
        self.slots().iter().map(|(name, slot)| (name.clone(), slot.config.clone())).collect()
    }

    fn slots(&self) -> RwLockReadGuard<'_, BTreeMap<String, Slot>> {
        self.mounted.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for MountedServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.slots().keys()).finish()
    }
}
