//! The servers of an open session, which may come and go.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::sync::Mutex;

use super::{Mount, Mounted, Mounts};
use crate::options::McpServer;

/// The servers of an open session: those of this program, and those that the CLI was told of since it started.
pub(crate) struct MountedServers {
    mounted: RwLock<BTreeMap<String, Slot>>,
    to_cli: Arc<Unasked>,
    /// What the CLI was told last. Locked for as long as it is being told, so that no two changes undo each other.
    pub(crate) external: Mutex<BTreeMap<String, McpServer>>,
}

/// Takes what the server of this name says unasked to the CLI.
type Unasked = dyn Fn(&str, Box<RawValue>) + Send + Sync;

struct Slot {
    server: Arc<dyn Mounted>,
    config: McpServer,
}

impl MountedServers {
    /// Opens a session with every server; `to_cli` takes what they say unasked, and is told whose message it is.
    pub(crate) fn new(mounts: &Mounts, to_cli: impl Fn(&str, Box<RawValue>) + Send + Sync + 'static) -> Self {
        let mounted = Self { mounted: RwLock::default(), to_cli: Arc::new(to_cli), external: Mutex::default() };
        for (name, entry) in &mounts.servers {
            mounted.put(name, entry.server.as_ref(), entry.timeout);
        }
        mounted
    }

    /// Opens a session with a server, in the place of one of the same name.
    pub(crate) fn put(&self, name: &str, server: &dyn Mount, timeout: Option<Duration>) {
        let (to_cli, sender) = (Arc::clone(&self.to_cli), name.to_owned());
        let server = server.open(Arc::new(move |message| to_cli(&sender, message)));
        let config = McpServer::mounted(name, timeout);
        self.mounted.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), Slot { server, config });
    }

    /// Ends the session with a server; false if there is none of that name.
    pub(crate) fn take(&self, name: &str) -> bool {
        self.mounted.write().unwrap_or_else(PoisonError::into_inner).remove(name).is_some()
    }

    pub(crate) fn get(&self, name: &str) -> Option<Arc<dyn Mounted>> {
        Some(Arc::clone(&self.slots().get(name)?.server))
    }

    /// Every mounted server as the CLI is told of it.
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
