//! The state of a session.

use serde_json::Value;

use crate::permission::PermissionMode;
use crate::wire::{view, words};

view! {
    /// What a turn starts with. It comes once for every turn, not once for the session.
    pub struct Init {
        /// The CLI's version.
        claude_code_version: String,
        /// The working directory.
        cwd: String,
        /// The tools that the model may use.
        tools: Vec<String>,
        /// The MCP servers.
        mcp_servers: Vec<McpServerState>,
        /// The model.
        model: String,
        /// The permission mode.
        #[serde(rename = "permissionMode")]
        permission_mode: PermissionMode,
        /// Slash commands.
        slash_commands: Vec<String>,
        /// Slash commands that need a terminal.
        terminal_slash_commands: Option<Vec<String>>,
        /// The output style.
        output_style: String,
        /// Skills.
        skills: Vec<String>,
        /// Sub-agents.
        agents: Option<Vec<String>>,
        /// Plugins.
        plugins: Vec<PluginInfo>,
        /// Plugins that could not be loaded.
        plugin_errors: Option<Vec<Value>>,
        /// Where the key comes from.
        #[serde(rename = "apiKeySource")]
        api_key_source: String,
        /// Betas in use.
        betas: Option<Vec<String>>,
        /// Whether fast mode is on.
        fast_mode_state: Option<String>,
        /// Why fast mode is off.
        fast_mode_disabled_reason: Option<String>,
        /// How hard the model thinks.
        effort: Option<String>,
        /// How a person sees the session.
        view_mode: Option<String>,
        /// What this CLI can do beyond older ones.
        capabilities: Option<Vec<String>>,
        /// Where memories are.
        memory_paths: Option<Value>,
    }

    /// An MCP server, in short.
    pub struct McpServerState {
        /// Its name.
        name: String,
        /// How it is: `connected`, `failed`, `needs-auth`, `pending` or `disabled`.
        status: String,
        /// Who configured it; `sdk` for a mounted one.
        source: Option<String>,
    }

    /// A plugin, in short.
    pub struct PluginInfo {
        /// Its name.
        name: String,
        /// Where it is.
        path: String,
        /// Its version.
        version: Option<String>,
        /// Where it comes from.
        source: Option<String>,
    }

    /// Whether the session runs.
    pub struct SessionStateChanged {
        /// The new state.
        state: SessionState,
    }

    /// A change of status.
    pub struct Status {
        /// What the CLI is busy with, for instance `compacting`.
        status: Option<String>,
        /// The permission mode.
        #[serde(rename = "permissionMode")]
        permission_mode: Option<PermissionMode>,
        /// How compaction went.
        compact_result: Option<String>,
        /// Why it failed.
        compact_error: Option<String>,
    }

    /// The conversation was compacted here.
    pub struct CompactBoundary {
        /// How.
        compact_metadata: CompactMetadata,
    }

    /// How the conversation was compacted.
    pub struct CompactMetadata {
        /// `manual` or `auto`.
        trigger: String,
        /// Tokens before.
        pre_tokens: u64,
        /// Tokens after.
        post_tokens: Option<u64>,
        /// How long it took.
        duration_ms: Option<u64>,
    }

    /// A control request takes its time.
    pub struct ControlRequestProgress {
        /// Which one.
        request_id: String,
        /// What it does.
        status: String,
        /// Which attempt.
        attempt: Option<u64>,
        /// Of how many.
        max_retries: Option<u64>,
        /// How long until the next.
        retry_delay_ms: Option<u64>,
        /// The HTTP status of the last.
        error_status: Option<u16>,
    }

    /// How much the model has been thinking.
    pub struct ThinkingTokens {
        /// In all.
        estimated_tokens: u64,
        /// Since the last such message.
        estimated_tokens_delta: u64,
        /// The prompt.
        user_message_uuid: Option<String>,
    }

    /// The CLI is about to go.
    pub struct WorkerShuttingDown {
        /// Why.
        reason: String,
    }

    /// The session has another title.
    pub struct SessionTitleChanged {
        /// The new title.
        title: Option<String>,
    }

    /// A summary of the turn.
    pub struct PostTurnSummary {
        /// The message that it sums up.
        summarizes_uuid: String,
        /// How the turn ended, as a category.
        status_category: String,
        /// How the turn ended, in words.
        status_detail: String,
        /// What somebody has to do.
        needs_action: String,
    }

    /// What the turn is doing, in a line.
    pub struct TaskSummary {
        /// The line, or that it no longer holds.
        detail: Option<String>,
    }

    /// Data about the session.
    pub struct SessionMetadata {
        /// The data, for instance artifacts.
        metadata: Value,
    }
}

words! {
    /// Whether a session runs.
    pub enum SessionState {
        /// Nothing more will happen until somebody sends a prompt.
        Idle = "idle",
        /// It runs, or a background task of it does.
        Running = "running",
        /// It waits for somebody to decide.
        RequiresAction = "requires_action",
    }
}
