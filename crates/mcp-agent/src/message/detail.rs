//! Parts of several messages.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::usage::ModelUsage;
use crate::wire::view;

view! {
    /// Where a prompt comes from. Which fields are set depends on the kind.
    pub struct PromptOrigin {
        /// The kind of origin: `human`, `channel`, `peer`, `task-notification`, `coordinator`, `observer`, `auto-continuation` or another kind.
        kind: String,
        /// The name of the server, if the prompt comes from a channel.
        server: Option<String>,
        /// The session or agent that sent the prompt.
        from: Option<String>,
        /// How the session that sent the prompt decides about permissions.
        #[serde(rename = "fromMode")]
        from_mode: Option<String>,
        /// The name of the session or agent that sent the prompt.
        name: Option<String>,
        /// The id of the session that sent the prompt.
        #[serde(rename = "fromSession")]
        from_session: Option<String>,
        /// The id of the task that sent the prompt.
        #[serde(rename = "senderTaskId")]
        sender_task_id: Option<String>,
        /// The text of the prompt as it was sent.
        body: Option<String>,
        /// The verified process id of the sender.
        #[serde(rename = "verifiedPeerPid")]
        verified_peer_pid: Option<u32>,
        /// The kind of the notification, if the prompt is a notification about a task.
        subkind: Option<String>,
        /// Why the scheduled job ran, if one sent the prompt.
        #[serde(rename = "fireReason")]
        fire_reason: Option<String>,
        /// The id of the run of the scheduled job, if one sent the prompt.
        #[serde(rename = "runId")]
        run_id: Option<String>,
    }

    /// A link to a resource of an MCP server.
    pub struct ResourceLink {
        /// The URI of the resource.
        uri: String,
        /// The name of the resource.
        name: String,
        /// The title of the resource.
        title: Option<String>,
        /// The description of the resource.
        description: Option<String>,
        /// The media type of the resource.
        #[serde(rename = "mimeType")]
        mime_type: Option<String>,
        /// The size of the resource in bytes.
        size: Option<u64>,
        /// The annotations of the resource.
        annotations: Option<Map<String, Value>>,
    }

    /// The usage of the context window, as part of an answer.
    pub struct MessageContextUsage {
        /// The name of the model.
        model: String,
        /// The estimated number of tokens in use. It may exceed the size of the window.
        total_tokens: u64,
        /// The size of the context window in tokens.
        raw_max_tokens: u64,
        /// How much of the context window is in use, in percent.
        percentage: f64,
        /// By how much the tokens exceed the window. `None` if they do not.
        over_limit: Option<ContextOverLimit>,
        /// The usage by category.
        categories: Vec<ContextShare>,
        /// The tokens of each tool of MCP servers.
        mcp_tools: Vec<ContextToolShare>,
        /// The tokens of each file with instructions or memories.
        memory_files: Vec<ContextFileShare>,
        /// The tokens of each sub-agent.
        agents: Vec<ContextAgentShare>,
        /// The tokens of each skill.
        skills: Option<Vec<ContextSkillShare>>,
    }

    /// More tokens than the context window has.
    pub struct ContextOverLimit {
        /// The number of tokens above the limit.
        tokens_over: u64,
        /// Which limit is exceeded: with `hard_limit` the API rejects the request, with `compaction_window` the
        /// conversation is compacted.
        kind: String,
    }

    /// A category of tokens.
    pub struct ContextShare {
        /// The name of the category, for display.
        name: String,
        /// The number of tokens in the category.
        tokens: u64,
        /// The kind of category: `used`, `free`, `buffer` or `deferred`.
        kind: String,
    }

    /// The tokens of a tool of an MCP server.
    pub struct ContextToolShare {
        /// The name of the tool.
        name: String,
        /// The name of the server.
        server_name: String,
        /// The number of tokens that the tool takes in the context.
        tokens: u64,
    }

    /// The tokens of a file with instructions or memories.
    pub struct ContextFileShare {
        /// The path of the file.
        path: String,
        /// Where the file comes from, for display.
        #[serde(rename = "type")]
        kind: String,
        /// The number of tokens of the file.
        tokens: u64,
    }

    /// The tokens of a sub-agent.
    pub struct ContextAgentShare {
        /// The type of the sub-agent.
        agent_type: String,
        /// Where the sub-agent is defined.
        source: String,
        /// The number of tokens that the sub-agent takes in the context.
        tokens: u64,
    }

    /// The tokens of a skill.
    pub struct ContextSkillShare {
        /// The name of the skill.
        name: String,
        /// Where the skill is defined.
        source: String,
        /// The name of the plugin that the skill is part of.
        plugin_name: Option<String>,
        /// The number of tokens that the skill takes in the context.
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
        /// The cost of the session in US dollars.
        total_cost_usd: f64,
        /// The time spent in API requests, in milliseconds.
        total_api_duration_ms: u64,
        /// The time since the start of the session, in milliseconds.
        total_duration_ms: u64,
        /// The number of lines that were added to files.
        total_lines_added: u64,
        /// The number of lines that were removed from files.
        total_lines_removed: u64,
        /// The usage of each model, by its name.
        model_usage: BTreeMap<String, ModelUsage>,
    }

    /// The limits of the account.
    pub struct SnapshotLimits {
        /// The limits that the CLI knows.
        limits: Option<Vec<SnapshotLimit>>,
        /// Usage beyond the limits of the plan, which the account pays for.
        extra_usage: Option<SnapshotExtraUsage>,
    }

    /// A limit of the account.
    pub struct SnapshotLimit {
        /// The kind of limit.
        kind: String,
        /// The group that the limit belongs to.
        group: String,
        /// The used part of the limit in percent.
        percent: f64,
        /// When the limit resets, in ISO 8601.
        resets_at: Option<String>,
        /// What the limit applies to.
        scope: Option<Value>,
        /// How severe the state of the limit is.
        severity: String,
        /// Whether the limit applies now.
        is_active: bool,
    }

    /// Usage beyond the limits of the plan, which the account pays for.
    pub struct SnapshotExtraUsage {
        /// Whether the account may go beyond the limits of its plan and pay for that.
        is_enabled: bool,
        /// The monthly limit of paid usage.
        monthly_limit: Option<f64>,
        /// How much of the monthly limit was used.
        used_credits: Option<f64>,
        /// The used part of the monthly limit in percent.
        utilization: Option<f64>,
        /// The currency of the amounts.
        currency: Option<String>,
    }

    /// A configuration file that is not valid.
    pub struct InvalidConfigFile {
        /// The path of the file.
        path: String,
        /// Whether the file is the global configuration.
        is_global: bool,
        /// Whether the CLI looked for a backup of the file.
        backup_searched: bool,
        /// The path of the backup.
        backup_path: Option<String>,
    }

    /// Why a plugin could not be loaded.
    pub struct PluginError {
        /// The name of the plugin.
        plugin: String,
        /// The kind of error.
        #[serde(rename = "type")]
        kind: String,
        /// The error message.
        message: String,
        /// The path of the plugin.
        path: Option<String>,
        /// What the administrator has set about the plugin.
        managed_lock: Option<PluginLock>,
    }

    /// What the administrator has set about a plugin.
    pub struct PluginLock {
        /// Whether the plugin is enabled.
        plugin_enabled: bool,
        /// The name of the plugin.
        name: String,
        /// The marketplace that the plugin comes from.
        marketplace: Option<String>,
    }

    /// How long the CLI waited for the API without a response.
    pub struct NoResponse {
        /// How long the CLI has waited, in milliseconds.
        waited_ms: u64,
        /// How long the CLI waits before it tries again, in milliseconds.
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
        /// The delay before the next attempt, in milliseconds.
        retry_delay_ms: f64,
        /// The HTTP status, if there was a response.
        error_status: Option<u16>,
        /// The kind of error.
        error_category: String,
    }

    /// The messages that a compaction kept, from the first to the last.
    pub struct PreservedSegment {
        /// The id of the first message.
        head_uuid: String,
        /// The id of the message that the new conversation begins with.
        anchor_uuid: String,
        /// The id of the last message.
        tail_uuid: String,
    }

    /// The messages that a compaction kept.
    pub struct PreservedMessages {
        /// The id of the message that the new conversation begins with.
        anchor_uuid: String,
        /// The ids of all messages that were kept.
        uuids: Vec<String>,
    }

    /// The key of a session in a store.
    pub struct MirrorKey {
        /// The key of the project.
        #[serde(rename = "projectKey")]
        project_key: String,
        /// The id of the session.
        #[serde(rename = "sessionId")]
        session_id: String,
        /// The part of the session, for instance a sub-agent.
        subpath: Option<String>,
    }
}
