//! Opens a connection: `server/discover` of 2026-07-28, or `initialize` of the older revisions.

use std::pin::pin;
use std::sync::Arc;

use mcp_core::protocol::{Implementation, Revision};
use mcp_core::transport::{Code, RpcError, SERVER_INFO};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::time::{sleep, timeout};

use crate::connection::{Connection, Request};
use crate::error::ConnectError;
use crate::pending::Answered;
use crate::server::{ServerCapabilities, ServerInfo};
use crate::shared::Shared;
use crate::transport::{Failure, Transport};

/// Facts about the server from earlier connections.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Whether the server has no stateless revision, so that `server/discover` is not sent again.
    pub(crate) needs_handshake: bool,
    /// The number of connections and attempts in a row that failed.
    pub(crate) failures: u32,
}

/// Opens a connection and completes the handshake.
pub(crate) async fn connect(
    transport: &dyn Transport,
    shared: &Arc<Shared>,
    memory: &mut Memory,
) -> Result<Arc<Connection>, ConnectError> {
    let limit = shared.options.connect_timeout;
    timeout(limit, connect_in_time(transport, shared, memory)).await.unwrap_or(Err(ConnectError::Timeout(limit)))
}

async fn connect_in_time(
    transport: &dyn Transport,
    shared: &Arc<Shared>,
    memory: &mut Memory,
) -> Result<Arc<Connection>, ConnectError> {
    let pinned = shared.options.pinned;
    if !transport.is_current() && pinned.is_some_and(Revision::is_stateless) {
        return Err(ConnectError::Options("HTTP+SSE has no stateless revision".to_owned()));
    }
    if transport.is_current() && !memory.needs_handshake && pinned.is_none_or(Revision::is_stateless) {
        let connection = open(transport, shared).await?;
        match negotiate(&connection).await {
            Ok(info) => {
                memory.needs_handshake = !info.revision.is_stateless();
                return adopt(connection, info).await;
            }
            // Some old servers exit on an unknown request. Start it again and use `initialize`.
            Err(ConnectError::Ended(reason) | ConnectError::Network(reason))
                if pinned.is_none() && transport.can_reopen() =>
            {
                tracing::debug!(reason, "no answer to `server/discover`: connecting again with `initialize`");
            }
            Err(error) => return Err(error),
        }
    }
    let connection = open(transport, shared).await?;
    let info = initialize(&connection).await?;
    memory.needs_handshake = true;
    adopt(connection, info).await
}

/// Sends `server/discover`, and `initialize` if the server does not support the stateless revision.
async fn negotiate(connection: &Arc<Connection>) -> Result<ServerInfo, ConnectError> {
    let options = &connection.shared.options;
    let mut discovering = pin!(discover(connection));
    let discovered = tokio::select! {
        discovered = &mut discovering => discovered,
        () = sleep(options.probe_timeout), if options.pinned.is_none() => {
            // If `server/discover` gets no answer, `initialize` is sent too. The first valid answer decides.
            let (mut initializing, mut is_refused) = (pin!(initialize(connection)), false);
            loop {
                tokio::select! {
                    biased;
                    discovered = &mut discovering, if !is_refused => match discovered {
                        Ok(info) => return Ok(info),
                        Err(_) => is_refused = true,
                    },
                    initialized = &mut initializing => return match initialized {
                        // Some servers fix the revision with the first request and refuse the second.
                        Err(error) if !is_refused => discovering.await.map_err(|_| error),
                        initialized => initialized,
                    },
                }
            }
        }
    };
    match discovered {
        Ok(info) => Ok(info),
        Err(failure) if options.pinned.is_some() || !may_need_handshake(&failure) => Err(failure.into()),
        Err(failure) => {
            tracing::debug!(reason = %failure, "the server does not know `server/discover`: sending `initialize`");
            initialize(connection).await
        }
    }
}

/// Returns whether a failed `server/discover` could mean that the server needs a handshake.
fn may_need_handshake(failure: &Failure) -> bool {
    matches!(failure, Failure::Rpc(_) | Failure::Invalid(_) | Failure::Status { .. })
}

/// Completes the handshake, so that the connection can be used.
async fn adopt(connection: Arc<Connection>, info: ServerInfo) -> Result<Arc<Connection>, ConnectError> {
    let revision = info.revision;
    connection.set_info(info);
    if !revision.is_stateless() {
        connection.notify("notifications/initialized", &json!({})).await?;
    }
    connection.link().clone().established(revision).await;
    if !revision.is_stateless() {
        set_log_level(&connection).await;
    }
    Ok(connection)
}

async fn open(transport: &dyn Transport, shared: &Arc<Shared>) -> Result<Arc<Connection>, ConnectError> {
    let connection = Connection::new(shared.clone());
    let link = transport.open(connection.inbox()).await?;
    connection.set_link(link);
    Ok(connection)
}

/// Requests the stateless revision with `server/discover`.
async fn discover(connection: &Arc<Connection>) -> Result<ServerInfo, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Discovered {
        supported_versions: Vec<String>,
        #[serde(default)]
        capabilities: ServerCapabilities,
        #[serde(default)]
        instructions: Option<String>,
        #[serde(rename = "_meta", default)]
        meta: Map<String, Value>,
    }
    let revision = connection.shared.options.pinned.unwrap_or(Revision::NEWEST);
    let answer = match ask_to_discover(connection, revision).await {
        // A server may refuse the revision once, for example while another instance replaces it. Its error lists the revision.
        Err(Failure::Rpc(error)) if supports(&error, revision) => ask_to_discover(connection, revision).await?,
        answer => answer?,
    };
    let found: Discovered = read("server/discover", &answer)?;
    if !found.supported_versions.iter().any(|version| version == revision.as_str()) {
        let offered = found.supported_versions.join(", ");
        return Err(Failure::Invalid(format!("the server has only these stateless revisions: {}", shorten(&offered))));
    }
    let implementation = found.meta.get(SERVER_INFO);
    let implementation = implementation.and_then(|info| serde_json::from_value::<Implementation>(info.clone()).ok());
    Ok(ServerInfo { revision, implementation, capabilities: found.capabilities, instructions: found.instructions })
}

async fn ask_to_discover(connection: &Arc<Connection>, revision: Revision) -> Answered {
    connection.request(&Request::new("server/discover", Map::new()), Some(revision)).await
}

/// Returns whether an error lists this revision as supported.
fn supports(error: &RpcError, revision: Revision) -> bool {
    let supported = error.data.as_ref().filter(|_| error.code == Code::UNSUPPORTED_VERSION).map(|data| &data["supported"]);
    supported.and_then(Value::as_array).is_some_and(|names| names.iter().any(|name| name == revision.as_str()))
}

/// Negotiates a revision with a handshake.
async fn initialize(connection: &Arc<Connection>) -> Result<ServerInfo, ConnectError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Initialized {
        protocol_version: String,
        #[serde(default)]
        capabilities: ServerCapabilities,
        #[serde(default)]
        server_info: Option<Implementation>,
        #[serde(default)]
        instructions: Option<String>,
    }
    let options = &connection.shared.options;
    let wanted = options.pinned.unwrap_or(Revision::NEWEST_HANDSHAKE);
    let params = json!({
        "protocolVersion": wanted.as_str(),
        "capabilities": connection.shared.capabilities(wanted),
        "clientInfo": options.client_info,
    });
    let params = params.as_object().cloned().unwrap_or_default();
    let answer = connection.request(&Request::new("initialize", params), None).await?;
    let found: Initialized = read("initialize", &answer)?;
    let revision = Revision::parse(&found.protocol_version).filter(|revision| !revision.is_stateless());
    let offered = shorten(&found.protocol_version);
    let revision =
        revision.ok_or_else(|| ConnectError::Revision(format!("the server offers the unknown revision `{offered}`")))?;
    if options.pinned.is_some_and(|pinned| pinned != revision) {
        let reason = format!("the server offers revision {revision}, but only {wanted} is allowed");
        return Err(ConnectError::Revision(reason));
    }
    let (implementation, capabilities) = (found.server_info, found.capabilities);
    Ok(ServerInfo { revision, implementation, capabilities, instructions: found.instructions })
}

/// Sends the log level again on a new connection.
async fn set_log_level(connection: &Connection) {
    let level = *connection.shared.options.log_level.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let offered = connection.info().is_some_and(|info| info.capabilities.logging.is_some());
    let Some(level) = level.filter(|_| offered) else { return };
    let params = json!({"level": level}).as_object().cloned().unwrap_or_default();
    if let Err(failure) = connection.request(&Request::new("logging/setLevel", params), connection.revision()).await {
        tracing::warn!(reason = %failure, "the server refused the log level");
    }
}

fn read<'a, T: Deserialize<'a>>(method: &str, answer: &'a RawValue) -> Result<T, Failure> {
    serde_json::from_str(answer.get()).map_err(|error| Failure::Invalid(format!("the result of `{method}`: {error}")))
}

/// Shortens a text of the server for an error message.
fn shorten(text: &str) -> String {
    text.chars().take(100).collect()
}
