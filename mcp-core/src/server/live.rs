//! Servers whose tools, prompts and resources can be replaced at run time.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use crate::server::Server;
use crate::server::builder::IntoServer;
use crate::server::error::BuildError;
use crate::server::registry::Registry;
use crate::session::subscriptions::Subscribers;
use crate::task::ServerTasks;

/// A handle to a server that can be replaced at run time.
///
/// A [`Server`] is immutable. When the server of this handle is [replaced](Live::replace), every session that was opened from
/// it continues with the new server and notifies its client of the changed lists. Running calls finish with the old tools.
///
/// ```
/// use mcp_core::{Live, Server, tool, tools};
///
/// /// Say hello.
/// #[tool]
/// fn hello() -> &'static str {
///     "hello"
/// }
///
/// let live = Live::new(Server::builder("plugins", "1.0.0"))?;
/// let server = live.server(); // serve this
/// assert_eq!(server.tools().len(), 0);
///
/// live.replace(Server::builder("plugins", "1.0.0").tools(tools![hello]))?;
/// assert_eq!(live.server().tools().len(), 1);
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Live {
    current: Arc<RwLock<Arc<Registry>>>,
    subscribers: Arc<Subscribers>,
    tasks: Arc<ServerTasks>,
}

impl Live {
    /// Creates a handle with this server.
    ///
    /// # Errors
    /// The faults that were found when the server was built.
    pub fn new(server: impl IntoServer) -> Result<Live, BuildError> {
        let server = server.into_server()?;
        let Server { registry, subscribers, tasks, .. } = server;
        Ok(Live { current: Arc::new(RwLock::new(registry)), subscribers, tasks })
    }

    /// Returns the current server. Sessions opened from it use the new server after each replacement.
    pub fn server(&self) -> Server {
        let registry = self.current.read().unwrap_or_else(PoisonError::into_inner).clone();
        Server { registry, subscribers: self.subscribers.clone(), tasks: self.tasks.clone(), live: Some(self.clone()) }
    }

    /// Replaces the server and notifies all clients of the lists that have changed.
    ///
    /// # Errors
    /// The faults of the new server. The old one then stays in place.
    pub fn replace(&self, server: impl IntoServer) -> Result<(), BuildError> {
        let new = server.into_server()?.registry;
        let old = std::mem::replace(&mut *self.current.write().unwrap_or_else(PoisonError::into_inner), new.clone());
        self.subscribers.notify(&old.changes(&new));
        Ok(())
    }
}

impl IntoServer for Live {
    fn into_server(self) -> Result<Server, BuildError> {
        Ok(self.server())
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Live").field(&self.server()).finish()
    }
}
