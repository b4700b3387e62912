//! The response to `initialize`: information about the CLI.

use std::collections::BTreeMap;

use crate::message::SlashCommand;
use crate::wire::{Typed, view};

view! {
    /// The response to `initialize`: information about the CLI.
    pub struct WelcomeFields {
        /// Its version.
        claude_code_version: String,
        /// Its process id, on the machine where it runs.
        pid: Option<u32>,
        /// The available slash commands.
        commands: Vec<SlashCommand>,
        /// The available models.
        models: Vec<ModelInfo>,
        /// The available sub-agents.
        agents: Vec<AgentInfo>,
        /// The current output style.
        output_style: String,
        /// The available output styles.
        available_output_styles: Vec<String>,
        /// The account that is used.
        account: Account,
        /// The permission mode.
        current_permission_mode: Option<String>,
        /// Whether the hooks were accepted.
        hooks_applied: Option<bool>,
        /// Whether the CLI honours `block_on_failure` of hooks.
        hook_on_failure_supported: Option<bool>,
        /// Whether all plugins of the `initialize` request are loaded.
        plugins_applied: Option<bool>,
        /// Whether the CLI read the external MCP servers of the `initialize` request. It does not say that they connected.
        mcp_servers_applied: Option<bool>,
        /// Whether fast mode is on.
        fast_mode_state: Option<String>,
        /// Why fast mode is off.
        fast_mode_disabled_reason: Option<String>,
        /// Whether the managed settings of the agent were applied.
        managed_settings_applied: Option<bool>,
        /// The state of the manifest of each mounted server: `parked` if the handshake was skipped.
        sdk_mcp_manifests_parked: BTreeMap<String, String>,
        /// The state of the session.
        session_state: Option<String>,
        /// Capabilities of this version of the CLI.
        capabilities: Vec<String>,
    }

    /// An available model.
    pub struct ModelInfo {
        /// The value to select it with.
        value: String,
        /// Its full name.
        #[serde(rename = "resolvedModel")]
        resolved_model: Option<String>,
        /// Its display name.
        #[serde(rename = "displayName")]
        display_name: String,
        /// Its description.
        description: String,
        /// Whether it supports effort levels.
        #[serde(rename = "supportsEffort")]
        supports_effort: Option<bool>,
        /// The supported effort levels.
        #[serde(rename = "supportedEffortLevels")]
        supported_effort_levels: Option<Vec<String>>,
        /// Whether it supports adaptive thinking.
        #[serde(rename = "supportsAdaptiveThinking")]
        supports_adaptive_thinking: Option<bool>,
        /// Whether it supports fast mode.
        #[serde(rename = "supportsFastMode")]
        supports_fast_mode: Option<bool>,
        /// Whether it supports the permission mode `auto`.
        #[serde(rename = "supportsAutoMode")]
        supports_auto_mode: Option<bool>,
    }

    /// An available sub-agent.
    pub struct AgentInfo {
        /// Its name.
        name: String,
        /// When it is used.
        description: String,
        /// Its model, by alias or name; `inherit` for that of the main agent.
        model: Option<String>,
    }

    /// The account that is used.
    pub struct Account {
        /// The email address.
        email: Option<String>,
        /// The organization.
        organization: Option<String>,
        /// The type of the subscription.
        #[serde(rename = "subscriptionType")]
        subscription_type: Option<String>,
        /// The source of the token.
        #[serde(rename = "tokenSource")]
        token_source: Option<String>,
        /// The source of the API key.
        #[serde(rename = "apiKeySource")]
        api_key_source: Option<String>,
        /// The provider of the API.
        #[serde(rename = "apiProvider")]
        api_provider: Option<String>,
    }
}

/// The response to `initialize`: information about the CLI.
pub type Welcome = Typed<WelcomeFields>;
