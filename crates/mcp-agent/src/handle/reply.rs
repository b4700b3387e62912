//! The responses of the CLI to control requests.

use std::collections::BTreeMap;

use serde_json::Value;

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
        server_info: Option<Value>,
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
        annotations: Option<Value>,
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

    /// The usage of the context window.
    pub struct ContextUsage {
        /// The usage by category.
        categories: Vec<ContextCategory>,
        /// Total number of tokens in use.
        #[serde(rename = "totalTokens")]
        total_tokens: u64,
        /// Size of the context window in tokens.
        #[serde(rename = "maxTokens")]
        max_tokens: u64,
        /// Usage in percent.
        percentage: f64,
        /// The model.
        model: String,
    }

    /// One category of tokens in the context window.
    pub struct ContextCategory {
        /// Its name.
        name: String,
        /// Number of tokens.
        tokens: u64,
        /// `used`, `free`, `buffer` or `deferred`.
        kind: String,
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
    pub(super) struct McpServerList {
        /// The servers.
        #[serde(rename = "mcpServers")]
        servers: Vec<Typed<McpServerStatus>>,
    }

    /// The response to `list_models`.
    pub(super) struct ModelList {
        /// The models.
        models: Vec<Typed<ModelInfo>>,
    }

    /// A response with one text; which field is set depends on the request.
    pub(super) struct TextReply {
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
