//! Requests that change settings or reload files.

use serde_json::{Map, Value, json};

use super::{Handle, Nothing};
use crate::error::Error;

/// # Settings
impl Handle {
    /// Changes settings for this session, as if they had been passed at its start.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn apply_settings(&self, settings: Map<String, Value>) -> Result<(), Error> {
        self.order("apply_flag_settings", json!({"settings": settings})).await
    }

    /// Writes settings to the file of a source. The CLI only accepts `outputStyle` for `localSettings` and
    /// `effortLevel` for `userSettings`, and rejects everything else.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn update_settings(&self, source: &str, settings: Map<String, Value>) -> Result<Value, Error> {
        self.ask("update_settings", json!({"source": source, "settings": settings})).await
    }

    /// Reloads plugins.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn reload_plugins(&self) -> Result<Value, Error> {
        self.ask("reload_plugins", Nothing {}).await
    }

    /// Reloads skills.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn reload_skills(&self) -> Result<Value, Error> {
        self.ask("reload_skills", Nothing {}).await
    }

    /// Reloads output styles.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn reload_output_styles(&self) -> Result<Value, Error> {
        self.ask("reload_output_styles", Nothing {}).await
    }
}
