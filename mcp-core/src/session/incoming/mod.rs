//! Requests whose handlers run code of the server's author: tools, prompts, resources, completions.

mod complete;
mod handlers;
mod outcome;

use std::borrow::Cow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::{Value, json};

use crate::ask::Parked;
use crate::call::progress::Progress;
use crate::call::state::{CallState, Target};
use crate::call::status::CallStatus;
use crate::call::trace;
use crate::host::Outbox;
use crate::jsonrpc::methods::Method;
use crate::jsonrpc::params::{Param, Params};
use crate::jsonrpc::{Id, RawJson, RpcError};
use crate::protocol::meta::RequestMeta;
use crate::protocol::{Client, ClientCapabilities, LogLevel, Revision};
use crate::server::Server;
use crate::server::state::RequiredState;
use crate::session::Session;
use crate::session::load::Share;
use crate::session::principal::Principal;
use crate::session::requests::cut;

pub(crate) use complete::{Suggestions, complete};
pub(crate) use handlers::{call_tool, get_prompt, listen, read_resource, start_tool};
pub(crate) use outcome::{body, not_found};

/// A request whose handler runs code of the server's author.
///
/// The handlers are functions in `handlers.rs`, `complete.rs` and `task/`. This type has what they share: it creates the state of
/// a call and reads parameters.
pub(crate) struct Incoming<'a> {
    pub(crate) session: &'a Session,
    pub(crate) server: &'a Server,
    /// The outbox for messages that belong to this request.
    pub(crate) outbox: &'a Arc<dyn Outbox>,
    pub(crate) id: &'a Id,
    pub(crate) params: &'a Params<'a>,
    pub(crate) meta: &'a RequestMeta<'a>,
    pub(crate) method: Method,
    pub(crate) revision: Revision,
}

/// Where and how a call reports progress and log messages.
struct Reports<'a> {
    outbox: &'a Arc<dyn Outbox>,
    /// The progress token of the request.
    token: Option<RawJson<'a>>,
    log_level: Option<LogLevel>,
}

impl Incoming<'_> {
    /// Creates the state of a call and registers it as in flight. From now on it can be cancelled.
    pub(crate) fn begin(&self, target: Target, name: &str, uri: Option<&str>) -> Result<Arc<CallState>, RpcError> {
        let shared = &self.session.shared;
        let share = shared.load.add(self.params.weight(), self.server.limits())?;
        let reports = Reports { outbox: self.outbox, token: self.meta.progress_token, log_level: self.log_level() };
        let state = self.state(target, name, uri, Some(Arc::new(share)), reports)?;
        if !shared.inflight.insert(&state.id, state.clone()) {
            return Err(RpcError::invalid_request("a request with this id is still in flight"));
        }
        Ok(state)
    }

    /// Creates the state of a call that runs as a task, which continues after its request is answered.
    pub(crate) fn task_state(&self, index: usize, request: &Arc<CallState>) -> Result<Arc<CallState>, RpcError> {
        let (target, name) = (Target::Tool(index), self.server.registry.tools.entries()[index].name());
        let mut reports = Reports { outbox: &self.session.shared.outbox, token: None, log_level: None };
        if !self.revision.is_stateless() {
            // A stateless client has no stream for reports after the response: it polls the task instead.
            reports.token = self.meta.progress_token;
            reports.log_level = self.log_level();
        }
        self.state(target, name, None, request.share(), reports)
    }

    fn state(
        &self,
        target: Target,
        name: &str,
        uri: Option<&str>,
        share: Option<Arc<Share>>,
        reports: Reports<'_>,
    ) -> Result<Arc<CallState>, RpcError> {
        let progress = reports.token.map(|token| self.progress(token, target)).transpose()?;
        let client = self.own_client().map_or_else(OnceLock::new, OnceLock::from);
        let parked = self.parked(target, name, client.get())?;
        Ok(Arc::new(CallState {
            session: self.session.shared.clone(),
            id: self.id.clone(),
            revision: self.revision,
            target,
            status: CallStatus::default(),
            share: Mutex::new(share),
            log_level: reports.log_level,
            span: trace::span(self.method.name(), target, name, self.id, self.revision, self.meta),
            server: self.server.clone(),
            outbox: reports.outbox.clone(),
            uri: uri.map(Into::into),
            progress,
            client,
            principal: self.session.principal.clone(),
            parked: parked.map_or_else(OnceLock::new, OnceLock::from),
            task: OnceLock::new(),
            related: OnceLock::new(),
            meta: self.params.get(Param::Meta).map(|raw| raw.get().into()),
        }))
    }

    /// Returns the client info and capabilities, from the request or from the handshake.
    pub(super) fn client(&self) -> Arc<Client> {
        self.own_client().unwrap_or_else(|| self.session.shared.client())
    }

    /// Returns the client info and capabilities in the `_meta` of a stateless request.
    fn own_client(&self) -> Option<Arc<Client>> {
        let parse = || Arc::new(Client::parse(self.meta.client_info, self.meta.client_capabilities));
        self.revision.is_stateless().then(parse)
    }

    /// Returns the lowest level of log messages that the client wants, or `None` if it wants none.
    fn log_level(&self) -> Option<LogLevel> {
        match self.revision.is_stateless() {
            true => self.meta.log_level,
            false => Some(self.session.shared.settings().log_level),
        }
    }

    /// Returns the questions of earlier runs of this call and their answers, which a stateless client sends back.
    fn parked(&self, target: Target, name: &str, client: Option<&Arc<Client>>) -> Result<Option<Mutex<Parked>>, RpcError> {
        if target == Target::Task || !client.is_some_and(|client| client.capabilities.can_be_asked()) {
            return Ok(None);
        }
        let parked = Parked::read(self.params, self.purpose(target, name), &*self.server.registry.seal)?;
        Ok(Some(Mutex::new(parked)))
    }

    /// Returns a text that identifies the call: kind, name, parsed arguments and owner. Sealed state is bound to it.
    fn purpose(&self, target: Target, name: &str) -> Vec<u8> {
        let kind = match target {
            Target::Tool(_) => "tool",
            Target::Prompt(_) => "prompt",
            Target::Resource(_) => "resource",
            Target::Completion => "completion",
            Target::Subscription => "subscription",
            Target::Task => "task",
        };
        let mut arguments: Value =
            self.params.get(Param::Arguments).and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        // A client may send the same arguments in another order.
        arguments.sort_all_objects();
        let owner = self.session.principal.as_ref().map(Principal::owner);
        json!([kind, name, arguments, owner]).to_string().into_bytes()
    }

    /// Creates the progress state of a call. A stream of changes has no heartbeat, because it does no work.
    fn progress(&self, token: RawJson<'_>, target: Target) -> Result<Mutex<Progress>, RpcError> {
        if Id::from_json(token.get()).is_none() {
            return Err(RpcError::invalid_params("`progressToken` must be a string or a number"));
        }
        let mut progress = Progress::new(token.to_boxed(), self.revision);
        if let Some(period) = self.server.registry.heartbeat.filter(|_| target != Target::Subscription) {
            progress = progress.with_heartbeat(period, self.session.shared.host.now());
        }
        Ok(Mutex::new(progress))
    }

    /// Returns the parameter `name`.
    pub(super) fn name(&self, method: &str) -> Result<Cow<'_, str>, RpcError> {
        match self.params.text(Param::Name) {
            Ok(Some(name)) => Ok(name),
            Ok(None) => Err(RpcError::invalid_params(format!("`{method}` needs a `name`"))),
            Err(error) => Err(error),
        }
    }

    /// Checks that the request has a session, if the function that it calls borrows a value of the session.
    pub(super) fn check_session(&self, name: &str, needs: &[RequiredState]) -> Result<(), RpcError> {
        let is_alone = self.session.shared.is_for_one_message.load(Ordering::Relaxed);
        if !is_alone || !needs.iter().any(|needed| self.server.registry.states.is_of_session(needed.id)) {
            return Ok(());
        }
        Err(RpcError::invalid_request(format!(
            "`{}` keeps a value for each session, and this request has no session: connect with a revision that has sessions \
             (2025-11-25 or older), or over stdio",
            cut(name)
        )))
    }

    /// Returns whether a stateless request declares the tasks extension.
    pub(crate) fn knows_tasks(&self) -> bool {
        ClientCapabilities::parse(self.meta.client_capabilities).can_follow_tasks()
    }
}
