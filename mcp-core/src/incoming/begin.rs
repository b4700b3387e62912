//! How a call begins: what is known of it, and what it adds to the load.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};

use super::Incoming;
use crate::ask::Parked;
use crate::context::{Burden, CallState, Target};
use crate::fate::Fate;
use crate::jsonrpc::{Id, RawJson, RpcError};
use crate::principal::Principal;
use crate::progress::Progress;
use crate::protocol::{ClientCapabilities, LogLevel};
use crate::requests::implementation;
use crate::trace;

impl Incoming<'_> {
    /// Takes note of a call, which from now on can be cancelled.
    pub(crate) fn begin(&self, target: Target, name: &str, uri: Option<&str>) -> Result<Arc<CallState>, RpcError> {
        let shared = &self.session.0;
        let share = shared.load.take_on(self.params.weight(), self.server.limits())?;
        let state = Arc::new(self.state(target, name, uri, Burden::Own(share))?);
        if !shared.inflight.insert(&state.id, state.clone()) {
            return Err(RpcError::invalid_request("a request with this id is still in flight"));
        }
        Ok(state)
    }

    /// A call that goes on when its request is answered.
    pub(crate) fn task_state(&self, index: usize, request: &Arc<CallState>) -> Result<Arc<CallState>, RpcError> {
        let name = self.server.registry.tools.entries()[index].name();
        let mut state = self.state(Target::Tool(index), name, None, Burden::Of(request.hold()))?;
        state.outbox = self.session.0.outbox.clone();
        if self.revision.is_stateless() {
            // There is nowhere to report to: clients ask how the task stands.
            (state.progress, state.log_level) = (None, None);
        }
        Ok(Arc::new(state))
    }

    fn state(&self, target: Target, name: &str, uri: Option<&str>, burden: Burden) -> Result<CallState, RpcError> {
        let shared = &self.session.0;
        let token = self.meta.progress_token.filter(|raw| Id::from_json(raw.get()).is_some());
        if self.meta.progress_token.is_some() && token.is_none() {
            return Err(RpcError::invalid_params("`progressToken` must be a string or a number"));
        }
        let stateless = self.revision.is_stateless();
        let log_level = LogLevel::ALL.get(usize::from(shared.log_level.load(Ordering::Acquire))).copied();
        let client = || shared.client.read().unwrap_or_else(PoisonError::into_inner).clone();
        let capabilities = self.capabilities();
        let may_ask = stateless && target != Target::Task && capabilities.can_be_asked();
        let purpose = if may_ask { self.purpose(target, name) } else { Vec::new() };
        let parked = match purpose.is_empty() {
            true => Parked::default(),
            false => Parked::read(self.params, |sealed| self.server.registry.seal.open(&purpose, sealed))?,
        };
        Ok(CallState {
            session: shared.clone(),
            server: self.server.clone(),
            outbox: self.outbox.clone(),
            id: self.id.clone(),
            revision: self.revision,
            target,
            uri: uri.map(Into::into),
            fate: Fate::default(),
            burden: Mutex::new(Some(burden)),
            holders: AtomicUsize::new(1),
            progress: token.map(|token| Mutex::new(self.progress(token, target))),
            log_level: if stateless { self.meta.log_level } else { log_level },
            client: if stateless { implementation(self.meta.client_info) } else { client() },
            principal: self.session.1.clone(),
            meta: self.params.meta.map(RawJson::to_boxed),
            capabilities,
            purpose,
            parked: Mutex::new(parked),
            span: trace::span(self.method.name(), target, name, self.id, self.revision, self.meta),
            task: OnceLock::new(),
            related: OnceLock::new(),
        })
    }

    /// What the client can do for us.
    pub(super) fn capabilities(&self) -> Arc<ClientCapabilities> {
        if self.revision.is_stateless() {
            return Arc::new(ClientCapabilities::parse(self.meta.client_capabilities));
        }
        self.session.0.capabilities.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What a call is, whichever way its arguments are written.
    fn purpose(&self, target: Target, name: &str) -> Vec<u8> {
        let kind = match target {
            Target::Tool(_) => "tool",
            Target::Prompt(_) => "prompt",
            Target::Resource(_) => "resource",
            Target::Completion => "completion",
            Target::Subscription => "subscription",
            Target::Task => "task",
        };
        let arguments: Value =
            self.params.arguments.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let owner = self.session.1.as_ref().map(Principal::owner);
        json!([kind, name, arguments, owner]).to_string().into_bytes()
    }

    /// The reports of a call. A stream of changes is no work, and has no heartbeat.
    fn progress(&self, token: RawJson<'_>, target: Target) -> Progress {
        let progress = Progress::new(token.to_boxed(), self.revision);
        match self.server.registry.heartbeat.filter(|_| target != Target::Subscription) {
            Some(period) => progress.with_heartbeat(period, self.session.0.host.now()),
            None => progress,
        }
    }
}
