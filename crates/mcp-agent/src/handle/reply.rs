//! What the CLI answers to requests.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::initialize::ModelInfo;
use crate::wire::{Typed, view};

view! {
    /// What an interrupt found.
    pub struct InterruptReceipt {
        /// Prompts that still wait.
        still_queued: Vec<String>,
        /// Prompts that were taken back.
        cancelled: Vec<String>,
    }

    /// What became of a change of servers.
    pub struct ServersChanged {
        /// New servers.
        added: Vec<String>,
        /// Servers that are no more.
        removed: Vec<String>,
        /// Servers that could not be started, and why.
        errors: BTreeMap<String, String>,
    }

    /// How an MCP server is.
    pub struct McpServerStatus {
        /// Its name.
        name: String,
        /// `connected`, `failed`, `needs-auth`, `pending` or `disabled`.
        status: String,
        /// Its own name and version.
        #[serde(rename = "serverInfo")]
        server_info: Option<Value>,
        /// What went wrong.
        error: Option<String>,
        /// How it is configured.
        config: Option<Value>,
        /// How it is reached.
        transport: Option<String>,
        /// Where it is configured.
        scope: Option<String>,
        /// Who configured it; `sdk` for a mounted one.
        source: Option<String>,
        /// Its tools.
        tools: Vec<McpTool>,
    }

    /// A tool of an MCP server.
    pub struct McpTool {
        /// Its name.
        name: String,
        /// What it does.
        description: Option<String>,
        /// Hints about it.
        annotations: Option<Value>,
    }

    /// What bringing files back did or would do.
    pub struct RewindOutcome {
        /// Whether it can be done.
        #[serde(rename = "canRewind")]
        can_rewind: bool,
        /// Why not.
        error: Option<String>,
        /// Which files change.
        #[serde(rename = "filesChanged")]
        files_changed: Vec<String>,
        /// How many lines come.
        insertions: u64,
        /// How many lines go.
        deletions: u64,
        /// How many links were left alone.
        #[serde(rename = "skippedLinks")]
        skipped_links: u64,
    }

    /// How full the context is.
    pub struct ContextUsage {
        /// What fills it.
        categories: Vec<ContextCategory>,
        /// Tokens in all.
        #[serde(rename = "totalTokens")]
        total_tokens: u64,
        /// Tokens that fit.
        #[serde(rename = "maxTokens")]
        max_tokens: u64,
        /// How full, in percent.
        percentage: f64,
        /// The model.
        model: String,
    }

    /// A part of what fills the context.
    pub struct ContextCategory {
        /// Its name.
        name: String,
        /// How many tokens.
        tokens: u64,
        /// `used`, `free`, `buffer` or `deferred`.
        kind: String,
    }

    /// Which CLI it is.
    pub struct BinaryVersion {
        /// Its version.
        version: String,
        /// When it was built.
        #[serde(rename = "buildTime")]
        build_time: Option<String>,
    }

    /// The list inside the answer about servers.
    pub(super) struct McpServerList {
        /// The servers.
        #[serde(rename = "mcpServers")]
        servers: Vec<Typed<McpServerStatus>>,
    }

    /// The list inside the answer about models.
    pub(super) struct ModelList {
        /// The models.
        models: Vec<Typed<ModelInfo>>,
    }

    /// The text inside some answers.
    pub(super) struct TextReply {
        /// Of a side question.
        response: Option<String>,
        /// Of a title.
        title: Option<String>,
        /// Of the cost.
        text: Option<String>,
        /// Of a change of model.
        model: Option<String>,
    }
}
