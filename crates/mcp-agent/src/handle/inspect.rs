//! Requests that only look.

use serde_json::{Value, json};

use super::reply::{ModelList, TextReply};
use super::{BinaryVersion, ContextUsage, Handle, Nothing};
use crate::error::Error;
use crate::initialize::ModelInfo;
use crate::wire::Typed;

/// Looking
impl Handle {
    /// How full the context is.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn context_usage(&self) -> Result<Typed<ContextUsage>, Error> {
        self.ask("get_context_usage", Nothing {}).await
    }

    /// What the session cost, as a text to show.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn session_cost(&self) -> Result<String, Error> {
        Ok(self
            .ask::<Option<TextReply>>("get_session_cost", Nothing {})
            .await?
            .and_then(|reply| reply.text)
            .unwrap_or_default())
    }

    /// Where the account stands with its limits.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn usage(&self) -> Result<Value, Error> {
        self.ask("get_usage", Nothing {}).await
    }

    /// Models that can be chosen.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn models(&self) -> Result<Vec<Typed<ModelInfo>>, Error> {
        Ok(self.ask::<Option<ModelList>>("list_models", Nothing {}).await?.unwrap_or_default().models)
    }

    /// Which CLI it is.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn binary_version(&self) -> Result<Typed<BinaryVersion>, Error> {
        self.ask("get_binary_version", Nothing {}).await
    }

    /// The settings: in effect, and by source.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn settings(&self) -> Result<Value, Error> {
        self.ask("get_settings", Nothing {}).await
    }

    /// The hooks of the settings.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn hooks_listing(&self) -> Result<Value, Error> {
        self.ask("get_hooks_listing", Nothing {}).await
    }

    /// The permission rules in effect.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn permission_rules(&self) -> Result<Value, Error> {
        self.ask("list_permission_rules", Nothing {}).await
    }

    /// Files that a user who typed this may mean.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn file_suggestions(&self, query: &str) -> Result<Value, Error> {
        self.ask("file_suggestions", json!({"query": query})).await
    }
}
