//! Requests that read information and change nothing.

use serde_json::{Value, json};

use super::reply::{ModelList, TextReply};
use super::{BinaryVersion, ContextUsage, Handle, HooksListing, Nothing, PermissionRules, UsageReport};
use crate::error::Error;
use crate::initialize::ModelInfo;
use crate::wire::Typed;

/// # Information
impl Handle {
    /// Returns how much of the context window is used, and by what.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn context_usage(&self) -> Result<Typed<ContextUsage>, Error> {
        self.ask("get_context_usage", json!({"detail": "full"})).await
    }

    /// Returns how much of the context window is used, and by what, as estimated from the last answer. Unlike
    /// [`context_usage`](Self::context_usage) it sends no request to the API.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn context_usage_estimate(&self) -> Result<Typed<ContextUsage>, Error> {
        self.ask("get_context_usage", json!({"detail": "summary"})).await
    }

    /// Returns the cost of the session, as text for display.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn session_cost(&self) -> Result<String, Error> {
        Ok(self
            .ask::<Option<TextReply>>("get_session_cost", Nothing {})
            .await?
            .and_then(|reply| reply.text)
            .unwrap_or_default())
    }

    /// Returns the usage of the session, of the account and its limits. The CLI reads the transcripts of the last seven days
    /// for [`behaviors`](super::UsageReport::behaviors).
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn usage(&self) -> Result<Typed<UsageReport>, Error> {
        self.ask("get_usage", json!({"skip_behaviors": false})).await
    }

    /// Returns the usage of the session, of the account and its limits, without reading transcripts.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn usage_without_behaviors(&self) -> Result<Typed<UsageReport>, Error> {
        self.ask("get_usage", json!({"skip_behaviors": true})).await
    }

    /// Returns the available models.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn models(&self) -> Result<Vec<Typed<ModelInfo>>, Error> {
        Ok(self.ask::<Option<ModelList>>("list_models", Nothing {}).await?.unwrap_or_default().models)
    }

    /// Returns the version of the CLI.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn binary_version(&self) -> Result<Typed<BinaryVersion>, Error> {
        self.ask("get_binary_version", Nothing {}).await
    }

    /// Returns the settings: the effective ones, and those of each source. They are JSON, because the official SDK does not
    /// declare the fields of the response.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn settings(&self) -> Result<Value, Error> {
        self.ask("get_settings", Nothing {}).await
    }

    /// Returns the hooks that are configured in the settings.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn hooks_listing(&self) -> Result<Typed<HooksListing>, Error> {
        self.ask("get_hooks_listing", Nothing {}).await
    }

    /// Returns the permission rules in effect.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn permission_rules(&self) -> Result<Typed<PermissionRules>, Error> {
        self.ask("list_permission_rules", Nothing {}).await
    }

    /// Returns files that match what a user has typed, as JSON: the official SDK does not declare the fields of the response.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn file_suggestions(&self, query: &str) -> Result<Value, Error> {
        self.ask("file_suggestions", json!({"query": query})).await
    }
}
