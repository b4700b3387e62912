//! Settings, and whose.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::agent::Agent;
use crate::wire::words;

/// Settings, and whose.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    pub(crate) source: Option<SettingsSource>,
    pub(crate) sandbox: Option<Value>,
    pub(crate) managed: Option<Map<String, Value>>,
    pub(crate) sources: Option<Vec<SettingSource>>,
    pub(crate) project_config_root: Option<PathBuf>,
    pub(crate) plugins: Vec<Plugin>,
    pub(crate) plugin_delivery: PluginDelivery,
}

#[derive(Debug, Clone)]
pub(crate) enum SettingsSource {
    File(PathBuf),
    Inline(Map<String, Value>),
}

words! {
    /// Whose settings are read.
    pub enum SettingSource {
        /// The user's, for all projects.
        User = "user",
        /// The project's, for all who work on it.
        Project = "project",
        /// The project's local ones.
        Local = "local",
    }
}

/// A plugin in a directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Plugin {
    #[serde(rename = "type")]
    kind: &'static str,
    /// Where it is.
    pub path: PathBuf,
    /// Whether its MCP servers are left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub skip_mcp_discovery: bool,
}

impl Plugin {
    /// The plugin in a directory.
    pub fn local(path: impl Into<PathBuf>) -> Self {
        Self { kind: "local", path: path.into(), skip_mcp_discovery: false }
    }

    /// The plugin in a directory, without its MCP servers.
    pub fn without_mcp(path: impl Into<PathBuf>) -> Self {
        Self { skip_mcp_discovery: true, ..Self::local(path) }
    }
}

/// How the CLI learns of plugins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PluginDelivery {
    /// On the command line.
    #[default]
    Arguments,
    /// In the protocol, for which the CLI waits before it starts.
    Initialize,
}

/// Settings
impl Agent {
    /// Settings in place of a file.
    #[must_use]
    pub fn settings(mut self, settings: Map<String, Value>) -> Self {
        self.options.settings.source = Some(SettingsSource::Inline(settings));
        self
    }

    /// Settings from a file. Cannot be combined with [`sandbox`](Self::sandbox).
    #[must_use]
    pub fn settings_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.settings.source = Some(SettingsSource::File(path.into()));
        self
    }

    /// The sandbox for commands, as the `sandbox` part of the settings.
    #[must_use]
    pub fn sandbox(mut self, sandbox: impl Into<Value>) -> Self {
        self.options.settings.sandbox = Some(sandbox.into());
        self
    }

    /// Settings that override all others.
    #[must_use]
    pub fn managed_settings(mut self, settings: Map<String, Value>) -> Self {
        self.options.settings.managed = Some(settings);
        self
    }

    /// Whose settings are read; everybody's by default, nobody's when there are none.
    #[must_use]
    pub fn setting_sources(mut self, sources: impl IntoIterator<Item = SettingSource>) -> Self {
        self.options.settings.sources = Some(sources.into_iter().collect());
        self
    }

    /// Where the project's configuration is; in the working directory by default.
    #[must_use]
    pub fn project_config_root(mut self, directory: impl Into<PathBuf>) -> Self {
        self.options.settings.project_config_root = Some(directory.into());
        self
    }

    /// Loads a plugin.
    #[must_use]
    pub fn plugin(mut self, plugin: Plugin) -> Self {
        self.options.settings.plugins.push(plugin);
        self
    }

    /// How the CLI learns of plugins; on the command line by default.
    #[must_use]
    pub fn plugin_delivery(mut self, delivery: PluginDelivery) -> Self {
        self.options.settings.plugin_delivery = delivery;
        self
    }
}
