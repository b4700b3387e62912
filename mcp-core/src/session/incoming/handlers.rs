//! `tools/call`, `prompts/get`, `resources/read` and `subscriptions/listen`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use super::Incoming;
use super::outcome::not_found;
use crate::call::context::Context;
use crate::call::running;
use crate::call::state::{CallState, Target};
use crate::hook::{HookCall, Next};
use crate::jsonrpc::params::Param;
use crate::jsonrpc::{Body, Code, RawJson, Response, RpcError, ToolBody};
use crate::prompt::PromptCall;
use crate::resource::ReadCall;
use crate::server::list::Entry;
use crate::session::reply::{Later, Reply};
use crate::session::requests::cut;
use crate::session::subscriptions;
use crate::task::{call_as_task, extension_missing, task_wanted};
use crate::tool::Call;
use crate::tool::future::ToolFuture;
use crate::tool::requirement::Requirement;
use crate::tool::result::ToolResult;
use crate::tool::spec::ToolSpec;

/// Handles `tools/call`.
pub(crate) fn call_tool(request: &Incoming<'_>) -> Result<Reply, RpcError> {
    let name = request.name("tools/call")?;
    let tools = &request.server.registry.tools;
    let index = tools.find(&name).ok_or_else(|| RpcError::invalid_params(format!("unknown tool: {}", cut(&name))))?;
    let entry = &tools.entries()[index];
    check_scopes(request, &entry.spec)?;
    request.check_session(&name, &entry.spec.needs)?;
    let arguments = match request.params.get(Param::Arguments) {
        Some(arguments) => arguments,
        None => RawJson::EMPTY_OBJECT,
    };
    if !arguments.is_object() {
        return Err(RpcError::invalid_params("`arguments` must be an object"));
    }
    let requires = &entry.spec.requires;
    if !requires.is_empty()
        && let Some(error) = Requirement::lacking(requires, &request.client().capabilities, request.revision)
    {
        return match request.revision.is_stateless() {
            true => Err(error),
            false => Ok(Reply::Now(failed(request, ToolResult::error(error.message)))),
        };
    }
    if let Some(ttl) = task_wanted(request, entry)? {
        return call_as_task(request, index, arguments, ttl);
    }
    let state = request.begin(Target::Tool(index), &name, None)?;
    let running = running::start(state.clone(), || start_tool(request, entry, arguments, state));
    Ok(Reply::Later(Later::call(running)))
}

/// Returns the response for a tool that failed before it ran.
fn failed(request: &Incoming<'_>, result: ToolResult) -> Response {
    let body = ToolBody::new(result, request.revision, false, request.server);
    Response::new(request.id.clone(), Body::Tool(body))
}

/// Calls a tool, through the hooks if there are any.
#[inline]
pub(crate) fn start_tool(
    request: &Incoming<'_>,
    entry: &Entry,
    arguments: RawJson<'_>,
    state: Arc<CallState>,
) -> ToolFuture {
    let context = Context::of(state);
    if request.server.hooks().is_empty() {
        return entry.tool.call(Call { arguments, context });
    }
    let next = Next::first(request.server.hooks().clone());
    let work = next.run(HookCall { arguments: arguments.to_boxed(), context });
    ToolFuture::future(work)
}

/// Handles `prompts/get`.
pub(crate) fn get_prompt(request: &Incoming<'_>) -> Result<Reply, RpcError> {
    let name = request.name("prompts/get")?;
    let prompts = &request.server.registry.prompts;
    let index = prompts.find(&name).ok_or_else(|| RpcError::invalid_params(format!("unknown prompt: {}", cut(&name))))?;
    let entry = &prompts.entries()[index];
    request.check_session(&name, &entry.spec.needs)?;
    let given: BTreeMap<Cow<'_, str>, String> = match request.params.get(Param::Arguments) {
        Some(raw) => serde_json::from_str(raw.get())
            .map_err(|error| RpcError::invalid_params(format!("the `arguments` of a prompt must be strings: {error}")))?,
        None => BTreeMap::new(),
    };
    let state = request.begin(Target::Prompt(index), &name, None)?;
    let context = Context::of(state.clone());
    let running = running::start(state, || {
        let arguments = given.iter().map(|(name, text)| (&**name, text.clone())).collect();
        entry.prompt.get(PromptCall { arguments, schema: &entry.input, context })
    });
    Ok(Reply::Later(Later::prompt(running)))
}

/// Handles `resources/read`.
pub(crate) fn read_resource(request: &Incoming<'_>) -> Result<Reply, RpcError> {
    let uri = request.params.text(Param::Uri)?.ok_or_else(|| RpcError::invalid_params("`resources/read` needs a `uri`"))?;
    let resources = &request.server.registry.resources;
    let (place, variables) = resources.find(&uri).ok_or_else(|| not_found(&uri, request.revision))?;
    let entry = resources.at(place);
    request.check_session(&uri, &entry.spec.needs)?;
    let state = request.begin(Target::Resource(place), &uri, Some(&uri))?;
    let context = Context::of(state.clone());
    let running =
        running::start(state, || entry.resource.read(ReadCall { uri: &uri, variables, schema: &entry.input, context }));
    Ok(Reply::Later(Later::read(running)))
}

/// Handles `subscriptions/listen`. The response is sent when the stream of changes ends.
pub(crate) fn listen(request: &Incoming<'_>) -> Result<Reply, RpcError> {
    let filter = subscriptions::filter(request.params.get(Param::Notifications)).ok_or_else(|| {
        RpcError::invalid_params("`subscriptions/listen` needs `notifications`, an object with the changes to subscribe to")
    })?;
    if filter.names_tasks() && !request.knows_tasks() {
        return Err(extension_missing());
    }
    let filter = filter.supported_by(request.server, &request.session.owner(request.revision)?);
    let state = request.begin(Target::Subscription, "", None)?;
    let listening = request.session.shared.listen(request.server, request.outbox, request.id, filter);
    let running = running::start(state, || {
        ToolFuture::future(async move {
            let _open = listening;
            std::future::pending().await
        })
    });
    Ok(Reply::Later(Later::prompt(running)))
}

/// Checks that the principal has the scopes that the tool requires.
fn check_scopes(request: &Incoming<'_>, spec: &ToolSpec) -> Result<(), RpcError> {
    let lacks = |scope: &&str| request.session.principal.as_ref().is_some_and(|principal| !principal.has_scope(scope));
    match spec.required_scopes().find(lacks) {
        None => Ok(()),
        Some(scope) => {
            let what = format!("the tool `{}` needs the scope `{scope}`", spec.name());
            let required: Vec<&str> = spec.required_scopes().collect();
            Err(RpcError::new(Code::INSUFFICIENT_SCOPE, what).data(json!({"requiredScopes": required})))
        }
    }
}
