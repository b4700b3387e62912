//! The client: a handle to a server that is connected, and connected again when the connection is lost.

use std::fmt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use mcp_core::protocol::Revision;
use mcp_core::{IntoServer, LogLevel};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Handle as Runtime;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::builder::{Builder, Options};
use crate::connection::{Connection, Request};
use crate::error::{CallError, ConnectError};
use crate::event::{Change, LogMessage, Notification};
use crate::feed::{Events, Feed};
use crate::handler::Handler;
use crate::handshake::{self, Memory};
use crate::recovery::{STABLE, State};
use crate::server::ServerInfo;
use crate::shared::Shared;
use crate::transport::Transport;

/// A client of one MCP server.
///
/// Cloning gives another handle to the same connection. When the last handle is dropped, the connection is closed: a server
/// process is asked to exit, and killed if it does not. [`close`](Client::close) does the same and waits.
#[derive(Clone)]
pub struct Client(Arc<Handle>);

/// Closes the client when the last handle is dropped.
struct Handle(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) shared: Arc<Shared>,
    transport: Box<dyn Transport>,
    current: Mutex<Option<Arc<Connection>>>,
    /// Held by the one who connects.
    memory: tokio::sync::Mutex<Memory>,
    state: watch::Sender<State>,
    states: Feed<State>,
    is_closed: AtomicBool,
}

impl Client {
    /// A server that is started as a child process and speaks over its standard input and output.
    ///
    /// Standard input and output of the command are replaced. Standard error is read and kept for error messages.
    pub fn spawn(command: Command) -> Builder {
        Builder::process(command)
    }

    /// A server at the URL of its streamable HTTP endpoint.
    pub fn http(url: impl Into<String>) -> Builder {
        Builder::http(url.into())
    }

    /// A server at the URL of an HTTP+SSE endpoint, the HTTP transport of 2024-11-05.
    pub fn sse(url: impl Into<String>) -> Builder {
        Builder::sse(url.into())
    }

    /// A server in this process.
    pub fn of(server: impl IntoServer) -> Builder {
        Builder::in_process(server)
    }

    /// A server at the other end of two streams, with one JSON message in each line.
    pub fn connect<R, W>(read: R, write: W) -> Builder
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        Builder::streams(read, write)
    }

    pub(crate) async fn open(
        transport: Box<dyn Transport>,
        options: Options,
        handler: Arc<dyn Handler>,
    ) -> Result<Client, ConnectError> {
        let shared = Shared {
            options,
            handler,
            runtime: Runtime::current(),
            ids: AtomicU64::new(1),
            cache: Default::default(),
            tools: Default::default(),
            changes: Feed::default(),
            logs: Feed::default(),
            updates: Feed::default(),
            notifications: Feed::default(),
        };
        let inner = Arc::new(Inner {
            shared: Arc::new(shared),
            transport,
            current: Mutex::default(),
            memory: tokio::sync::Mutex::default(),
            state: watch::Sender::new(State::Connecting),
            states: Feed::default(),
            is_closed: AtomicBool::new(false),
        });
        let mut memory = inner.memory.lock().await;
        let connection = handshake::connect(&*inner.transport, &inner.shared, &mut memory).await?;
        drop(memory);
        inner.install(connection);
        Ok(Client(Arc::new(Handle(inner))))
    }

    pub(crate) fn inner(&self) -> &Arc<Inner> {
        &self.0.0
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0.0.shared
    }

    /// Returns what the server said of itself on the current connection.
    ///
    /// # Errors
    /// If there is no connection, and none can be opened.
    pub async fn server(&self) -> Result<ServerInfo, CallError> {
        let connection = self.inner().connection().await?;
        connection.info().cloned().ok_or(CallError::Closed)
    }

    /// Returns the state of the connection.
    pub fn state(&self) -> State {
        self.inner().state.borrow().clone()
    }

    /// Returns a stream of the states from now on.
    pub fn states(&self) -> Events<State> {
        self.inner().states.subscribe()
    }

    /// Returns the id of the server process, if the server is one that this client has started and that runs.
    pub fn process_id(&self) -> Option<u32> {
        self.inner().living().and_then(|connection| connection.link().process_id())
    }

    /// Returns a stream of the lists that change from now on.
    ///
    /// In 2026-07-28 servers tell this only to a client that [listens](Client::listen).
    pub fn changes(&self) -> Events<Change> {
        self.shared().changes.subscribe()
    }

    /// Returns a stream of the log messages from now on. Ask for them with [`set_log_level`](Client::set_log_level).
    pub fn logs(&self) -> Events<LogMessage> {
        self.shared().logs.subscribe()
    }

    /// Returns a stream of the notifications from now on that this crate has no type for.
    pub fn notifications(&self) -> Events<Notification> {
        self.shared().notifications.subscribe()
    }

    /// Asks for log messages from this level on. Valid for later connections too.
    ///
    /// # Errors
    /// If the server refuses the level.
    pub async fn set_log_level(&self, level: LogLevel) -> Result<(), CallError> {
        *self.shared().options.log_level.lock().unwrap_or_else(PoisonError::into_inner) = Some(level);
        if self.inner().connection().await?.revision().is_some_and(Revision::is_stateless) {
            // Each request names the level.
            return Ok(());
        }
        self.send(Request::new("logging/setLevel", params(json!({"level": level})))).await.map(drop)
    }

    /// Checks that the server answers. Sends `ping`, or `server/discover` in 2026-07-28, which has no `ping`.
    ///
    /// # Errors
    /// If it does not.
    pub async fn ping(&self) -> Result<(), CallError> {
        let stateless = self.inner().connection().await?.revision().is_some_and(Revision::is_stateless);
        let method = if stateless { "server/discover" } else { "ping" };
        self.send(Request::new(method, Map::new())).await.map(drop)
    }

    /// Tells the server that the user works in other folders now. The server then asks for them again.
    ///
    /// # Errors
    /// If there is no connection. In 2026-07-28 there is nothing to tell, and nothing is sent.
    pub async fn roots_changed(&self) -> Result<(), CallError> {
        let connection = self.inner().connection().await?;
        if connection.revision().is_some_and(Revision::is_stateless) {
            return Ok(());
        }
        let sent = connection.notify("notifications/roots/list_changed", &json!({})).await;
        sent.map_err(|failure| CallError::Lost { begun: true, reason: failure.to_string() })
    }

    /// Closes the connection and waits until it is closed. A server process is gone when this returns.
    ///
    /// Pending calls fail. Later calls, of other handles too, fail with [`CallError::Closed`].
    pub async fn close(self) {
        if let Some(connection) = self.inner().shut() {
            connection.link().close().await;
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if let Some(connection) = self.0.shut() {
            self.0.shared.runtime.spawn(async move { connection.link().close().await });
        }
    }
}

impl Inner {
    /// Returns the connection, or opens one if it is lost.
    pub(crate) async fn connection(self: &Arc<Inner>) -> Result<Arc<Connection>, CallError> {
        if let Some(connection) = self.living() {
            return Ok(connection);
        }
        if self.is_closed() {
            return Err(CallError::Closed);
        }
        let mut memory = self.memory.lock().await;
        match self.living() {
            Some(connection) => Ok(connection),
            None => self.reconnect(&mut memory).await,
        }
    }

    /// Returns whether requests use HTTP in a revision where arguments can go into headers.
    pub(crate) fn uses_headers(&self, connection: &Connection) -> bool {
        self.transport.is_http() && connection.revision().is_some_and(Revision::is_stateless)
    }

    fn living(&self) -> Option<Arc<Connection>> {
        self.current().clone().filter(|connection| !connection.is_lost())
    }

    async fn reconnect(self: &Arc<Inner>, memory: &mut Memory) -> Result<Arc<Connection>, CallError> {
        let recovery = &self.shared.options.recovery;
        if !self.can_recover() {
            let lost = ConnectError::Ended("the connection is lost, and recovery is off".to_owned());
            return Err(self.give_up(memory, lost));
        }
        loop {
            if recovery.gives_up(memory.failures) {
                // Connections could be opened, but none of them lasted.
                let last = ConnectError::Ended("the connection was lost soon after it was opened".to_owned());
                return Err(self.give_up(memory, last));
            }
            let delay = recovery.delay(memory.failures);
            if !delay.is_zero() {
                self.enter(State::Waiting { failures: memory.failures, delay });
                tokio::select! {
                    () = sleep(delay) => {}
                    () = self.until_closed() => {}
                }
            }
            if self.is_closed.load(Ordering::Acquire) {
                return Err(CallError::Closed);
            }
            self.enter(State::Connecting);
            match handshake::connect(&*self.transport, &self.shared, memory).await {
                Ok(connection) => {
                    self.install(connection.clone());
                    return Ok(connection);
                }
                Err(error) => {
                    memory.failures += 1;
                    tracing::warn!(%error, failures = memory.failures, "cannot connect to the server");
                    if recovery.gives_up(memory.failures) {
                        return Err(self.give_up(memory, error));
                    }
                }
            }
        }
    }

    fn give_up(&self, memory: &mut Memory, last: ConnectError) -> CallError {
        self.enter(State::Failed);
        match std::mem::take(&mut memory.failures) {
            0 => last.into(),
            attempts => ConnectError::GaveUp { attempts, last: Box::new(last) }.into(),
        }
    }

    /// Makes this the current connection, and restores it when it is lost.
    fn install(self: &Arc<Inner>, connection: Arc<Connection>) {
        // Another server may answer now.
        self.shared.cache.clear();
        self.shared.tools.clear();
        *self.current() = Some(connection.clone());
        if self.is_closed.load(Ordering::Acquire) {
            connection.lose("the client was closed");
            return;
        }
        self.enter(State::Connected);
        let (inner, began) = (Arc::downgrade(self), Instant::now());
        self.shared.runtime.spawn(async move {
            connection.until_lost().await;
            drop(connection);
            Inner::recover(&inner, began).await;
        });
    }

    /// Restores a lost connection without waiting for the next call, so that subscriptions go on.
    async fn recover(inner: &Weak<Inner>, began: Instant) {
        let Some(inner) = inner.upgrade() else { return };
        if inner.is_closed.load(Ordering::Acquire) {
            return;
        }
        let mut memory = inner.memory.lock().await;
        memory.failures = if began.elapsed() >= STABLE { 0 } else { memory.failures + 1 };
        if inner.living().is_some() {
            return;
        }
        // The error is in the state, and in the next call.
        let _ = inner.reconnect(&mut memory).await;
    }

    pub(crate) fn can_recover(&self) -> bool {
        self.transport.can_reopen() && self.shared.options.recovery.is_on() && !self.is_closed.load(Ordering::Acquire)
    }

    /// Fails all calls, and returns the connection that is to be closed.
    fn shut(&self) -> Option<Arc<Connection>> {
        if self.is_closed.swap(true, Ordering::AcqRel) {
            return None;
        }
        self.enter(State::Closed);
        let connection = self.current().take();
        if let Some(connection) = &connection {
            connection.lose("the client was closed");
        }
        connection
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    async fn until_closed(&self) {
        // An error means that the sender is gone, which cannot be while `self` is borrowed.
        let _ = self.state.subscribe().wait_for(|state| *state == State::Closed).await;
    }

    fn enter(&self, state: State) {
        let changed = self.state.send_if_modified(|current| {
            let open = *current != State::Closed && *current != state;
            if open {
                *current = state.clone();
            }
            open
        });
        if changed {
            self.states.send(&state);
        }
    }

    fn current(&self) -> MutexGuard<'_, Option<Arc<Connection>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The members of a JSON object.
pub(crate) fn params(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(params) => params,
        _ => Map::new(),
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("state", &self.state()).finish_non_exhaustive()
    }
}
