//! `completion/complete`: suggestions for the value of an argument.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use super::Incoming;
use super::outcome::body;
use crate::call::context::Context;
use crate::call::output_check::Product;
use crate::call::running;
use crate::call::state::{CallState, Target};
use crate::completion::{self, Completer, Typed};
use crate::jsonrpc::params::Param;
use crate::jsonrpc::{Body, Code, RawJson, RpcError};
use crate::server::registry::Registry;
use crate::session::reply::{Later, Reply};
use crate::session::requests::cut;
use crate::tool::future::ToolFuture;

/// Handles `completion/complete`.
pub(crate) fn complete(request: &Incoming<'_>) -> Result<Reply, RpcError> {
    let reference: Reference<'_> = part(request.params.get(Param::Reference), "ref")?;
    let argument: Argument<'_> = part(request.params.get(Param::Argument), "argument")?;
    let known: Known = request.params.get(Param::Context).map_or(Ok(Known::default()), |raw| part(Some(raw), "context"))?;
    let completer = completer(&request.server.registry, &reference, &argument.name)?;
    let state = request.begin(Target::Completion, "", None)?;
    let context = Context::of(state.clone());
    let typed = Typed { value: argument.value.into_owned(), arguments: known.arguments };
    let running = running::start(state, || match completer {
        Some(completer) => completer.suggest(typed, context).map(|values| Suggestions(Ok(values))),
        None => ToolFuture::ready(Suggestions(Ok(Vec::new()))),
    });
    Ok(Reply::Later(Later::completion(running)))
}

/// Finds the completer of an argument. Returns `None` if the argument has none.
fn completer(registry: &Registry, reference: &Reference<'_>, argument: &str) -> Result<Option<Completer>, RpcError> {
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
            let index =
                templates.find(uri).ok_or_else(|| RpcError::invalid_params(format!("unknown template: {}", cut(uri))))?;
            let mut completers = templates.entries()[index].entry.spec.completers.iter();
            Ok(completers.find(|(variable, _)| variable == argument).map(|(_, completer)| completer.clone()))
        }
        _ => Err(RpcError::invalid_params("`ref` must be a `ref/prompt` with a `name` or a `ref/resource` with a `uri`")),
    }
}

/// The `ref` parameter: the prompt or resource template whose argument is completed.
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

fn part<'a, T: Deserialize<'a>>(raw: Option<RawJson<'a>>, name: &str) -> Result<T, RpcError> {
    let raw = raw.ok_or_else(|| RpcError::invalid_params(format!("`completion/complete` needs a `{name}`")))?;
    serde_json::from_str(raw.get()).map_err(|error| RpcError::invalid_params(format!("`{name}` is invalid: {error}")))
}

/// The suggested values, or the error.
pub(crate) struct Suggestions(Result<Vec<String>, RpcError>);

impl Product for Suggestions {
    fn failure(text: String) -> Suggestions {
        Suggestions(Err(RpcError::new(Code::INTERNAL_ERROR, text)))
    }

    fn is_failure(&self) -> bool {
        self.0.is_err()
    }

    fn into_body(self, call: &CallState) -> Body {
        let completed = self.0.map(|mut values| {
            let (total, has_more) = (values.len(), values.len() > completion::MAX_SUGGESTIONS);
            values.truncate(completion::MAX_SUGGESTIONS);
            json!({"completion": {"values": values, "total": total, "hasMore": has_more}})
        });
        body(completed, call)
    }
}
