//! Answers to what a server asks its client: elicitation, sampling and roots.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use mcp_core::Elicited;
use mcp_core::ask::Root;
use mcp_core::protocol::{Content, Revision, Role};
use mcp_core::transport::{Code, RpcError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::transport::Boxed;

/// Answers what a server asks its client.
///
/// Implement it for a user interface, or pass closures to [`Builder::on_elicit`](crate::Builder::on_elicit),
/// [`Builder::on_sample`](crate::Builder::on_sample) and [`Builder::roots`](crate::Builder::roots). The same methods answer the
/// requests of revisions with a handshake and the `input_required` results of 2026-07-28.
///
/// A server is not trusted: show the user what it asks, and who asks.
pub trait Handler: Send + Sync + 'static {
    /// Returns what this handler can do. Servers ask for nothing else.
    fn capabilities(&self) -> Capabilities;

    /// Asks the user, with a form or by opening a page. The default declines.
    ///
    /// Fields that an accepted form leaves out get the defaults of the form.
    fn elicit(&self, elicitation: Elicitation) -> Boxed<'_, Result<Elicited<Map<String, Value>>, RpcError>> {
        let _ = elicitation;
        Box::pin(async { Ok(Elicited::Declined) })
    }

    /// Asks a model. The default refuses.
    fn sample(&self, request: SampleRequest) -> Boxed<'_, Result<Sample, RpcError>> {
        let _ = request;
        Box::pin(async { Err(unsupported("sampling/createMessage")) })
    }

    /// Returns the folders that the user works in. The default has none.
    fn roots(&self) -> Boxed<'_, Result<Vec<Root>, RpcError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// What a [`Handler`] can do.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Capabilities {
    /// It can show a form to the user.
    pub elicit_form: bool,
    /// It can send the user to a page.
    pub elicit_url: bool,
    /// It can ask a model.
    pub sample: bool,
    /// Its model can use tools.
    pub sample_tools: bool,
    /// It can tell which folders the user works in.
    pub roots: bool,
    /// Extensions, by name.
    pub extensions: Map<String, Value>,
}

impl Capabilities {
    /// None of them.
    pub fn none() -> Capabilities {
        Capabilities::default()
    }

    /// The capabilities as JSON, in the words of a revision.
    pub(crate) fn to_json(&self, revision: Revision) -> Value {
        let mut json = json!({});
        if (self.elicit_form || self.elicit_url) && revision >= Revision::V2025_06_18 {
            // The two modes have names since 2025-11-25.
            let modes = [("form", self.elicit_form), ("url", self.elicit_url)].into_iter();
            let modes = modes.filter(|(_, can)| *can && revision >= Revision::V2025_11_25);
            json["elicitation"] = modes.map(|(mode, _)| (mode.to_owned(), json!({}))).collect();
        }
        if self.sample {
            let tools = self.sample_tools && revision >= Revision::V2025_11_25;
            json["sampling"] = if tools { json!({"tools": {}}) } else { json!({}) };
        }
        if self.roots {
            json["roots"] = if revision.is_stateless() { json!({}) } else { json!({"listChanged": true}) };
        }
        if !self.extensions.is_empty() {
            json["extensions"] = Value::Object(self.extensions.clone());
        }
        json
    }
}

/// A question to the user.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Elicitation {
    /// What the server wants to know, for the user.
    pub message: String,
    /// How the user answers.
    pub mode: ElicitationMode,
}

/// How a user answers an [`Elicitation`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElicitationMode {
    /// With a form. The schema is an object whose properties are text, numbers, booleans and choices.
    Form {
        /// The JSON Schema of the form.
        schema: Value,
    },
    /// By opening a page. Show the whole URL to the user before it is opened.
    Url {
        /// The address of the page.
        url: String,
        /// The id that `notifications/elicitation/complete` repeats, if the server gave one.
        id: Option<String>,
    },
}

/// A request to the client's model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SampleRequest {
    /// The conversation so far: objects with `role` and `content`.
    pub messages: Vec<Value>,
    /// The maximum length of the answer in tokens.
    pub max_tokens: u64,
    /// The system prompt.
    #[serde(default)]
    pub system_prompt: Option<String>,
    /// The sampling temperature.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// Texts at which the model stops.
    #[serde(default)]
    pub stop_sequences: Vec<String>,
    /// Other parameters of the protocol, such as `modelPreferences`, `tools` or `toolChoice`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The answer of the client's model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sample {
    /// The role of the message.
    pub role: Role,
    /// The content: one block, or a list of blocks if tools are used.
    pub content: Value,
    /// The name of the model.
    pub model: String,
    /// The reason why the model stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
}

impl Sample {
    /// An answer with this content.
    pub fn new(model: impl Into<String>, content: impl Into<Content>) -> Sample {
        let content = serde_json::to_value(content.into()).expect("content is JSON");
        Sample { role: Role::Assistant, content, model: model.into(), stop_reason: Some("endTurn".to_owned()) }
    }

    /// Replaces the content by a list of blocks, for models that use tools.
    #[must_use]
    pub fn blocks(mut self, blocks: Vec<Value>) -> Sample {
        self.content = Value::Array(blocks);
        self
    }

    /// Sets the reason why the model stopped.
    #[must_use]
    pub fn stop_reason(mut self, reason: impl Into<String>) -> Sample {
        self.stop_reason = Some(reason.into());
        self
    }
}

/// Handles a request by its method name.
impl dyn Handler {
    pub(crate) async fn answer(&self, method: &str, params: &str) -> Result<Value, RpcError> {
        let can = self.capabilities();
        match method {
            "elicitation/create" => self.answer_elicitation(&can, read(params)?).await,
            "sampling/createMessage" if can.sample => {
                let request: SampleRequest = read(params)?;
                if !can.sample_tools && (request.more.contains_key("tools") || request.more.contains_key("toolChoice")) {
                    return Err(RpcError::invalid_params("the client did not declare `sampling.tools`"));
                }
                Ok(json!(self.sample(request).await?))
            }
            "roots/list" if can.roots => {
                let roots = self.roots().await?;
                let roots = roots.iter().map(|root| match &root.name {
                    Some(name) => json!({"uri": root.uri, "name": name}),
                    None => json!({"uri": root.uri}),
                });
                Ok(json!({"roots": roots.collect::<Vec<_>>()}))
            }
            _ => Err(unsupported(method)),
        }
    }

    async fn answer_elicitation(&self, can: &Capabilities, asked: ElicitParams) -> Result<Value, RpcError> {
        let url_mode = asked.mode.as_deref() == Some("url");
        if !(if url_mode { can.elicit_url } else { can.elicit_form }) {
            return Err(RpcError::invalid_params("the client did not declare this mode of elicitation"));
        }
        let mode = match (url_mode, asked.url) {
            (true, Some(url)) => ElicitationMode::Url { url, id: asked.elicitation_id },
            (true, None) => return Err(RpcError::invalid_params("`url` is missing")),
            (false, _) => ElicitationMode::Form { schema: asked.requested_schema.clone() },
        };
        Ok(match self.elicit(Elicitation { message: asked.message, mode }).await? {
            Elicited::Accepted(_) if url_mode => json!({"action": "accept"}),
            Elicited::Accepted(content) => {
                json!({"action": "accept", "content": with_defaults(content, &asked.requested_schema)})
            }
            Elicited::Declined => json!({"action": "decline"}),
            _ => json!({"action": "cancel"}),
        })
    }
}

/// Adds the defaults of the form's fields that the user left out.
fn with_defaults(mut content: Map<String, Value>, schema: &Value) -> Map<String, Value> {
    for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
        if let (false, Some(default)) = (content.contains_key(field), schema.get("default")) {
            content.insert(field.clone(), default.clone());
        }
    }
    content
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ElicitParams {
    message: String,
    #[serde(default)]
    mode: Option<String>,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    elicitation_id: Option<String>,
    #[serde(default)]
    requested_schema: Value,
}

fn read<T: for<'de> Deserialize<'de>>(params: &str) -> Result<T, RpcError> {
    serde_json::from_str(params).map_err(|error| RpcError::invalid_params(error.to_string()))
}

fn unsupported(method: &str) -> RpcError {
    let method: String = method.chars().take(100).collect();
    RpcError::new(Code::METHOD_NOT_FOUND, format!("the client does not support `{method}`"))
}

type Elicit = Arc<dyn Fn(Elicitation) -> Boxed<'static, Result<Elicited<Map<String, Value>>, RpcError>> + Send + Sync>;
type Sampler = Arc<dyn Fn(SampleRequest) -> Boxed<'static, Result<Sample, RpcError>> + Send + Sync>;

/// A handler made of closures.
#[derive(Clone, Default)]
pub(crate) struct Closures {
    elicit: Option<Elicit>,
    sample: Option<Sampler>,
    roots: Option<Vec<Root>>,
    capabilities: Capabilities,
}

impl Closures {
    pub(crate) fn on_elicit<F, R>(&mut self, elicit: F)
    where
        F: Fn(Elicitation) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Elicited<Map<String, Value>>, RpcError>> + Send + 'static,
    {
        (self.capabilities.elicit_form, self.capabilities.elicit_url) = (true, true);
        self.elicit = Some(Arc::new(move |elicitation| Box::pin(elicit(elicitation))));
    }

    pub(crate) fn on_sample<F, R>(&mut self, sample: F)
    where
        F: Fn(SampleRequest) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Sample, RpcError>> + Send + 'static,
    {
        self.capabilities.sample = true;
        self.sample = Some(Arc::new(move |request| Box::pin(sample(request))));
    }

    pub(crate) fn set_roots(&mut self, roots: Vec<Root>) {
        self.capabilities.roots = true;
        self.roots = Some(roots);
    }
}

impl Handler for Closures {
    fn capabilities(&self) -> Capabilities {
        self.capabilities.clone()
    }

    fn elicit(&self, elicitation: Elicitation) -> Boxed<'_, Result<Elicited<Map<String, Value>>, RpcError>> {
        match &self.elicit {
            Some(elicit) => elicit(elicitation),
            None => Box::pin(async { Ok(Elicited::Declined) }),
        }
    }

    fn sample(&self, request: SampleRequest) -> Boxed<'_, Result<Sample, RpcError>> {
        match &self.sample {
            Some(sample) => sample(request),
            None => Box::pin(async { Err(unsupported("sampling/createMessage")) }),
        }
    }

    fn roots(&self) -> Boxed<'_, Result<Vec<Root>, RpcError>> {
        Box::pin(async { Ok(self.roots.clone().unwrap_or_default()) })
    }
}

impl fmt::Debug for Closures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Closures").field("capabilities", &self.capabilities).finish_non_exhaustive()
    }
}
