//! Roots: the folders that the user works in.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{AskError, read};
use crate::call::context::Context;
use crate::jsonrpc::methods;

/// A folder that the user works in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// The `file://` URI of the folder.
    pub uri: String,
    /// The display name of the root.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
}

impl Root {
    /// Returns the folder at this `file://` URI.
    pub fn new(uri: impl Into<String>) -> Root {
        Root { uri: uri.into(), name: None }
    }

    /// Sets the display name.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Root {
        self.name = Some(name.into());
        self
    }
}

#[derive(Deserialize)]
struct Reply {
    roots: Vec<Root>,
}

impl Context {
    /// Asks the client for the folders that the user works in.
    ///
    /// # Errors
    /// If the client does not support roots, or its answer is invalid.
    pub async fn roots(&self) -> Result<Vec<Root>, AskError> {
        if !self.client_capabilities().can_tell_roots() {
            return Err(self.cannot("roots"));
        }
        let reply: Reply = read(&self.ask(methods::LIST_ROOTS, json!({})).await?)?;
        Ok(reply.roots)
    }
}
