//! Servers that change while they serve.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use crate::server::Server;
use crate::server::builder::IntoServer;
use crate::server::error::BuildError;
use crate::server::registry::Registry;
use crate::session::subscriptions::Subscribers;
use crate::task::ServerTasks;

/// A server that changes while it serves.
///
/// A [`Server`] is immutable. This handle hands out one that follows: when it is [replaced](Live::replace), every session
/// opened from it goes on with the new one and tells its client that the list has changed. Calls that are running end with
/// the tools they began with.
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
/// let live = Live::new(Server::new("plugins", "1.0.0"))?;
/// let server = live.server(); // serve this
/// assert_eq!(server.tools().len(), 0);
///
/// live.replace(Server::new("plugins", "1.0.0").tools(tools![hello]))?;
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
    /// Begins with this server.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(server: impl IntoServer) -> Result<Live, BuildError> {
        let server = server.into_server()?;
        let Server { registry, subscribers, tasks, .. } = server;
        Ok(Live { current: Arc::new(RwLock::new(registry)), subscribers, tasks })
    }

    /// The server as it is now. Sessions opened from it follow what it becomes.
    pub fn server(&self) -> Server {
        let registry = self.current.read().unwrap_or_else(PoisonError::into_inner).clone();
        Server { registry, subscribers: self.subscribers.clone(), tasks: self.tasks.clone(), live: Some(self.clone()) }
    }

    /// Puts another server in its place and tells every client which of its lists are others now.
    ///
    /// # Errors
    /// What is wrong with the new one; the old one then stays.
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
