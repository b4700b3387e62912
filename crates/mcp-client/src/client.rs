//! The client: a handle to a server.

use std::fmt;
use std::process::Command;
use std::sync::{Arc, PoisonError};

use mcp_core::protocol::Revision;
use mcp_core::{IntoServer, LogLevel};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::builder::Builder;
use crate::connection::Request;
use crate::error::{CallError, ConnectError};
use crate::event::{Change, LogMessage, Notification};
use crate::event_stream::Events;
use crate::handler::Handler;
use crate::options::Options;
use crate::reconnect::Inner;
use crate::recovery::State;
use crate::server::ServerInfo;
use crate::shared::Shared;
use crate::transport::Transport;

/// A client of one MCP server.
///
/// Cloning returns another handle to the same connection. When the last handle is dropped, the connection is closed: a server
/// process is asked to exit, and killed if it does not. [`close`](Client::close) does the same and waits.
#[derive(Clone)]
pub struct Client {
    handle: Arc<Handle>,
}

/// Closes the client when the last handle is dropped.
struct Handle {
    inner: Arc<Inner>,
}

impl Client {
    /// Connects to a server that is started as a child process and uses standard input and output.
    ///
    /// Standard input and output of the command are replaced. Standard error is read and kept for error messages.
    pub fn spawn(command: Command) -> Builder {
        Builder::process(command)
    }

    /// Connects to a server at the URL of its streamable HTTP endpoint.
    pub fn http(url: impl Into<String>) -> Builder {
        Builder::http(url.into())
    }

    /// Connects to a server at the URL of an HTTP+SSE endpoint, the HTTP transport of 2024-11-05.
    pub fn sse(url: impl Into<String>) -> Builder {
        Builder::sse(url.into())
    }

    /// Connects to a server in this process.
    pub fn of(server: impl IntoServer) -> Builder {
        Builder::in_process(server)
    }

    /// Connects to a server at the other end of two streams, with one JSON message in each line.
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
        let inner = Inner::connect(transport, Arc::new(Shared::new(options, handler))).await?;
        Ok(Client { handle: Arc::new(Handle { inner }) })
    }

    pub(crate) fn inner(&self) -> &Arc<Inner> {
        &self.handle.inner
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.handle.inner.shared
    }

    /// Returns the server info of the current connection.
    ///
    /// # Errors
    /// If there is no connection and none can be opened.
    pub async fn server(&self) -> Result<ServerInfo, CallError> {
        let connection = self.inner().connection().await?;
        connection.info().cloned().ok_or(CallError::Closed)
    }

    /// Returns the state of the connection.
    pub fn state(&self) -> State {
        self.inner().state()
    }

    /// Returns a stream of the states after this call.
    pub fn states(&self) -> Events<State> {
        self.inner().states()
    }

    /// Returns the id of the server process, if this client started the server and it is running.
    pub fn process_id(&self) -> Option<u32> {
        self.inner().living().and_then(|connection| connection.link().process_id())
    }

    /// Returns a stream of the changed lists, for notifications received after this call.
    ///
    /// In 2026-07-28 servers send these notifications only to a client that [listens](Client::listen).
    pub fn changes(&self) -> Events<Change> {
        self.shared().changes.subscribe()
    }

    /// Returns a stream of the log messages received after this call. Request them with [`set_log_level`](Client::set_log_level).
    pub fn logs(&self) -> Events<LogMessage> {
        self.shared().logs.subscribe()
    }

    /// Returns a stream of the notifications received after this call that this crate has no type for.
    pub fn notifications(&self) -> Events<Notification> {
        self.shared().notifications.subscribe()
    }

    /// Requests log messages of this level and higher ones, on later connections too.
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

    /// Checks that the server responds. Sends `ping`, or `server/discover` in 2026-07-28, which has no `ping`.
    ///
    /// # Errors
    /// If the server does not respond in time, or the connection is lost.
    pub async fn ping(&self) -> Result<(), CallError> {
        let stateless = self.inner().connection().await?.revision().is_some_and(Revision::is_stateless);
        let method = if stateless { "server/discover" } else { "ping" };
        self.send(Request::new(method, Map::new())).await.map(drop)
    }

    /// Notifies the server that the roots have changed. The server then requests them from the handler.
    ///
    /// # Errors
    /// If there is no connection. In 2026-07-28 this notification does not exist, and nothing is sent.
    pub async fn roots_changed(&self) -> Result<(), CallError> {
        let connection = self.inner().connection().await?;
        if connection.revision().is_some_and(Revision::is_stateless) {
            return Ok(());
        }
        let sent = connection.notify("notifications/roots/list_changed", &json!({})).await;
        sent.map_err(|failure| CallError::Lost { begun: true, reason: failure.to_string() })
    }

    /// Closes the connection and waits until it is closed. If the server is a process, it has ended when this returns.
    ///
    /// Pending calls fail. Later calls, also those of other handles, fail with [`CallError::Closed`].
    pub async fn close(self) {
        if let Some(connection) = self.inner().shut() {
            connection.link().close().await;
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if let Some(connection) = self.inner.shut() {
            self.inner.shared.runtime.spawn(async move { connection.link().close().await });
        }
    }
}

/// Returns the members of a JSON object.
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
