//! Elicitation: questions to the user.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use serde_json::value::RawValue;

use super::form::form;
use super::{AskError, read};
use crate::call::context::Context;
use crate::jsonrpc::RawJson;
use crate::jsonrpc::methods;
use crate::random_id::random_id;
use crate::schema::InputSchema;

/// The user's response to an elicitation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Elicited<T> {
    /// The user submitted the form or opened the page.
    Accepted(T),
    /// The user declined.
    Declined,
    /// The user closed the dialog without an answer.
    Cancelled,
}

impl<T> Elicited<T> {
    /// Returns the submitted value, or `None` if the user declined or cancelled.
    pub fn accepted(self) -> Option<T> {
        match self {
            Elicited::Accepted(value) => Some(value),
            Elicited::Declined | Elicited::Cancelled => None,
        }
    }
}

#[derive(Deserialize)]
struct Reply {
    action: String,
    #[serde(default)]
    content: Option<Box<RawValue>>,
}

impl Context {
    /// Asks the user to fill in a form with the fields of `T`, which are text, numbers, booleans or choices.
    ///
    /// Returns an error if `T` has other fields. To check `T` when the server is built, declare it with
    /// [`ToolSpec::asks`](crate::ToolSpec::asks).
    ///
    /// In a stateless revision the tool runs again from its start when the client sends the answer, so all code before this
    /// call runs again.
    ///
    /// ```
    /// use mcp_core::{Context, ToolError, json_type, tool};
    ///
    /// #[json_type]
    /// struct Confirmation {
    ///     /// type the name of the folder to confirm
    ///     name: String,
    /// }
    ///
    /// /// Delete a folder.
    /// #[tool(destructive)]
    /// async fn delete(folder: String, cx: &Context) -> Result<String, ToolError> {
    ///     match cx.elicit::<Confirmation>(format!("Delete {folder} and all that is in it?")).await?.accepted() {
    ///         Some(confirmation) if confirmation.name == folder => Ok(format!("deleted {folder}")),
    ///         _ => Ok("nothing was deleted".to_owned()),
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// If the client does not support elicitation, or its answer does not match the form. A user who declines is not an error.
    pub async fn elicit<T: JsonSchema + DeserializeOwned + 'static>(
        &self,
        message: impl Into<String>,
    ) -> Result<Elicited<T>, AskError> {
        if !self.client_capabilities().can_elicit() {
            return Err(self.cannot("elicitation"));
        }
        let schema = InputSchema::of::<T>();
        let form = form(schema.as_json(), self.revision()).map_err(AskError::Question)?;
        let mut params = json!({"message": message.into(), "requestedSchema": form});
        if self.revision().has_elicitation_modes() {
            params["mode"] = json!("form");
        }
        let reply: Reply = read(&self.ask(methods::ELICIT, params).await?)?;
        elicited(&reply, |content| {
            let content = content.ok_or_else(|| AskError::Answer("`content` is missing".into()))?;
            schema.decode(RawJson::from(content)).map_err(|refusal| AskError::Answer(refusal.to_text()))
        })
    }

    /// Asks the user to open a web page, for data that must not pass through the client: passwords, payments, permissions.
    ///
    /// [`Elicited::Accepted`] says only that the user agreed to open the page.
    ///
    /// # Errors
    /// If the client does not support elicitation by URL, or its answer is invalid.
    pub async fn elicit_url(&self, message: impl Into<String>, url: impl Into<String>) -> Result<Elicited<()>, AskError> {
        if !self.client_capabilities().can_elicit_url() || !self.revision().has_elicitation_modes() {
            return Err(self.cannot("elicitation.url"));
        }
        let mut params = json!({"mode": "url", "message": message.into(), "url": url.into()});
        if !self.revision().is_stateless() {
            params["elicitationId"] = json!(random_id().map_err(|error| AskError::Question(error.message))?);
        }
        let reply: Reply = read(&self.ask(methods::ELICIT, params).await?)?;
        elicited(&reply, |_| Ok(()))
    }
}

fn elicited<T>(
    reply: &Reply,
    accept: impl FnOnce(Option<&RawValue>) -> Result<T, AskError>,
) -> Result<Elicited<T>, AskError> {
    match reply.action.as_str() {
        "accept" => accept(reply.content.as_deref()).map(Elicited::Accepted),
        "decline" => Ok(Elicited::Declined),
        "cancel" => Ok(Elicited::Cancelled),
        other => Err(AskError::Answer(format!("the action must be `accept`, `decline` or `cancel`, not `{other}`"))),
    }
}
