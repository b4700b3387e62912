//! The answer to the first request: what the CLI says of itself.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::message::SlashCommand;
use crate::wire::{Typed, view};

view! {
    /// What the CLI says of itself when a session opens.
    pub struct WelcomeFields {
        /// Its version.
        claude_code_version: String,
        /// Its process id, where it runs.
        pid: Option<u32>,
        /// Slash commands.
        commands: Vec<SlashCommand>,
        /// Models that can be chosen.
        models: Vec<ModelInfo>,
        /// Sub-agents.
        agents: Vec<Value>,
        /// The output style.
        output_style: String,
        /// Output styles that can be chosen.
        available_output_styles: Vec<String>,
        /// Who pays.
        account: Account,
        /// The permission mode.
        current_permission_mode: Option<String>,
        /// Whether the hooks were taken.
        hooks_applied: Option<bool>,
        /// What became of the manifests of mounted servers: `parked` where the handshake was saved.
        sdk_mcp_manifests_parked: BTreeMap<String, String>,
        /// Whether the session runs.
        session_state: Option<String>,
        /// What this CLI can do beyond older ones.
        capabilities: Vec<String>,
    }

    /// A model that can be chosen.
    pub struct ModelInfo {
        /// How to choose it.
        value: String,
        /// Its full name.
        #[serde(rename = "resolvedModel")]
        resolved_model: Option<String>,
        /// Its name to show.
        #[serde(rename = "displayName")]
        display_name: String,
        /// What it is good for.
        description: String,
        /// Whether its effort can be chosen.
        #[serde(rename = "supportsEffort")]
        supports_effort: Option<bool>,
        /// Which efforts.
        #[serde(rename = "supportedEffortLevels")]
        supported_effort_levels: Option<Vec<String>>,
        /// Whether it thinks as it sees fit.
        #[serde(rename = "supportsAdaptiveThinking")]
        supports_adaptive_thinking: Option<bool>,
    }

    /// Who pays.
    pub struct Account {
        /// An address.
        email: Option<String>,
        /// An organisation.
        organization: Option<String>,
        /// A subscription.
        #[serde(rename = "subscriptionType")]
        subscription_type: Option<String>,
        /// Where the token comes from.
        #[serde(rename = "tokenSource")]
        token_source: Option<String>,
        /// Where the key comes from.
        #[serde(rename = "apiKeySource")]
        api_key_source: Option<String>,
        /// Whose API it is.
        #[serde(rename = "apiProvider")]
        api_provider: Option<String>,
    }
}

/// What the CLI says of itself when a session opens.
pub type Welcome = Typed<WelcomeFields>;
