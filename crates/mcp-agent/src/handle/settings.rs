//! Requests that change settings or reload files.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Handle, Nothing, ReloadedOutputStyles, ReloadedPlugins, ReloadedSkills};
use crate::error::Error;
use crate::options::Plugin;
use crate::wire::Typed;

/// How plugins are reloaded, for [`Handle::reload_plugins_with`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReloadPlugins {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hold_on_cache_impact: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    add_plugins: Vec<Plugin>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    refuse_if_busy: bool,
}

impl ReloadPlugins {
    /// Creates options that reload all plugins at once.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reloads nothing if that would change the list of tools, on which the cache of the conversation depends. The response then
    /// has [`held`](super::ReloadedPlugins::held).
    #[must_use]
    pub fn hold_on_cache_impact(mut self) -> Self {
        self.hold_on_cache_impact = true;
        self
    }

    /// Also loads a plugin. Its path must be absolute.
    #[must_use]
    pub fn plugin(mut self, plugin: Plugin) -> Self {
        self.add_plugins.push(plugin);
        self
    }

    /// Rejects the request with the code `reload_plugins_busy` if a turn or a background task is running.
    #[must_use]
    pub fn refuse_if_busy(mut self) -> Self {
        self.refuse_if_busy = true;
        self
    }
}

/// # Settings
impl Handle {
    /// Changes settings for this session, as if they had been passed at its start.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn apply_settings(&self, settings: impl Into<Map<String, Value>>) -> Result<(), Error> {
        self.order("apply_flag_settings", json!({"settings": settings.into()})).await
    }

    /// Writes settings to the file of a source. The CLI only accepts `outputStyle` for `localSettings` and
    /// `effortLevel` for `userSettings`, and rejects everything else. The response is JSON, because the official SDK does not
    /// declare its fields.
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
    pub async fn reload_plugins(&self) -> Result<Typed<ReloadedPlugins>, Error> {
        self.reload_plugins_with(ReloadPlugins::new()).await
    }

    /// Reloads plugins, with options.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn reload_plugins_with(&self, options: ReloadPlugins) -> Result<Typed<ReloadedPlugins>, Error> {
        self.ask("reload_plugins", options).await
    }

    /// Reloads skills.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn reload_skills(&self) -> Result<Typed<ReloadedSkills>, Error> {
        self.ask("reload_skills", Nothing {}).await
    }

    /// Reloads output styles.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn reload_output_styles(&self) -> Result<Typed<ReloadedOutputStyles>, Error> {
        self.ask("reload_output_styles", Nothing {}).await
    }
}
