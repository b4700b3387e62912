//! Prompts: listing and getting them, and completion of their arguments.

use std::sync::Arc;

use mcp_core::protocol::{Icon, PromptResult};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::client::{Client, params};
use crate::connection::Request;
use crate::error::CallError;
use crate::pages::{List, Pages};
use crate::request::read;

/// A prompt as the server describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Prompt {
    /// The name of the prompt.
    pub name: String,
    /// The title of the prompt, for display.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// The description of the prompt.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// The arguments of the prompt.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub arguments: Vec<PromptArgument>,
    /// The icons of the prompt.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub icons: Vec<Icon>,
    /// The metadata of the server (`_meta`).
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

/// An argument of a prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PromptArgument {
    /// The name of the argument.
    pub name: String,
    /// The title of the argument, for display.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// The description of the argument.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// Whether the argument is required.
    #[serde(default)]
    pub required: bool,
}

/// The target of a completion: an argument of a prompt, or a variable of a resource template.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Completable {
    /// An argument of the prompt with this name.
    Prompt(String),
    /// A variable of the resource template with this text.
    Template(String),
}

/// The values that could complete an argument.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Completion {
    /// The values, best first.
    pub values: Vec<String>,
    /// The total number of values, if the server gives it.
    #[serde(default)]
    pub total: Option<u64>,
    /// Whether there are more values than these.
    #[serde(default)]
    pub has_more: bool,
}

impl Client {
    /// Lists the prompts of the server, page by page.
    pub fn prompts(&self) -> Pages<Prompt> {
        Pages::new(self, List { method: "prompts/list", field: "prompts", accept: Arc::new(|_, _| Ok(())) })
    }

    /// Gets a prompt with its arguments filled in. All arguments are texts.
    ///
    /// # Errors
    /// See [`CallError`]: [`CallError::Rpc`] if there is no such prompt or an argument is missing.
    pub async fn prompt<K: Into<String>, V: Into<String>>(
        &self,
        name: &str,
        arguments: impl IntoIterator<Item = (K, V)>,
    ) -> Result<PromptResult, CallError> {
        let arguments = texts(arguments);
        let request = Request::new("prompts/get", params(json!({"name": name, "arguments": arguments}))).named(name);
        read("prompts/get", &self.send(request).await?)
    }

    /// Returns values that complete `begun`, the text typed so far. `known` are the other arguments that already have values.
    ///
    /// # Errors
    /// See [`CallError`].
    pub async fn complete<K: Into<String>, V: Into<String>>(
        &self,
        what: Completable,
        argument: &str,
        begun: &str,
        known: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Completion, CallError> {
        #[derive(Deserialize)]
        struct Completed {
            completion: Completion,
        }
        let reference = match what {
            Completable::Prompt(name) => json!({"type": "ref/prompt", "name": name}),
            Completable::Template(uri) => json!({"type": "ref/resource", "uri": uri}),
        };
        let mut parameters = json!({"ref": reference, "argument": {"name": argument, "value": begun}});
        let known = texts(known);
        if !known.is_empty() {
            parameters["context"] = json!({"arguments": known});
        }
        let result = self.send(Request::new("completion/complete", params(parameters))).await?;
        Ok(read::<Completed>("completion/complete", &result)?.completion)
    }
}

fn texts<K: Into<String>, V: Into<String>>(pairs: impl IntoIterator<Item = (K, V)>) -> Map<String, Value> {
    pairs.into_iter().map(|(key, value)| (key.into(), Value::String(value.into()))).collect()
}
