//! How a call begins: what is known of it, and what it adds to the load.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::{Value, json};

use super::Incoming;
use crate::ask::Parked;
use crate::call::details::CallDetails;
use crate::call::progress::Progress;
use crate::call::state::{Burden, CallState, Target};
use crate::call::status::CallStatus;
use crate::call::trace;
use crate::host::Outbox;
use crate::jsonrpc::params::Param;
use crate::jsonrpc::{Id, RawJson, RpcError};
use crate::protocol::{Client, LogLevel};
use crate::session::principal::Principal;

/// Where a call tells how far it is, and how much of it.
#[derive(Default)]
struct Reports<'a> {
    /// None where the session says everything.
    outbox: Option<&'a Arc<dyn Outbox>>,
    /// What reports of progress are recognised by.
    token: Option<RawJson<'a>>,
    log_level: Option<LogLevel>,
}

impl Incoming<'_> {
    /// Takes note of a call, which from now on can be cancelled.
    pub(crate) fn begin(&self, target: Target, name: &str, uri: Option<&str>) -> Result<Arc<CallState>, RpcError> {
        let shared = &self.session.0;
        let share = shared.load.take_on(self.params.weight(), self.server.limits())?;
        let outbox = (!Arc::ptr_eq(self.outbox, &shared.outbox)).then_some(self.outbox);
        let reports = Reports { outbox, token: self.meta.progress_token, log_level: self.log_level() };
        let state = self.state(target, name, uri, || Burden::Own(share.carried()), reports)?;
        if !shared.inflight.insert(&state.id, state.clone()) {
            return Err(RpcError::invalid_request("a request with this id is still in flight"));
        }
        Ok(state)
    }

    /// A call that goes on when its request is answered.
    pub(crate) fn task_state(&self, index: usize, request: &Arc<CallState>) -> Result<Arc<CallState>, RpcError> {
        let (target, name) = (Target::Tool(index), self.server.registry.tools.entries()[index].name());
        let mut reports = Reports::default();
        if !self.revision.is_stateless() {
            // Else there is nowhere to report to: clients ask how the task stands.
            reports.token = self.meta.progress_token;
            reports.log_level = self.log_level();
        }
        self.state(target, name, None, || Burden::Of(request.held()), reports)
    }

    fn state(
        &self,
        target: Target,
        name: &str,
        uri: Option<&str>,
        burden: impl FnOnce() -> Burden,
        reports: Reports<'_>,
    ) -> Result<Arc<CallState>, RpcError> {
        let is_plain = self.server.live.is_none() && self.session.1.is_none() && self.params.get(Param::Meta).is_none();
        let details = match is_plain && reports.outbox.is_none() && uri.is_none() {
            true => OnceLock::new(),
            false => OnceLock::from(self.details(target, name, uri, &reports)?),
        };
        Ok(Arc::new(CallState {
            session: self.session.0.clone(),
            id: self.id.clone(),
            revision: self.revision,
            target,
            status: CallStatus::default(),
            burden: burden(),
            holders: AtomicUsize::new(1),
            log_level: reports.log_level,
            span: trace::span(self.method.name(), target, name, self.id, self.revision, self.meta),
            details,
        }))
    }

    /// What only some calls have. All that stand alone have it: they say who they are in their `_meta`.
    #[inline(never)]
    fn details(
        &self,
        target: Target,
        name: &str,
        uri: Option<&str>,
        reports: &Reports<'_>,
    ) -> Result<Box<CallDetails>, RpcError> {
        let progress = reports.token.map(|token| self.progress(token, target)).transpose()?;
        let client = self.own_client().map_or_else(OnceLock::new, OnceLock::from);
        let parked = self.parked(target, name, client.get())?;
        Ok(Box::new(CallDetails {
            server: self.server.live.is_some().then(|| self.server.clone()),
            outbox: reports.outbox.cloned(),
            uri: uri.map(Into::into),
            progress,
            client,
            principal: self.session.1.clone(),
            parked: parked.map_or_else(OnceLock::new, OnceLock::from),
            meta: self.params.get(Param::Meta).map(|raw| raw.get().into()),
            ..CallDetails::default()
        }))
    }

    /// What the client says of itself: in the request, or in the handshake before.
    pub(super) fn client(&self) -> Arc<Client> {
        self.own_client().unwrap_or_else(|| self.session.0.client())
    }

    /// What the client says of itself in the request, if it stands alone.
    fn own_client(&self) -> Option<Arc<Client>> {
        let parse = || Arc::new(Client::parse(self.meta.client_info, self.meta.client_capabilities));
        self.revision.is_stateless().then(parse)
    }

    /// From which level on the client wants log messages, if it wants any.
    fn log_level(&self) -> Option<LogLevel> {
        match self.revision.is_stateless() {
            true => self.meta.log_level,
            false => LogLevel::ALL.get(usize::from(self.session.0.log_level.load(Ordering::Acquire))).copied(),
        }
    }

    /// What was asked in earlier runs of the call, where its client carries that for us.
    fn parked(&self, target: Target, name: &str, client: Option<&Arc<Client>>) -> Result<Option<Mutex<Parked>>, RpcError> {
        if target == Target::Task || !client.is_some_and(|client| client.capabilities.can_be_asked()) {
            return Ok(None);
        }
        let parked = Parked::read(self.params, self.purpose(target, name), &*self.server.registry.seal)?;
        Ok(Some(Mutex::new(parked)))
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
            self.params.get(Param::Arguments).and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let owner = self.session.1.as_ref().map(Principal::owner);
        json!([kind, name, arguments, owner]).to_string().into_bytes()
    }

    /// The reports of a call. A stream of changes is no work, and has no heartbeat.
    fn progress(&self, token: RawJson<'_>, target: Target) -> Result<Mutex<Progress>, RpcError> {
        if Id::from_json(token.get()).is_none() {
            return Err(RpcError::invalid_params("`progressToken` must be a string or a number"));
        }
        let mut progress = Progress::new(token.to_boxed(), self.revision);
        if let Some(period) = self.server.registry.heartbeat.filter(|_| target != Target::Subscription) {
            progress = progress.with_heartbeat(period, self.session.0.host.now());
        }
        Ok(Mutex::new(progress))
    }
}
