//! Settings, their sources, and plugins.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::agent::Agent;
use crate::wire::words;

/// Settings, their sources, and plugins.
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

impl Settings {
    /// Returns whether the CLI must read the `initialize` request before it starts.
    pub(crate) fn are_in_initialize(&self) -> bool {
        self.managed.is_some() || self.plugin_delivery == PluginDelivery::Initialize
    }
}

#[derive(Debug, Clone)]
pub(crate) enum SettingsSource {
    File(PathBuf),
    Inline(Map<String, Value>),
}

words! {
    /// A source of settings.
    pub enum SettingSource {
        /// The settings of the user, for all projects.
        User = "user",
        /// The shared settings of the project.
        Project = "project",
        /// The local settings of the project, which are not shared.
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
    /// The path of the directory.
    pub path: PathBuf,
    /// Whether its MCP servers are ignored.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub skip_mcp_discovery: bool,
}

impl Plugin {
    /// Creates a plugin from a directory.
    pub fn local(path: impl Into<PathBuf>) -> Self {
        Self { kind: "local", path: path.into(), skip_mcp_discovery: false }
    }

    /// Creates a plugin from a directory and ignores its MCP servers.
    pub fn without_mcp(path: impl Into<PathBuf>) -> Self {
        Self { skip_mcp_discovery: true, ..Self::local(path) }
    }
}

/// How plugins are passed to the CLI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PluginDelivery {
    /// Plugins are arguments of the command line.
    #[default]
    Arguments,
    /// Plugins are in the `initialize` request. The CLI waits for this request before it starts.
    Initialize,
}

/// # Settings
impl Agent {
    /// Sets the settings inline, instead of a file: a [`SessionSettings`](crate::settings::SessionSettings), or a JSON object.
    #[must_use]
    pub fn settings(mut self, settings: impl Into<Map<String, Value>>) -> Self {
        self.options.settings.source = Some(SettingsSource::Inline(settings.into()));
        self
    }

    /// Sets the file of the settings. Cannot be combined with [`sandbox`](Self::sandbox).
    #[must_use]
    pub fn settings_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.settings.source = Some(SettingsSource::File(path.into()));
        self
    }

    /// Sets the sandbox for commands, as the `sandbox` part of the settings: a
    /// [`SandboxSettings`](crate::settings::SandboxSettings), or JSON.
    ///
    /// It is merged into the `sandbox` of inline [`settings`](Self::settings). `failIfUnavailable` defaults to true here.
    /// With false, the CLI runs commands unsandboxed if it cannot create a sandbox.
    #[must_use]
    pub fn sandbox(mut self, sandbox: impl Into<Value>) -> Self {
        self.options.settings.sandbox = Some(sandbox.into());
        self
    }

    /// Sets settings that override all others.
    #[must_use]
    pub fn managed_settings(mut self, settings: impl Into<Map<String, Value>>) -> Self {
        self.options.settings.managed = Some(settings.into());
        self
    }

    /// Sets which sources of settings are read. By default all; with an empty list none.
    #[must_use]
    pub fn setting_sources(mut self, sources: impl IntoIterator<Item = SettingSource>) -> Self {
        self.options.settings.sources = Some(sources.into_iter().collect());
        self
    }

    /// Sets the directory of the project's configuration. The default is the working directory.
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

    /// Sets how plugins are passed to the CLI. The default is the command line.
    #[must_use]
    pub fn plugin_delivery(mut self, delivery: PluginDelivery) -> Self {
        self.options.settings.plugin_delivery = delivery;
        self
    }
}
