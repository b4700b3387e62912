//! Requests that change or read again what was set up.

use serde_json::{Map, Value, json};

use super::{Handle, Nothing};
use crate::error::Error;

/// Settings
impl Handle {
    /// Changes settings for this session, as if they had been given at its start.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn apply_settings(&self, settings: Map<String, Value>) -> Result<(), Error> {
        self.order("apply_flag_settings", json!({"settings": settings})).await
    }

    /// Writes settings to the file of a source. The CLI lets through `outputStyle` for `localSettings` and `effortLevel` for
    /// `userSettings`, and refuses everything else.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn update_settings(&self, source: &str, settings: Map<String, Value>) -> Result<Value, Error> {
        self.ask("update_settings", json!({"source": source, "settings": settings})).await
    }

    /// Reads plugins again.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn reload_plugins(&self) -> Result<Value, Error> {
        self.ask("reload_plugins", Nothing {}).await
    }

    /// Reads skills again.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn reload_skills(&self) -> Result<Value, Error> {
        self.ask("reload_skills", Nothing {}).await
    }

    /// Reads output styles again.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn reload_output_styles(&self) -> Result<Value, Error> {
        self.ask("reload_output_styles", Nothing {}).await
    }
}
