//! Parts of several messages.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::usage::ModelUsage;
use crate::wire::view;

view! {
    /// Where a prompt comes from. Which fields are set depends on the kind.
    pub struct PromptOrigin {
        /// `human`, `channel`, `peer`, `task-notification`, `coordinator`, `observer`, `auto-continuation` or another kind.
        kind: String,
        /// The server of a channel.
        server: Option<String>,
        /// The session or agent that sent it.
        from: Option<String>,
        /// How permission is given in the session that sent it.
        #[serde(rename = "fromMode")]
        from_mode: Option<String>,
        /// The name of the sender.
        name: Option<String>,
        /// The id of the session that sent it.
        #[serde(rename = "fromSession")]
        from_session: Option<String>,
        /// The id of the task that sent it.
        #[serde(rename = "senderTaskId")]
        sender_task_id: Option<String>,
        /// The text that was sent.
        body: Option<String>,
        /// The verified process id of the sender.
        #[serde(rename = "verifiedPeerPid")]
        verified_peer_pid: Option<u32>,
        /// The kind of a notification about a task.
        subkind: Option<String>,
        /// Why a scheduled job ran.
        #[serde(rename = "fireReason")]
        fire_reason: Option<String>,
        /// The id of the run of a scheduled job.
        #[serde(rename = "runId")]
        run_id: Option<String>,
    }

    /// A link to a resource of an MCP server.
    pub struct ResourceLink {
        /// Its URI.
        uri: String,
        /// Its name.
        name: String,
        /// Its title.
        title: Option<String>,
        /// Its description.
        description: Option<String>,
        /// Its media type.
        #[serde(rename = "mimeType")]
        mime_type: Option<String>,
        /// Its size in bytes.
        size: Option<u64>,
        /// Its annotations.
        annotations: Option<Map<String, Value>>,
    }

    /// The usage of the context window, as part of an answer.
    pub struct MessageContextUsage {
        /// The model.
        model: String,
        /// Number of tokens in use, estimated. It may be more than the window has.
        total_tokens: u64,
        /// Size of the window.
        raw_max_tokens: u64,
        /// Usage in percent.
        percentage: f64,
        /// Set if there are more tokens than the window has.
        over_limit: Option<ContextOverLimit>,
        /// The usage by category.
        categories: Vec<ContextShare>,
        /// Tools of MCP servers.
        mcp_tools: Vec<ContextToolShare>,
        /// Files with instructions and memories.
        memory_files: Vec<ContextFileShare>,
        /// Sub-agents.
        agents: Vec<ContextAgentShare>,
        /// Skills.
        skills: Option<Vec<ContextSkillShare>>,
    }

    /// More tokens than the context window has.
    pub struct ContextOverLimit {
        /// How many more.
        tokens_over: u64,
        /// `hard_limit` if the API rejects them, `compaction_window` if the conversation is compacted.
        kind: String,
    }

    /// A category of tokens.
    pub struct ContextShare {
        /// Its name, for display.
        name: String,
        /// Number of tokens.
        tokens: u64,
        /// `used`, `free`, `buffer` or `deferred`.
        kind: String,
    }

    /// The tokens of a tool of an MCP server.
    pub struct ContextToolShare {
        /// The tool.
        name: String,
        /// The server.
        server_name: String,
        /// Number of tokens.
        tokens: u64,
    }

    /// The tokens of a file with instructions or memories.
    pub struct ContextFileShare {
        /// Its path.
        path: String,
        /// Its source, for display.
        #[serde(rename = "type")]
        kind: String,
        /// Number of tokens.
        tokens: u64,
    }

    /// The tokens of a sub-agent.
    pub struct ContextAgentShare {
        /// Its type.
        agent_type: String,
        /// Where it is defined.
        source: String,
        /// Number of tokens.
        tokens: u64,
    }

    /// The tokens of a skill.
    pub struct ContextSkillShare {
        /// Its name.
        name: String,
        /// Where it is defined.
        source: String,
        /// The name of its plugin.
        plugin_name: Option<String>,
        /// Number of tokens.
        tokens: u64,
    }

    /// The usage so far, as part of an answer.
    pub struct UsageSnapshot {
        /// The cost and usage of the session.
        session: SnapshotSession,
        /// The limits of the account.
        rate_limits: Option<SnapshotLimits>,
    }

    /// The cost and usage of the session.
    pub struct SnapshotSession {
        /// The cost in US dollars.
        total_cost_usd: f64,
        /// The time of API requests.
        total_api_duration_ms: u64,
        /// The time since the start.
        total_duration_ms: u64,
        /// Lines that were added to files.
        total_lines_added: u64,
        /// Lines that were removed from files.
        total_lines_removed: u64,
        /// The usage of each model.
        model_usage: BTreeMap<String, ModelUsage>,
    }

    /// The limits of the account.
    pub struct SnapshotLimits {
        /// The limits.
        limits: Option<Vec<SnapshotLimit>>,
        /// Paid usage beyond the limits.
        extra_usage: Option<SnapshotExtraUsage>,
    }

    /// A limit of the account.
    pub struct SnapshotLimit {
        /// The kind of limit.
        kind: String,
        /// The group of limits.
        group: String,
        /// The used part in percent.
        percent: f64,
        /// When it resets, in ISO 8601.
        resets_at: Option<String>,
        /// What it applies to.
        scope: Option<Value>,
        /// How severe its state is.
        severity: String,
        /// Whether it applies now.
        is_active: bool,
    }

    /// Paid usage beyond the limits.
    pub struct SnapshotExtraUsage {
        /// Whether it is on.
        is_enabled: bool,
        /// The limit of each month.
        monthly_limit: Option<f64>,
        /// What was used of it.
        used_credits: Option<f64>,
        /// The used part in percent.
        utilization: Option<f64>,
        /// The currency.
        currency: Option<String>,
    }

    /// A configuration file that is not valid.
    pub struct InvalidConfigFile {
        /// Its path.
        path: String,
        /// Whether it is the global configuration.
        is_global: bool,
        /// Whether the CLI looked for a copy of it.
        backup_searched: bool,
        /// The path of the copy.
        backup_path: Option<String>,
    }

    /// Why a plugin could not be loaded.
    pub struct PluginError {
        /// The plugin.
        plugin: String,
        /// The kind of error.
        #[serde(rename = "type")]
        kind: String,
        /// The error message.
        message: String,
        /// The path of the plugin.
        path: Option<String>,
        /// What the administrator has set about it.
        managed_lock: Option<PluginLock>,
    }

    /// What the administrator has set about a plugin.
    pub struct PluginLock {
        /// Whether the plugin is enabled.
        plugin_enabled: bool,
        /// Its name.
        name: String,
        /// Its marketplace.
        marketplace: Option<String>,
    }

    /// How long the CLI waited for the API without a response.
    pub struct NoResponse {
        /// How long it has waited.
        waited_ms: u64,
        /// How long it waits before it tries again.
        retry_wait_ms: u64,
    }

    /// A failed API request of a sub-agent is retried.
    pub struct SubagentRetry {
        /// The id of the sub-agent.
        agent_id: String,
        /// The number of the failed attempt.
        attempt: u64,
        /// The maximum number of attempts.
        max_retries: u64,
        /// The delay before the next attempt.
        retry_delay_ms: f64,
        /// The HTTP status, if there was a response.
        error_status: Option<u16>,
        /// The kind of error.
        error_category: String,
    }

    /// The messages that a compaction kept, from the first to the last.
    pub struct PreservedSegment {
        /// The first one.
        head_uuid: String,
        /// The one that the new conversation begins with.
        anchor_uuid: String,
        /// The last one.
        tail_uuid: String,
    }

    /// The messages that a compaction kept.
    pub struct PreservedMessages {
        /// The one that the new conversation begins with.
        anchor_uuid: String,
        /// All of them.
        uuids: Vec<String>,
    }

    /// The key of a session in a store.
    pub struct MirrorKey {
        /// The project.
        #[serde(rename = "projectKey")]
        project_key: String,
        /// The id of the session.
        #[serde(rename = "sessionId")]
        session_id: String,
        /// The part of the session.
        subpath: Option<String>,
    }
}
