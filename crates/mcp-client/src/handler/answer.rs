//! Passes the requests of a server to a handler.

use mcp_core::Elicited;
use mcp_core::transport::{Code, RpcError};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Capabilities, Elicitation, ElicitationMode, Handler, SampleRequest};

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

/// Adds the default values of fields that the user left out.
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

pub(super) fn unsupported(method: &str) -> RpcError {
    let method: String = method.chars().take(100).collect();
    RpcError::new(Code::METHOD_NOT_FOUND, format!("the client does not support `{method}`"))
}
