//! Handlers of requests that run no code of the user: `initialize`, `server/discover`, subscriptions, log level.

use serde_json::{Value, json};

use crate::jsonrpc::params::{Param, Params};
use crate::jsonrpc::{Body, RpcError};
use crate::protocol::meta;
use crate::protocol::{Client, LogLevel, Revision};
use crate::server::Server;
use crate::session::Session;
use crate::session::incoming::not_found;

/// Names that clients sent are shortened to this many characters in error messages.
const MAX_NAME_IN_ERROR: usize = 100;

impl Session {
    pub(crate) fn initialize(&self, server: &Server, params: &Params<'_>) -> Result<Body, RpcError> {
        let wanted = params
            .text(Param::ProtocolVersion)?
            .ok_or_else(|| RpcError::invalid_params("`initialize` needs a `protocolVersion`"))?;
        let revision = Revision::negotiate(&wanted);
        let Client { info, capabilities } = Client::parse(params.get(Param::ClientInfo), params.get(Param::Capabilities));
        self.shared.set_client(Client { info, capabilities: capabilities.known_in(revision) });
        self.set_revision(revision);
        Ok(Body::Json(server.initialize_result(revision).to_string().into()))
    }

    pub(crate) fn subscribe(&self, server: &Server, params: &Params<'_>, revision: Revision) -> Result<Body, RpcError> {
        let uri = params.text(Param::Uri)?.ok_or_else(|| RpcError::invalid_params("`resources/subscribe` needs a `uri`"))?;
        server.registry.resources.find(&uri).ok_or_else(|| not_found(&uri, revision))?;
        self.shared.subscribe(server, uri.into_owned());
        Ok(Body::Static("{}"))
    }

    pub(crate) fn unsubscribe(&self, params: &Params<'_>) -> Result<Body, RpcError> {
        let uri =
            params.text(Param::Uri)?.ok_or_else(|| RpcError::invalid_params("`resources/unsubscribe` needs a `uri`"))?;
        self.shared.unsubscribe(&uri);
        Ok(Body::Static("{}"))
    }

    pub(crate) fn set_log_level(&self, params: &Params<'_>) -> Result<Body, RpcError> {
        let level: LogLevel =
            params.get(Param::Level).and_then(|raw| serde_json::from_str(raw.get()).ok()).ok_or_else(|| {
                RpcError::invalid_params(format!(
                    "`level` must be one of {}",
                    LogLevel::ALL.map(LogLevel::as_str).join(", ")
                ))
            })?;
        self.shared.change_settings(|settings| settings.log_level = level);
        Ok(Body::Static("{}"))
    }
}

pub(crate) fn discover(server: &Server, revision: Revision) -> Body {
    let mut result = json!({
        "supportedVersions": stateless_revisions(),
        "capabilities": server.capabilities(revision),
        "ttlMs": server.cache_lists().ttl_ms(),
        "cacheScope": server.cache_lists().scope(),
        "resultType": "complete",
        "_meta": {meta::SERVER_INFO: server.info_for(revision)},
    });
    if let Some(instructions) = server.instructions() {
        result["instructions"] = json!(instructions);
    }
    Body::Json(result.to_string().into())
}

pub(crate) fn stateless_revisions() -> Vec<Value> {
    Revision::ALL.into_iter().filter(|revision| revision.is_stateless()).map(|revision| json!(revision.as_str())).collect()
}

/// Shortens a name that a client sent, for an error message.
pub(crate) fn cut(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME_IN_ERROR) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}
