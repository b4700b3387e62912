//! The responses of the CLI to control requests.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

mod context;
mod settings;
mod usage;

pub use context::{
    ContextAgent, ContextApiUsage, ContextCategory, ContextCommands, ContextDeferredTool, ContextMcpInstructions,
    ContextMcpTool, ContextMemoryFile, ContextMessages, ContextPart, ContextSkill, ContextSkills, ContextSquare,
    ContextToolCalls, ContextUsage,
};
pub use settings::{
    CacheImpact, EditableHook, FileContents, HookEventInfo, HookInfo, HookMode, HookPolicy, HooksListing,
    PermissionRuleDescription, PermissionRuleEntry, PermissionRules, PermissionRulesState, ReloadedOutputStyles,
    ReloadedPlugins, ReloadedSkills, SettingsParseError, TaskOutput, WorkspaceDirectory,
};
pub use usage::{
    ExtraUsage, ModelUsageWindow, SessionUsage, UsageBehavior, UsageBehaviors, UsageFix, UsageLimits, UsagePeriod,
    UsageRecommendation, UsageReport, UsageShare, UsageWindow,
};

use crate::initialize::ModelInfo;
use crate::wire::{Typed, view};

view! {
    /// The response to an interrupt.
    pub struct InterruptReceipt {
        /// Ids of the prompts that are still queued.
        still_queued: Vec<String>,
        /// Ids of the prompts that were cancelled.
        cancelled: Vec<String>,
    }

    /// The result of [`set_mcp_servers`](crate::Handle::set_mcp_servers).
    pub struct ServersChanged {
        /// Servers that were added.
        added: Vec<String>,
        /// Servers that were removed.
        removed: Vec<String>,
        /// Error messages of servers that could not be started, by name.
        errors: BTreeMap<String, String>,
    }

    /// The state of an MCP server.
    pub struct McpServerStatus {
        /// Its name.
        name: String,
        /// `connected`, `failed`, `needs-auth`, `pending` or `disabled`.
        status: String,
        /// The name and version that the server reported.
        #[serde(rename = "serverInfo")]
        server_info: Option<McpServerInfo>,
        /// The error message, if it failed.
        error: Option<String>,
        /// Its configuration.
        config: Option<Value>,
        /// Its transport.
        transport: Option<String>,
        /// The scope it is configured in.
        scope: Option<String>,
        /// The source of its configuration; `sdk` for a mounted server.
        source: Option<String>,
        /// Its tools.
        tools: Vec<McpTool>,
    }

    /// A tool of an MCP server.
    pub struct McpTool {
        /// Its name.
        name: String,
        /// Its description.
        description: Option<String>,
        /// Its annotations.
        annotations: Option<McpToolAnnotations>,
        /// The metadata about its user interface.
        #[serde(rename = "_meta")]
        meta: Option<Map<String, Value>>,
    }

    /// The name and version of an MCP server.
    pub struct McpServerInfo {
        /// Its name.
        name: String,
        /// Its version.
        version: String,
    }

    /// What a tool of an MCP server says about itself.
    pub struct McpToolAnnotations {
        /// Whether it only reads.
        #[serde(rename = "readOnly")]
        read_only: Option<bool>,
        /// Whether it may destroy something.
        destructive: Option<bool>,
        /// Whether it reaches things outside of its server.
        #[serde(rename = "openWorld")]
        open_world: Option<bool>,
    }

    /// The result of rewinding files, or of a dry run.
    pub struct RewindOutcome {
        /// Whether the files can be rewound.
        #[serde(rename = "canRewind")]
        can_rewind: bool,
        /// The reason, if they cannot.
        error: Option<String>,
        /// Files that change.
        #[serde(rename = "filesChanged")]
        files_changed: Vec<String>,
        /// Number of added lines.
        insertions: u64,
        /// Number of removed lines.
        deletions: u64,
        /// Number of links that were skipped.
        #[serde(rename = "skippedLinks")]
        skipped_links: u64,
    }

    /// The version of the CLI.
    pub struct BinaryVersion {
        /// Its version.
        version: String,
        /// Its build time.
        #[serde(rename = "buildTime")]
        build_time: Option<String>,
    }

    /// The response to `mcp_status`.
    pub(in crate::handle) struct McpServerList {
        /// The servers.
        #[serde(rename = "mcpServers")]
        servers: Vec<Typed<McpServerStatus>>,
    }

    /// The response to `list_models`.
    pub(in crate::handle) struct ModelList {
        /// The models.
        models: Vec<Typed<ModelInfo>>,
    }

    /// A response with one text; which field is set depends on the request.
    pub(in crate::handle) struct TextReply {
        /// The answer to a side question.
        response: Option<String>,
        /// The generated title.
        title: Option<String>,
        /// The cost.
        text: Option<String>,
        /// The full name of the model.
        model: Option<String>,
    }
}
