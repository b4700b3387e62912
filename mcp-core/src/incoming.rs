//! Requests that run the server's own code: calls of tools, prompts, resources, completions.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::ask::Parked;
use crate::completion::{self, Completer, Typed};
use crate::context::{CallState, Context, Target};
use crate::fate::Fate;
use crate::hook::{HookCall, Next};
use crate::jsonrpc::{Body, Code, Id, RpcError};
use crate::params::{Params, text};
use crate::progress::Progress;
use crate::prompt::{PromptCall, PromptOutcome};
use crate::protocol::meta::RequestMeta;
use crate::protocol::{ClientCapabilities, LogLevel, Revision};
use crate::reply::{Later, Reply};
use crate::requests::{cut, implementation};
use crate::resource::{ReadCall, ReadOutcome};
use crate::running::{self, Product};
use crate::server::Server;
use crate::session::Session;
use crate::subscriptions;
use crate::tool::Call;
use crate::work::Calling;

/// A request on its way to the server's own code.
pub(crate) struct Incoming<'a> {
    pub(crate) session: &'a Session,
    pub(crate) server: &'a Server,
    pub(crate) id: &'a Id,
    pub(crate) params: &'a Params<'a>,
    pub(crate) meta: &'a RequestMeta<'a>,
    pub(crate) revision: Revision,
}

impl Incoming<'_> {
    pub(crate) fn call_tool(&self) -> Result<Reply, RpcError> {
        let name = self.name("tools/call")?;
        let tools = &self.server.registry.tools;
        let index = tools.find(&name).ok_or_else(|| RpcError::invalid_params(format!("unknown tool: {}", cut(&name))))?;
        let arguments = match self.params.arguments {
            Some(arguments) => arguments,
            None => no_arguments(),
        };
        if !arguments.get().starts_with('{') {
            return Err(RpcError::invalid_params("`arguments` must be an object"));
        }
        let state = self.begin(Target::Tool(index), &name, None)?;
        let context = Context(state.clone());
        let running = running::start(state, || {
            if self.server.hooks().is_empty() {
                return tools.entries()[index].tool.call(Call { arguments, context });
            }
            let next = Next::first(self.server.hooks().clone());
            Calling::future(next.run(HookCall { arguments: arguments.to_owned(), context }))
        });
        Ok(Reply::Later(Later::call(running)))
    }

    pub(crate) fn get_prompt(&self) -> Result<Reply, RpcError> {
        let name = self.name("prompts/get")?;
        let prompts = &self.server.registry.prompts;
        let index =
            prompts.find(&name).ok_or_else(|| RpcError::invalid_params(format!("unknown prompt: {}", cut(&name))))?;
        let entry = &prompts.entries()[index];
        let given: BTreeMap<Cow<'_, str>, String> = match self.params.arguments {
            Some(raw) => serde_json::from_str(raw.get())
                .map_err(|error| RpcError::invalid_params(format!("the `arguments` of a prompt are texts: {error}")))?,
            None => BTreeMap::new(),
        };
        let state = self.begin(Target::Prompt(index), &name, None)?;
        let context = Context(state.clone());
        let running = running::start(state, || {
            let arguments = given.iter().map(|(name, text)| (&**name, text.clone())).collect();
            entry.prompt.get(PromptCall { arguments, schema: &entry.input, context })
        });
        Ok(Reply::Later(Later::prompt(running)))
    }

    pub(crate) fn read_resource(&self) -> Result<Reply, RpcError> {
        let uri = text(self.params.uri, "uri")?.ok_or_else(|| RpcError::invalid_params("`resources/read` needs a `uri`"))?;
        let resources = &self.server.registry.resources;
        let (place, variables) = resources.find(&uri).ok_or_else(|| not_found(&uri, self.revision))?;
        let entry = resources.at(place);
        let state = self.begin(Target::Resource(place), &uri, Some(&uri))?;
        let context = Context(state.clone());
        let running =
            running::start(state, || entry.resource.read(ReadCall { uri: &uri, variables, schema: &entry.input, context }));
        Ok(Reply::Later(Later::read(running)))
    }

    /// A stream of changes: it is answered only by ending.
    pub(crate) fn listen(&self) -> Result<Reply, RpcError> {
        let filter = subscriptions::filter(self.params.notifications)
            .ok_or_else(|| RpcError::invalid_params("`subscriptions/listen` needs the `notifications` that are wanted"))?;
        let state = self.begin(Target::Subscription, "", None)?;
        let listening = self.session.0.listen(self.server, self.id, filter);
        let running = running::start(state, || {
            Calling::future(async move {
                let _open = listening;
                std::future::pending().await
            })
        });
        Ok(Reply::Later(Later::prompt(running)))
    }

    pub(crate) fn complete(&self) -> Result<Reply, RpcError> {
        let reference: Reference<'_> = part(self.params.reference, "ref")?;
        let argument: Argument<'_> = part(self.params.argument, "argument")?;
        let known: Known = self.params.context.map_or(Ok(Known::default()), |raw| part(Some(raw), "context"))?;
        let completer = self.completer(&reference, &argument.name)?;
        let state = self.begin(Target::Completion, "", None)?;
        let context = Context(state.clone());
        let typed = Typed { value: argument.value.into_owned(), arguments: known.arguments };
        let running = running::start(state, || match completer {
            Some(completer) => Calling::future(async move { Suggestions(Ok(completer.suggest(typed, context).await)) }),
            None => Calling::ready(Suggestions(Ok(Vec::new()))),
        });
        Ok(Reply::Later(Later::completion(running)))
    }

    /// Who completes that argument, if anybody.
    fn completer(&self, reference: &Reference<'_>, argument: &str) -> Result<Option<Completer>, RpcError> {
        let registry = &self.server.registry;
        match (&*reference.kind, &reference.name, &reference.uri) {
            ("ref/prompt", Some(name), _) => {
                let index = registry
                    .prompts
                    .find(name)
                    .ok_or_else(|| RpcError::invalid_params(format!("unknown prompt: {}", cut(name))))?;
                let mut arguments = registry.prompts.entries()[index].spec.arguments.iter();
                Ok(arguments.find(|known| known.name == argument).and_then(|known| known.completer.clone()))
            }
            ("ref/resource", _, Some(uri)) => {
                let templates = &registry.resources.templated;
                let index = templates
                    .find(uri)
                    .ok_or_else(|| RpcError::invalid_params(format!("unknown template: {}", cut(uri))))?;
                let mut completers = templates.entries()[index].0.spec.completers.iter();
                Ok(completers.find(|(variable, _)| variable == argument).map(|(_, completer)| completer.clone()))
            }
            _ => Err(RpcError::invalid_params("`ref` is a `ref/prompt` with a `name` or a `ref/resource` with a `uri`")),
        }
    }

    fn name(&self, method: &str) -> Result<Cow<'_, str>, RpcError> {
        text(self.params.name, "name")?.ok_or_else(|| RpcError::invalid_params(format!("`{method}` needs a `name`")))
    }

    /// What a call is, whichever way its arguments are written.
    fn purpose(&self, target: Target, name: &str) -> Vec<u8> {
        let kind = match target {
            Target::Tool(_) => "tool",
            Target::Prompt(_) => "prompt",
            Target::Resource(_) => "resource",
            Target::Completion => "completion",
            Target::Subscription => "subscription",
        };
        let arguments: Value =
            self.params.arguments.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        json!([kind, name, arguments]).to_string().into_bytes()
    }

    /// Takes note of a call, which from now on can be cancelled.
    fn begin(&self, target: Target, name: &str, uri: Option<&str>) -> Result<Arc<CallState>, RpcError> {
        let shared = &self.session.0;
        let share = shared.load.take_on(self.params.weight(), self.server.limits())?;
        let token = self.meta.progress_token.filter(|raw| Id::from_json(raw.get()).is_some());
        if self.meta.progress_token.is_some() && token.is_none() {
            return Err(RpcError::invalid_params("`progressToken` must be a string or a number"));
        }
        let stateless = self.revision.is_stateless();
        let log_level = LogLevel::ALL.get(usize::from(shared.log_level.load(Ordering::Acquire))).copied();
        let client = || shared.client.read().unwrap_or_else(PoisonError::into_inner).clone();
        let capabilities = if stateless {
            Arc::new(ClientCapabilities::parse(self.meta.client_capabilities))
        } else {
            shared.capabilities.read().unwrap_or_else(PoisonError::into_inner).clone()
        };
        let purpose = if stateless && capabilities.can_be_asked() { self.purpose(target, name) } else { Vec::new() };
        let parked = match purpose.is_empty() {
            true => Parked::default(),
            false => Parked::read(self.params, |sealed| self.server.registry.seal.open(&purpose, sealed))?,
        };
        let state = Arc::new(CallState {
            session: shared.clone(),
            server: self.server.clone(),
            id: self.id.clone(),
            revision: self.revision,
            target,
            uri: uri.map(Into::into),
            fate: Fate::default(),
            share: Mutex::new(Some(share)),
            progress: token.map(|token| Mutex::new(Progress::new(token.to_owned(), self.revision))),
            log_level: if stateless { self.meta.log_level } else { log_level },
            client: if stateless { implementation(self.meta.client_info) } else { client() },
            meta: self.params.meta.map(ToOwned::to_owned),
            capabilities,
            purpose,
            parked: Mutex::new(parked),
        });
        if !shared.inflight.insert(&state.id, state.clone()) {
            return Err(RpcError::invalid_request("a request with this id is still in flight"));
        }
        Ok(state)
    }
}

/// What is to be completed.
#[derive(Deserialize)]
struct Reference<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    uri: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Argument<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    value: Cow<'a, str>,
}

#[derive(Default, Deserialize)]
struct Known {
    #[serde(default)]
    arguments: BTreeMap<String, String>,
}

fn part<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>, name: &str) -> Result<T, RpcError> {
    let raw = raw.ok_or_else(|| RpcError::invalid_params(format!("`completion/complete` needs a `{name}`")))?;
    serde_json::from_str(raw.get()).map_err(|error| RpcError::invalid_params(format!("`{name}` cannot be read: {error}")))
}

/// Nothing is at that address, in the words of that revision.
pub(crate) fn not_found(uri: &str, revision: Revision) -> RpcError {
    let code = if revision.has_resource_not_found() { Code::RESOURCE_NOT_FOUND } else { Code::INVALID_PARAMS };
    RpcError::new(code, format!("resource not found: {}", cut(uri))).data(json!({"uri": cut(uri)}))
}

/// What a call without `arguments` means.
fn no_arguments() -> &'static RawValue {
    serde_json::from_str("{}").expect("an object")
}

/// How what was typed may go on.
pub(crate) struct Suggestions(Result<Vec<String>, RpcError>);

impl Product for Suggestions {
    fn failure(text: String) -> Suggestions {
        Suggestions(Err(RpcError::new(Code::INTERNAL_ERROR, text)))
    }

    fn into_body(self, call: &CallState) -> Body {
        let completed = self.0.map(|mut values| {
            let (total, has_more) = (values.len(), values.len() > completion::MOST);
            values.truncate(completion::MOST);
            json!({"completion": {"values": values, "total": total, "hasMore": has_more}})
        });
        body(completed, call)
    }
}

impl Product for PromptOutcome {
    fn failure(text: String) -> PromptOutcome {
        Err(RpcError::new(Code::INTERNAL_ERROR, text))
    }

    fn into_body(self, call: &CallState) -> Body {
        body(self.map(|result| json!(result.for_revision(call.revision))), call)
    }
}

impl Product for ReadOutcome {
    fn failure(text: String) -> ReadOutcome {
        Err(RpcError::new(Code::INTERNAL_ERROR, text))
    }

    fn into_body(self, call: &CallState) -> Body {
        let Target::Resource(place) = call.target else { unreachable!("only resources are read") };
        let kind = &call.server.registry.resources.at(place).spec.mime_type;
        let read = self.and_then(|contents| {
            let mut contents = contents.ok_or_else(|| not_found(call.uri.as_deref().unwrap_or_default(), call.revision))?;
            for one in contents.iter_mut().filter(|one| one.mime_type.is_none()) {
                one.mime_type = kind.as_ref().map(ToString::to_string);
            }
            let mut result = json!({"contents": contents});
            if call.revision.is_stateless() {
                // What a resource holds may be other at any time, and may be meant for this client alone.
                result["ttlMs"] = json!(0);
                result["cacheScope"] = json!("private");
            }
            Ok(result)
        });
        body(read, call)
    }
}

/// A result in the words of the revision, or the error.
fn body(outcome: Result<Value, RpcError>, call: &CallState) -> Body {
    match outcome {
        Err(error) => Body::Error(error),
        Ok(mut result) => {
            if call.revision.is_stateless() {
                result["resultType"] = json!("complete");
                let stamp: Value = serde_json::from_str(call.server.stamp()).expect("written as JSON");
                for (key, value) in stamp.as_object().into_iter().flatten() {
                    result["_meta"][key] = value.clone();
                }
            }
            Body::Json(result.to_string().into())
        }
    }
}
