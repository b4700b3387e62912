//! Messages about the state of the session.

use serde_json::Value;

use super::detail::{PluginError, PreservedMessages, PreservedSegment};
use crate::permission::PermissionMode;
use crate::wire::{view, words};

view! {
    /// The start of a turn. It is sent once per turn, not once per session.
    pub struct Init {
        /// The version of the CLI.
        claude_code_version: String,
        /// The working directory.
        cwd: String,
        /// The available tools.
        tools: Vec<String>,
        /// The MCP servers.
        mcp_servers: Vec<McpServerState>,
        /// The name of the model.
        model: String,
        /// The permission mode.
        #[serde(rename = "permissionMode")]
        permission_mode: PermissionMode,
        /// The names of the slash commands.
        slash_commands: Vec<String>,
        /// The names of slash commands that need a terminal.
        terminal_slash_commands: Option<Vec<String>>,
        /// The output style.
        output_style: String,
        /// The names of the skills.
        skills: Vec<String>,
        /// The types of the sub-agents.
        agents: Option<Vec<String>>,
        /// The loaded plugins.
        plugins: Vec<PluginInfo>,
        /// The plugins that could not be loaded.
        plugin_errors: Option<Vec<PluginError>>,
        /// The source of the API key.
        #[serde(rename = "apiKeySource")]
        api_key_source: String,
        /// The enabled beta features.
        betas: Option<Vec<String>>,
        /// Whether fast mode is on.
        fast_mode_state: Option<String>,
        /// Why fast mode is off.
        fast_mode_disabled_reason: Option<String>,
        /// The effort level of the model.
        effort: Option<String>,
        /// The display mode.
        view_mode: Option<String>,
        /// Capabilities of this version of the CLI.
        capabilities: Option<Vec<String>>,
        /// The paths of memories.
        memory_paths: Option<Value>,
    }

    /// The state of an MCP server.
    pub struct McpServerState {
        /// The name of the server.
        name: String,
        /// The status of the server: `connected`, `failed`, `needs-auth`, `pending` or `disabled`.
        status: String,
        /// The source of the server's configuration; `sdk` for a mounted server.
        source: Option<String>,
    }

    /// Information about a plugin.
    pub struct PluginInfo {
        /// The name of the plugin.
        name: String,
        /// The path of the folder of the plugin.
        path: String,
        /// The version of the plugin.
        version: Option<String>,
        /// The source of the plugin.
        source: Option<String>,
    }

    /// A change of the state of the session.
    pub struct SessionStateChanged {
        /// The new state.
        state: SessionState,
    }

    /// A change of status.
    pub struct Status {
        /// What the CLI is doing, for instance `compacting`.
        status: Option<String>,
        /// The permission mode.
        #[serde(rename = "permissionMode")]
        permission_mode: Option<PermissionMode>,
        /// The result of compaction.
        compact_result: Option<String>,
        /// Why compaction failed.
        compact_error: Option<String>,
    }

    /// The point where the conversation was compacted.
    pub struct CompactBoundary {
        /// Details of the compaction.
        compact_metadata: CompactMetadata,
    }

    /// Details of a compaction.
    pub struct CompactMetadata {
        /// What caused the compaction: `manual` or `auto`.
        trigger: String,
        /// The number of tokens before the compaction.
        pre_tokens: u64,
        /// The number of tokens after the compaction.
        post_tokens: Option<u64>,
        /// The duration of the compaction in milliseconds.
        duration_ms: Option<u64>,
        /// The messages that were kept, if they are one piece of the conversation.
        preserved_segment: Option<PreservedSegment>,
        /// The messages that were kept.
        preserved_messages: Option<PreservedMessages>,
    }

    /// A slow control request reports progress.
    pub struct ControlRequestProgress {
        /// The id of the request.
        request_id: String,
        /// The status of the request.
        status: String,
        /// The number of the attempt.
        attempt: Option<u64>,
        /// The maximum number of attempts.
        max_retries: Option<u64>,
        /// The delay before the next attempt, in milliseconds.
        retry_delay_ms: Option<f64>,
        /// The HTTP status of the last attempt.
        error_status: Option<u16>,
    }

    /// The number of thinking tokens so far.
    pub struct ThinkingTokens {
        /// The estimated number of all thinking tokens so far.
        estimated_tokens: u64,
        /// How many thinking tokens were added since the last message of this kind.
        estimated_tokens_delta: u64,
        /// The id of the prompt that started the turn.
        user_message_uuid: Option<String>,
    }

    /// The CLI is about to exit.
    pub struct WorkerShuttingDown {
        /// Why the CLI exits.
        reason: String,
    }

    /// The title of the session changed.
    pub struct SessionTitleChanged {
        /// The new title.
        title: Option<String>,
    }

    /// A summary of the turn.
    pub struct PostTurnSummary {
        /// The id of the summarized message.
        summarizes_uuid: String,
        /// The category of the outcome.
        status_category: String,
        /// The description of the outcome.
        status_detail: String,
        /// What the user has to do.
        needs_action: String,
    }

    /// What the turn is doing, in one line.
    pub struct TaskSummary {
        /// The line, or `None` to clear it.
        detail: Option<String>,
    }

    /// Data about the session.
    pub struct SessionMetadata {
        /// The data, for instance artifacts.
        metadata: Value,
    }
}

words! {
    /// The state of a session.
    pub enum SessionState {
        /// Nothing happens until a prompt is sent.
        Idle = "idle",
        /// A turn or a background task is running.
        Running = "running",
        /// The session waits for a decision of the user.
        RequiresAction = "requires_action",
    }
}
