//! What each method of MCP does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::context::{CallState, Context};
use crate::fate::Fate;
use crate::hook::{HookCall, Next};
use crate::jsonrpc::{Body, Code, Id, RpcError};
use crate::params::{Params, text};
use crate::progress::Progress;
use crate::protocol::meta::{self, RequestMeta};
use crate::protocol::{Implementation, LogLevel, Revision};
use crate::reply::{Later, Reply};
use crate::running::{Running, panicked};
use crate::server::Server;
use crate::session::Session;
use crate::tool::{Call, Calling};

/// How much of a name that a client sent goes back to it in an error.
const LONGEST_ECHO: usize = 100;

impl Session {
    pub(crate) fn initialize(&self, server: &Server, params: &Params<'_>) -> Result<Body, RpcError> {
        let wanted = text(params.protocol_version, "protocolVersion")?
            .ok_or_else(|| RpcError::invalid_params("`initialize` needs a `protocolVersion`"))?;
        let revision = Revision::negotiate(&wanted);
        *self.0.client.write().unwrap_or_else(PoisonError::into_inner) = implementation(params.client_info);
        self.0.negotiated.store(revision as u8, Ordering::Release);
        Ok(Body::Json(server.initialize_result(revision).to_string().into()))
    }

    pub(crate) fn set_log_level(&self, params: &Params<'_>) -> Result<Body, RpcError> {
        let level: LogLevel = params.level.and_then(|raw| serde_json::from_str(raw.get()).ok()).ok_or_else(|| {
            RpcError::invalid_params(format!("`level` must be one of {}", LogLevel::ALL.map(LogLevel::as_str).join(", ")))
        })?;
        self.0.log_level.store(level as u8, Ordering::Release);
        Ok(Body::Static("{}"))
    }

    pub(crate) fn call_tool(
        &self,
        server: Server,
        id: Id,
        params: &Params<'_>,
        meta: &RequestMeta<'_>,
        revision: Revision,
    ) -> Result<Reply, RpcError> {
        let name =
            text(params.name, "name")?.ok_or_else(|| RpcError::invalid_params("`tools/call` needs the `name` of a tool"))?;
        let tool =
            server.listing().find(&name).ok_or_else(|| RpcError::invalid_params(format!("unknown tool: {}", cut(&name))))?;
        let arguments = match params.arguments {
            Some(arguments) => arguments,
            None => no_arguments(),
        };
        if !arguments.get().starts_with('{') {
            return Err(RpcError::invalid_params("`arguments` must be an object"));
        }
        let state = Arc::new(self.call_state(server.clone(), id, tool, params, meta, revision)?);
        let most = server.limits().in_flight;
        if self.0.inflight.len() >= most {
            return Err(RpcError::new(Code::BUSY, format!("the server is busy: {most} calls are in flight")));
        }
        if !self.0.inflight.insert(&state.id, state.clone()) {
            return Err(RpcError::invalid_request("a request with this id is still in flight"));
        }
        let context = Context(state.clone());
        let begin = || {
            if server.hooks().is_empty() {
                return server.tool_at(tool).tool.call(Call { arguments, context });
            }
            let next = Next::first(server.hooks().clone());
            Calling::future(next.run(HookCall { arguments: arguments.to_owned(), context }))
        };
        let running = match catch_unwind(AssertUnwindSafe(begin)) {
            Ok(calling) => Running::new(state, calling),
            Err(_) => Running::new(state.clone(), Calling::ready(panicked(state.entry()))),
        };
        Ok(Reply::Later(Later::call(running)))
    }

    fn call_state(
        &self,
        server: Server,
        id: Id,
        tool: usize,
        params: &Params<'_>,
        meta: &RequestMeta<'_>,
        revision: Revision,
    ) -> Result<CallState, RpcError> {
        let token = meta.progress_token.filter(|raw| Id::from_json(raw.get()).is_some());
        if meta.progress_token.is_some() && token.is_none() {
            return Err(RpcError::invalid_params("`progressToken` must be a string or a number"));
        }
        let stateless = revision.is_stateless();
        let log_level = LogLevel::ALL.get(usize::from(self.0.log_level.load(Ordering::Acquire))).copied();
        let client = || self.0.client.read().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(CallState {
            session: self.0.clone(),
            server,
            id,
            revision,
            tool,
            fate: Fate::default(),
            progress: token.map(|token| Mutex::new(Progress::new(token.to_owned(), revision))),
            log_level: if stateless { meta.log_level } else { log_level },
            client: if stateless { implementation(meta.client_info) } else { client() },
            meta: params.meta.map(ToOwned::to_owned),
        })
    }
}

pub(crate) fn discover(server: &Server, revision: Revision) -> Body {
    let mut result = json!({
        "supportedVersions": stateless_revisions(),
        "capabilities": server.capabilities(),
        "ttlMs": 3_600_000,
        "cacheScope": "public",
        "resultType": "complete",
        "_meta": {meta::SERVER_INFO: server.info_for(revision)},
    });
    if let Some(instructions) = server.instructions() {
        result["instructions"] = json!(instructions);
    }
    Body::Json(result.to_string().into())
}

fn implementation(raw: Option<&RawValue>) -> Option<Arc<Implementation>> {
    serde_json::from_str(raw?.get()).ok().map(Arc::new)
}

pub(crate) fn stateless_revisions() -> Vec<Value> {
    Revision::ALL.into_iter().filter(|revision| revision.is_stateless()).map(|revision| json!(revision.as_str())).collect()
}

/// A name from outside, short enough to send back.
pub(crate) fn cut(name: &str) -> String {
    match name.char_indices().nth(LONGEST_ECHO) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}

/// What a call without `arguments` means.
fn no_arguments() -> &'static RawValue {
    serde_json::from_str("{}").expect("an object")
}
