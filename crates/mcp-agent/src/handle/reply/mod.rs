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
        /// The name of the server.
        name: String,
        /// The status of the server: `connected`, `failed`, `needs-auth`, `pending` or `disabled`.
        status: String,
        /// The name and version that the server reported.
        #[serde(rename = "serverInfo")]
        server_info: Option<McpServerInfo>,
        /// The error message, if the server failed.
        error: Option<String>,
        /// The configuration of the server.
        config: Option<Value>,
        /// The transport of the server.
        transport: Option<String>,
        /// The scope that the server is configured in.
        scope: Option<String>,
        /// The source of the server's configuration; `sdk` for a mounted server.
        source: Option<String>,
        /// The tools of the server.
        tools: Vec<McpTool>,
    }

    /// A tool of an MCP server.
    pub struct McpTool {
        /// The name of the tool.
        name: String,
        /// The description of the tool.
        description: Option<String>,
        /// The annotations of the tool.
        annotations: Option<McpToolAnnotations>,
        /// The metadata about the user interface of the tool.
        #[serde(rename = "_meta")]
        meta: Option<Map<String, Value>>,
    }

    /// The name and version of an MCP server.
    pub struct McpServerInfo {
        /// The name of the server.
        name: String,
        /// The version of the server.
        version: String,
    }

    /// What a tool of an MCP server says about itself.
    pub struct McpToolAnnotations {
        /// Whether the tool only reads.
        #[serde(rename = "readOnly")]
        read_only: Option<bool>,
        /// Whether the tool may destroy something.
        destructive: Option<bool>,
        /// Whether the tool accesses things outside of its server.
        #[serde(rename = "openWorld")]
        open_world: Option<bool>,
    }

    /// The result of rewinding files, or of a dry run.
    pub struct RewindOutcome {
        /// Whether the files can be rewound.
        #[serde(rename = "canRewind")]
        can_rewind: bool,
        /// Why the files cannot be rewound.
        error: Option<String>,
        /// The paths of the files that change.
        #[serde(rename = "filesChanged")]
        files_changed: Vec<String>,
        /// The number of added lines.
        insertions: u64,
        /// The number of removed lines.
        deletions: u64,
        /// The number of symbolic links that were skipped.
        #[serde(rename = "skippedLinks")]
        skipped_links: u64,
    }

    /// The version of the CLI.
    pub struct BinaryVersion {
        /// The version of the CLI.
        version: String,
        /// When the CLI was built.
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
        /// The cost, as text.
        text: Option<String>,
        /// The full name of the model.
        model: Option<String>,
    }
}
