//! The response to `initialize`: information about the CLI.

use std::collections::BTreeMap;

use crate::message::SlashCommand;
use crate::wire::{Typed, view};

view! {
    /// The response to `initialize`: information about the CLI.
    pub struct WelcomeFields {
        /// The version of the CLI.
        claude_code_version: String,
        /// The process id of the CLI, on the machine where it runs.
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
        /// The current permission mode.
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
        /// The value that selects the model.
        value: String,
        /// The full name of the model.
        #[serde(rename = "resolvedModel")]
        resolved_model: Option<String>,
        /// The display name of the model.
        #[serde(rename = "displayName")]
        display_name: String,
        /// The description of the model.
        description: String,
        /// Whether the model supports effort levels.
        #[serde(rename = "supportsEffort")]
        supports_effort: Option<bool>,
        /// The effort levels that the model supports.
        #[serde(rename = "supportedEffortLevels")]
        supported_effort_levels: Option<Vec<String>>,
        /// Whether the model supports adaptive thinking.
        #[serde(rename = "supportsAdaptiveThinking")]
        supports_adaptive_thinking: Option<bool>,
        /// Whether the model supports fast mode.
        #[serde(rename = "supportsFastMode")]
        supports_fast_mode: Option<bool>,
        /// Whether the model supports the permission mode `auto`.
        #[serde(rename = "supportsAutoMode")]
        supports_auto_mode: Option<bool>,
    }

    /// An available sub-agent.
    pub struct AgentInfo {
        /// The name of the sub-agent.
        name: String,
        /// When the sub-agent is used.
        description: String,
        /// The model of the sub-agent, by alias or name; `inherit` for that of the main agent.
        model: Option<String>,
    }

    /// The account that is used.
    pub struct Account {
        /// The email address of the user.
        email: Option<String>,
        /// The name of the organization.
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
