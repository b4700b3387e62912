//! Settings of the CLI as typed values.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Map, Value};

use super::sandbox::SandboxSettings;
use super::settings;
use crate::options::Effort;
use crate::permission::PermissionMode;

settings! {
    /// Settings of the CLI, for [`Agent::settings`](crate::Agent::settings) and
    /// [`Agent::managed_settings`](crate::Agent::managed_settings).
    ///
    /// The fields are those that matter to a program. Any other setting is set with [`with`](Self::with).
    ///
    /// ```
    /// # use mcp_agent::settings::{PermissionSettings, SessionSettings};
    /// let permissions = PermissionSettings::new().deny(["Read(.env)".to_owned()]);
    /// SessionSettings::new().language("french").permissions(permissions).with("outputStyle", "Concise");
    /// ```
    pub struct SessionSettings {
        /// A command that prints the API key.
        api_key_helper: String,
        /// A command that prints credentials of AWS.
        aws_credential_export: String,
        /// A command that renews the sign-in to AWS.
        aws_auth_refresh: String,
        /// A command that renews the sign-in to Google Cloud.
        gcp_auth_refresh: String,
        /// A command that prints headers for OpenTelemetry.
        otel_headers_helper: String,
        /// For how many days sessions are kept.
        cleanup_period_days: u32,
        /// Environment variables for the CLI and its commands.
        env: BTreeMap<String, String>,
        /// What the model adds to commits and pull requests.
        attribution: AttributionSettings,
        /// Whether the system prompt explains how to use git.
        include_git_instructions: bool,
        /// The permission rules.
        permissions: PermissionSettings,
        /// The name of the model.
        model: String,
        /// The models to use if the first one is overloaded.
        fallback_model: Vec<String>,
        /// The models that the user can select.
        available_models: Vec<String>,
        /// The models that the user cannot select. Only in managed settings.
        denied_models: Vec<String>,
        /// The names that a provider has for models.
        model_overrides: BTreeMap<String, String>,
        /// Whether all MCP servers of projects are approved.
        enable_all_project_mcp_servers: bool,
        /// The MCP servers of the project that are approved.
        enabled_mcpjson_servers: Vec<String>,
        /// The MCP servers of the project that are rejected.
        disabled_mcpjson_servers: Vec<String>,
        /// The MCP servers that may be configured. Only in managed settings.
        allowed_mcp_servers: Vec<Map<String, Value>>,
        /// The MCP servers that may not be configured. Only in managed settings.
        denied_mcp_servers: Vec<Map<String, Value>>,
        /// Hooks: lists of matchers, by event.
        hooks: Map<String, Value>,
        /// Whether no hook runs.
        disable_all_hooks: bool,
        /// Whether only the administrator's hooks run. Only in managed settings.
        allow_managed_hooks_only: bool,
        /// Whether only the administrator's permission rules apply. Only in managed settings.
        allow_managed_permission_rules_only: bool,
        /// Whether only the administrator's MCP servers are used. Only in managed settings.
        allow_managed_mcp_servers_only: bool,
        /// The settings of worktrees.
        worktree: WorktreeSettings,
        /// Whether the tool for workflows is available.
        enable_workflows: bool,
        /// Whether artifacts are available.
        enable_artifact: bool,
        /// The shell of commands: `bash` or `powershell`.
        default_shell: String,
        /// How many characters of the output of a command the model gets.
        bash_output_max_chars: u64,
        /// Plugins that are enabled or disabled, by name.
        enabled_plugins: Map<String, Value>,
        /// More marketplaces of plugins, by name.
        extra_known_marketplaces: Map<String, Value>,
        /// The output style.
        output_style: String,
        /// The language of the answers.
        language: String,
        /// The sandbox for commands.
        sandbox: SandboxSettings,
        /// How long prompts are cached: `5m` or `1h`.
        prompt_cache_ttl: String,
        /// Whether the model always thinks.
        always_thinking_enabled: bool,
        /// The effort level of the model.
        effort_level: Effort,
        /// The highest effort level of the model.
        max_effort_level: Effort,
        /// The number of tokens at which the conversation is compacted.
        auto_compact_window: u64,
        /// Whether the conversation is compacted automatically.
        auto_compact_enabled: bool,
        /// Whether fast mode is on.
        fast_mode: bool,
        /// Whether the next prompt is suggested.
        prompt_suggestion_enabled: bool,
        /// The name of the main agent.
        agent: String,
        /// The folder for plans.
        plans_directory: PathBuf,
        /// Whether memories are written.
        auto_memory_enabled: bool,
        /// The folder for memories.
        auto_memory_directory: PathBuf,
        /// Files with instructions that are left out, as patterns.
        claude_md_excludes: Vec<String>,
        /// Whether file checkpoints are made.
        file_checkpointing_enabled: bool,
        /// `disable` to disallow the permission mode `auto`.
        disable_auto_mode: String,
    }

    /// Permission rules, the permission mode, and directories.
    pub struct PermissionSettings {
        /// Rules for tool uses that need no permission.
        allow: Vec<String>,
        /// Rules for tool uses that are denied.
        deny: Vec<String>,
        /// Rules for tool uses that need permission.
        ask: Vec<String>,
        /// The permission mode at the start.
        default_mode: PermissionMode,
        /// `disable` to disallow the permission mode `bypassPermissions`.
        disable_bypass_permissions_mode: String,
        /// `disable` to disallow the permission mode `auto`.
        disable_auto_mode: String,
        /// Directories that tools may access, besides the working directory.
        additional_directories: Vec<PathBuf>,
        /// Whether tool uses are denied that need permission.
        deny_instead_of_prompting: bool,
        /// Whether tools may not read outside of these directories.
        block_reads_outside_working_directories: bool,
        /// Whether tools may not write outside of these directories.
        block_writes_outside_working_directories: bool,
    }

    /// What the model adds to commits and pull requests.
    pub struct AttributionSettings {
        /// The text for commits; empty for none.
        commit: String,
        /// The text for pull requests; empty for none.
        pr: String,
    }

    /// Worktrees.
    pub struct WorktreeSettings {
        /// Folders that are linked in place of being copied.
        symlink_directories: Vec<String>,
        /// The folders that are checked out; all if empty.
        sparse_paths: Vec<String>,
    }
}
