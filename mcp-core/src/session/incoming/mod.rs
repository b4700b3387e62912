//! Handlers of requests that run code of the user: tools, prompts, resources, completions.

mod begin;
mod complete;
mod outcome;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use crate::call::context::Context;
use crate::call::running;
use crate::call::state::{CallState, Target};
use crate::hook::{HookCall, Next};
use crate::host::Outbox;
use crate::jsonrpc::methods::Method;
use crate::jsonrpc::params::{Param, Params};
use crate::jsonrpc::{Body, Code, Id, RawJson, Response, RpcError, ToolBody};
use crate::prompt::PromptCall;
use crate::protocol::Revision;
use crate::protocol::meta::RequestMeta;
use crate::resource::ReadCall;
use crate::server::Server;
use crate::server::list::Entry;
use crate::session::Session;
use crate::session::reply::{Later, Reply};
use crate::session::requests::cut;
use crate::session::subscriptions;
use crate::task::extension_missing;
use crate::tool::Call;
use crate::tool::future::ToolFuture;
use crate::tool::requirement::Requirement;
use crate::tool::result::ToolResult;
use crate::tool::spec::ToolSpec;

pub(crate) use complete::Suggestions;
pub(crate) use outcome::{body, not_found};

/// A request whose handler runs code of the user.
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

impl Incoming<'_> {
    pub(crate) fn call_tool(&self) -> Result<Reply, RpcError> {
        let name = self.name("tools/call")?;
        let tools = &self.server.registry.tools;
        let index = tools.find(&name).ok_or_else(|| RpcError::invalid_params(format!("unknown tool: {}", cut(&name))))?;
        let entry = &tools.entries()[index];
        self.check_scopes(&entry.spec)?;
        let arguments = match self.params.get(Param::Arguments) {
            Some(arguments) => arguments,
            None => RawJson::EMPTY_OBJECT,
        };
        if !arguments.is_object() {
            return Err(RpcError::invalid_params("`arguments` must be an object"));
        }
        let requires = &entry.spec.requires;
        if !requires.is_empty()
            && let Some(error) = Requirement::lacking(requires, &self.client().capabilities, self.revision)
        {
            return match self.revision.is_stateless() {
                true => Err(error),
                false => Ok(Reply::Now(self.failed(ToolResult::error(error.message)))),
            };
        }
        if let Some(ttl) = self.task_wanted(entry)? {
            return self.call_as_task(index, arguments, ttl);
        }
        let state = self.begin(Target::Tool(index), &name, None)?;
        let running = running::start(state.clone(), || self.work(entry, arguments, state));
        Ok(Reply::Later(Later::call(running)))
    }

    /// Returns the response for a tool that failed before it ran.
    fn failed(&self, result: ToolResult) -> Response {
        let body = ToolBody::new(result, self.revision, false, self.server);
        Response::new(self.id.clone(), Body::Tool(body))
    }

    /// Calls a tool, through the hooks if there are any.
    #[inline]
    pub(crate) fn work(&self, entry: &Entry, arguments: RawJson<'_>, state: Arc<CallState>) -> ToolFuture {
        let context = Context::of(state);
        if self.server.hooks().is_empty() {
            return entry.tool.call(Call { arguments, context });
        }
        let next = Next::first(self.server.hooks().clone());
        let work = next.run(HookCall { arguments: arguments.to_boxed(), context });
        ToolFuture::future(work)
    }

    pub(crate) fn get_prompt(&self) -> Result<Reply, RpcError> {
        let name = self.name("prompts/get")?;
        let prompts = &self.server.registry.prompts;
        let index =
            prompts.find(&name).ok_or_else(|| RpcError::invalid_params(format!("unknown prompt: {}", cut(&name))))?;
        let entry = &prompts.entries()[index];
        let given: BTreeMap<Cow<'_, str>, String> = match self.params.get(Param::Arguments) {
            Some(raw) => serde_json::from_str(raw.get()).map_err(|error| {
                RpcError::invalid_params(format!("the `arguments` of a prompt must be strings: {error}"))
            })?,
            None => BTreeMap::new(),
        };
        let state = self.begin(Target::Prompt(index), &name, None)?;
        let context = Context::of(state.clone());
        let running = running::start(state, || {
            let arguments = given.iter().map(|(name, text)| (&**name, text.clone())).collect();
            entry.prompt.get(PromptCall { arguments, schema: &entry.input, context })
        });
        Ok(Reply::Later(Later::prompt(running)))
    }

    pub(crate) fn read_resource(&self) -> Result<Reply, RpcError> {
        let uri = self.params.text(Param::Uri)?.ok_or_else(|| RpcError::invalid_params("`resources/read` needs a `uri`"))?;
        let resources = &self.server.registry.resources;
        let (place, variables) = resources.find(&uri).ok_or_else(|| not_found(&uri, self.revision))?;
        let entry = resources.at(place);
        let state = self.begin(Target::Resource(place), &uri, Some(&uri))?;
        let context = Context::of(state.clone());
        let running =
            running::start(state, || entry.resource.read(ReadCall { uri: &uri, variables, schema: &entry.input, context }));
        Ok(Reply::Later(Later::read(running)))
    }

    /// Handles `subscriptions/listen`. The response is sent when the stream of changes ends.
    pub(crate) fn listen(&self) -> Result<Reply, RpcError> {
        let filter = subscriptions::filter(self.params.get(Param::Notifications)).ok_or_else(|| {
            RpcError::invalid_params(
                "`subscriptions/listen` needs `notifications`, an object with the changes to subscribe to",
            )
        })?;
        if filter.names_tasks() && !self.knows_tasks() {
            return Err(extension_missing());
        }
        let filter = filter.supported_by(self.server, &self.session.owner(self.revision)?);
        let state = self.begin(Target::Subscription, "", None)?;
        let listening = self.session.shared.listen(self.server, self.outbox, self.id, filter);
        let running = running::start(state, || {
            ToolFuture::future(async move {
                let _open = listening;
                std::future::pending().await
            })
        });
        Ok(Reply::Later(Later::prompt(running)))
    }

    /// Checks that the principal has the scopes that the tool requires.
    fn check_scopes(&self, spec: &ToolSpec) -> Result<(), RpcError> {
        let lacks = |scope: &&str| self.session.principal.as_ref().is_some_and(|principal| !principal.has_scope(scope));
        match spec.required_scopes().find(lacks) {
            None => Ok(()),
            Some(scope) => {
                let what = format!("the tool `{}` needs the scope `{scope}`", spec.name());
                let required: Vec<&str> = spec.required_scopes().collect();
                Err(RpcError::new(Code::INSUFFICIENT_SCOPE, what).data(json!({"requiredScopes": required})))
            }
        }
    }

    fn name(&self, method: &str) -> Result<Cow<'_, str>, RpcError> {
        match self.params.text(Param::Name) {
            Ok(Some(name)) => Ok(name),
            Ok(None) => Err(RpcError::invalid_params(format!("`{method}` needs a `name`"))),
            Err(error) => Err(error),
        }
    }
}
