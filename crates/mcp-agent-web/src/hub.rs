//! The hub: the chats of a program.

use std::io::{Write as _, stderr};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use mcp_agent::Agent;
use mcp_agent_history::History;
use tokio::net::ToSocketAddrs;
use tokio::sync::{Semaphore, watch};
use tokio::time::sleep;

use crate::access::Access;
use crate::chat::Chat;
use crate::command::Command;
use crate::error::WebError;
use crate::options::Options;
use crate::routes;
use crate::shared::{AgentOf, Shared};
use crate::store::{ChatStore, MemoryStore};
use crate::watch::Watch;

/// How long responses may take after the signal to shut down.
const GRACE: Duration = Duration::from_secs(5);

/// Creates a [`Hub`].
#[must_use]
pub struct HubBuilder {
    agent: Arc<AgentOf>,
    store: Arc<dyn ChatStore>,
    options: Options,
    access: Access,
    history: Option<(History, PathBuf)>,
}

/// The chats of a program: runs their sessions, and lets any number of people watch and steer them.
///
/// A clone is the same hub. When the last clone and all routers are dropped, sessions that are not idle go on until they are;
/// [`shutdown`](Self::shutdown) ends them.
#[derive(Debug, Clone)]
pub struct Hub(Arc<Shared>);

impl Hub {
    /// Creates a hub whose chats are run by the agents that `agent` creates. See [`HubBuilder`] for the options.
    ///
    /// ```no_run
    /// # async fn program() -> std::io::Result<()> {
    /// use mcp_agent::Agent;
    /// use mcp_agent_web::Hub;
    ///
    /// let hub = Hub::builder(|chat| Agent::new().permission(chat.ask())).build();
    /// let app = axum::Router::new().nest("/agent", hub.router());
    /// # let _ = app; Ok(())
    /// # }
    /// ```
    pub fn builder(agent: impl Fn(Chat) -> Agent + Send + Sync + 'static) -> HubBuilder {
        HubBuilder {
            agent: Arc::new(agent),
            store: Arc::new(MemoryStore::default()),
            options: Options::default(),
            access: Access::default(),
            history: None,
        }
    }

    /// Returns the routes of the hub, to be nested in a router of axum.
    pub fn router(&self) -> Router {
        routes::router(Arc::clone(&self.0))
    }

    /// Returns the token that callers need, or `None` if a function decides who may call.
    pub fn token(&self) -> Option<&str> {
        self.0.access.shown_token()
    }

    /// Sends a command to a chat. Returns false if it is a prompt that was sent before.
    ///
    /// # Errors
    /// If the command is not valid, the chat has ended, or the store fails.
    pub async fn send(&self, chat: &str, command: Command) -> Result<bool, WebError> {
        self.0.send(chat, &command).await
    }

    /// Watches a chat from the event with the id `after`; without it, from a snapshot.
    ///
    /// # Errors
    /// If the id of the chat is not a UUID, too many clients are watching, or the store fails.
    pub async fn watch(&self, chat: &str, after: Option<&str>) -> Result<Watch, WebError> {
        Watch::new(Arc::clone(&self.0), chat, after).await
    }

    /// Serves the routes under `/agent` until a signal shuts the process down. Writes the address to standard error, with the
    /// token if callers need one.
    ///
    /// # Errors
    /// If the address cannot be bound or the signal handlers cannot be installed.
    pub async fn serve(self, address: impl ToSocketAddrs) -> std::io::Result<()> {
        let app = Router::new().nest("/agent", self.router());
        let login = self.token().map(|token| format!("/login?token={token}")).unwrap_or_default();
        // Serving goes on if standard error is closed.
        let ready = |address| drop(writeln!(stderr(), "serving chats on http://{address}/agent{login}"));
        self.serve_with(app, address, ready).await
    }

    /// Serves an application that contains the routes of this hub, until a signal shuts the process down. Then responses have
    /// five seconds to finish, and the sessions are shut down. `ready` is called with the address.
    ///
    /// # Errors
    /// If the address cannot be bound or the signal handlers cannot be installed.
    pub async fn serve_with(
        self,
        app: Router,
        address: impl ToSocketAddrs,
        ready: impl FnOnce(SocketAddr),
    ) -> std::io::Result<()> {
        let listener = tokio::net::TcpListener::bind(address).await?;
        let signal = mcp_http::shutdown_signal()?;
        ready(listener.local_addr()?);
        let hub = self.clone();
        let stopping = async move {
            signal.await;
            // Ends the streams of the watchers, which would otherwise keep their connections open.
            hub.0.stop.send_replace(true);
        };
        let mut stop = self.0.stop.subscribe();
        let late = async {
            // Cannot fail: the sender is part of `self`.
            let _ = stop.wait_for(|stop| *stop).await;
            sleep(GRACE).await;
        };
        // A client that sends half a request must not keep the program from ending.
        tokio::select! {
            served = axum::serve(listener, app).with_graceful_shutdown(stopping).into_future() => served?,
            () = late => {}
        }
        self.shutdown().await;
        Ok(())
    }

    /// Shuts all sessions down and waits until they have ended. Watchers are disconnected. The chats can be continued by
    /// another instance, or after a restart.
    pub async fn shutdown(&self) {
        self.0.stop.send_replace(true);
        let mut runners = self.0.runners.subscribe();
        // Cannot fail: the sender is part of `self`.
        let _ = runners.wait_for(|runners| *runners == 0).await;
    }
}

impl HubBuilder {
    /// Sets who may use the hub. The default is a random token, see [`Hub::token`].
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Sets where the events of the chats are kept. The default is [`MemoryStore`].
    pub fn store(mut self, store: impl ChatStore) -> Self {
        self.store = Arc::new(store);
        self
    }

    /// Lists the sessions that the CLI has stored for this working directory, and lets users continue them: the id of a
    /// session is also the id of its chat. With it, chats survive a restart of the program. The directory must be that of the
    /// agents. Sessions of other directories can be neither watched nor continued.
    pub fn history(mut self, history: History, cwd: impl Into<PathBuf>) -> Self {
        self.history = Some((history, cwd.into()));
        self
    }

    /// Sets how many events, and how many bytes of them, a chat keeps until it makes a snapshot. At most twice as much is
    /// kept. A watcher that is further behind gets the snapshot. The defaults are 1000 events and 4 MiB.
    pub fn ring(mut self, events: usize, bytes: usize) -> Self {
        (self.options.ring_events, self.options.ring_bytes) = (events.max(1), bytes.max(1));
        self
    }

    /// Sets after how long without events the CLI of a chat is shut down. The next prompt starts it again. The default is 15
    /// minutes.
    pub fn idle_timeout(mut self, idle: Duration) -> Self {
        self.options.idle = idle;
        self
    }

    /// Sets how long a chat stays with an instance that does not respond any more. The default is 12 seconds.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.options.lease = lease.max(Duration::from_millis(100));
        self
    }

    /// Sets how long a stream may be silent before a comment is sent, which keeps the connection open. The default is 15
    /// seconds.
    pub fn heartbeat(mut self, heartbeat: Duration) -> Self {
        self.options.heartbeat = heartbeat;
        self
    }

    /// Sets after how long an `EventSource` that was disconnected connects again. The default is one second.
    pub fn retry(mut self, retry: Duration) -> Self {
        self.options.retry = retry;
        self
    }

    /// Sets how many clients may watch at the same time, in all chats. The default is 1000.
    pub fn max_watchers(mut self, max_watchers: usize) -> Self {
        self.options.max_watchers = max_watchers;
        self
    }

    /// Sets how many sessions may be open at the same time. Each of them is a process of the CLI. A prompt that would open
    /// another one is rejected. The default is 100.
    pub fn max_sessions(mut self, max_sessions: usize) -> Self {
        self.options.max_sessions = max_sessions;
        self
    }

    /// Creates the hub.
    pub fn build(self) -> Hub {
        let Self { agent, store, options, access, history } = self;
        Hub(Arc::new(Shared {
            agent,
            store,
            options,
            access,
            history,
            stop: watch::Sender::new(false),
            runners: watch::Sender::new(0),
            sessions: Arc::new(Semaphore::new(options.max_sessions.min(Semaphore::MAX_PERMITS))),
            watchers: Arc::new(Semaphore::new(options.max_watchers.min(Semaphore::MAX_PERMITS))),
        }))
    }
}

impl std::fmt::Debug for HubBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HubBuilder").field("options", &self.options).field("access", &self.access).finish_non_exhaustive()
    }
}
