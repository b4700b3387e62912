//! Asking which folders the user works in.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{AskError, read};
use crate::call::context::Context;
use crate::jsonrpc::methods;

/// A folder that the user works in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Where it is: a `file://` address.
    pub uri: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
}

#[derive(Deserialize)]
struct Reply {
    roots: Vec<Root>,
}

impl Context {
    /// Asks which folders the user works in.
    ///
    /// # Errors
    /// When the client cannot tell, or answers something else.
    pub async fn roots(&self) -> Result<Vec<Root>, AskError> {
        if !self.client_capabilities().can_tell_roots() {
            return Err(self.cannot("roots"));
        }
        let reply: Reply = read(&self.ask(methods::LIST_ROOTS, json!({})).await?)?;
        Ok(reply.roots)
    }
}
