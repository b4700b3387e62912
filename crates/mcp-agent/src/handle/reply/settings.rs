//! The responses to requests about settings, hooks, permission rules and files.

use serde_json::{Map, Value};

use super::McpServerStatus;
use crate::initialize::AgentInfo;
use crate::message::{PluginInfo, SlashCommand};
use crate::permission::PermissionBehavior;
use crate::wire::view;

view! {
    /// The hooks of the settings, of plugins and of the session, with texts for display.
    pub struct HooksListing {
        /// The events that have hooks.
        events: Vec<HookEventInfo>,
        /// The hooks.
        hooks: Vec<HookInfo>,
        /// All events.
        #[serde(rename = "eventCatalog")]
        event_catalog: Vec<HookEventInfo>,
        /// What the administrator has set.
        policy: HookPolicy,
        /// How hooks run in safe mode. Only set in that mode.
        #[serde(rename = "safeMode")]
        safe_mode: Option<HookMode>,
        /// How hooks run in bare mode. Only set in that mode.
        #[serde(rename = "bareMode")]
        bare_mode: Option<HookMode>,
        /// Settings files that could not be read. Their hooks do not run.
        errors: Option<Vec<SettingsParseError>>,
    }

    /// A hook event.
    pub struct HookEventInfo {
        /// The name of the event.
        name: String,
        /// A description of the event, in one line.
        summary: String,
        /// Whether hooks of the event can have a matcher.
        #[serde(rename = "supportsMatcher")]
        supports_matcher: bool,
        /// The number of hooks of the event. Not set in the list of all events.
        #[serde(rename = "hookCount")]
        hook_count: u64,
    }

    /// A hook.
    pub struct HookInfo {
        /// The name of the event.
        event: String,
        /// The matcher of the hook; empty if it has none.
        matcher: String,
        /// Where the hook is defined.
        source: String,
        /// Where the hook is defined, for display.
        #[serde(rename = "sourceLabel")]
        source_label: String,
        /// The name of the plugin that the hook is part of.
        #[serde(rename = "pluginName")]
        plugin_name: Option<String>,
        /// The type of the hook, for instance `command` or `http`.
        #[serde(rename = "type")]
        kind: String,
        /// The name of the hook, for display.
        #[serde(rename = "displayText")]
        display_text: String,
        /// What the hook runs.
        #[serde(rename = "commandText")]
        command_text: String,
        /// What the command is called, for display.
        #[serde(rename = "contentLabel")]
        content_label: String,
        /// The condition under which the hook runs.
        condition: Option<String>,
        /// The time limit of the hook in seconds.
        timeout: Option<f64>,
        /// The text that is shown while the hook runs.
        #[serde(rename = "statusMessage")]
        status_message: Option<String>,
        /// Whether the hook runs only once.
        #[serde(rename = "runsOnce")]
        runs_once: Option<bool>,
        /// Whether the hook runs in the background.
        #[serde(rename = "runsInBackground")]
        runs_in_background: Option<bool>,
        /// Whether the hook does not run.
        disabled: Option<bool>,
        /// The hook as it is in its settings file, if this session may change it.
        editable: Option<EditableHook>,
    }

    /// A hook as it is in its settings file.
    pub struct EditableHook {
        /// The matcher of the hook; empty if it has none.
        matcher: String,
        /// The definition of the hook in the settings file.
        config: Map<String, Value>,
        /// Whether the values of the hook's HTTP headers were removed.
        #[serde(rename = "headersRedacted")]
        headers_redacted: Option<bool>,
    }

    /// What the administrator has set about hooks.
    pub struct HookPolicy {
        /// Whether no hook runs.
        #[serde(rename = "disabledByPolicy")]
        disabled_by_policy: bool,
        /// Whether only the administrator's hooks run.
        #[serde(rename = "managedOnly")]
        managed_only: bool,
        /// Whether only hooks of plugins run.
        #[serde(rename = "pluginOnly")]
        plugin_only: bool,
        /// Whether any settings file disables all hooks.
        #[serde(rename = "allDisabled")]
        all_disabled: bool,
        /// The number of the administrator's hooks.
        #[serde(rename = "policyHookCount")]
        policy_hook_count: u64,
        /// Whether the administrator's settings could not be read.
        #[serde(rename = "policyUnreadable")]
        policy_unreadable: Option<bool>,
    }

    /// A mode in which hooks do not run.
    pub struct HookMode {
        /// Whether the administrator's hooks run.
        #[serde(rename = "managedHooksStillApply")]
        managed_hooks_still_apply: bool,
        /// How to leave the mode, for display.
        #[serde(rename = "exitHint")]
        exit_hint: String,
    }

    /// Why a settings file could not be read.
    pub struct SettingsParseError {
        /// The path of the settings file.
        file: Option<String>,
        /// The path of the wrong field, with dots; empty for the whole file.
        path: String,
        /// The error message.
        message: String,
    }

    /// The permission rules in effect.
    pub struct PermissionRules {
        /// The rules and directories.
        state: PermissionRulesState,
    }

    /// The permission rules and directories of the session.
    pub struct PermissionRulesState {
        /// The rules.
        rules: Vec<PermissionRuleEntry>,
        /// The directories that tools may access.
        #[serde(rename = "workspaceDirectories")]
        workspace_directories: Vec<WorkspaceDirectory>,
        /// The working directory at the start.
        #[serde(rename = "originalCwd")]
        original_cwd: String,
        /// Whether only the administrator's rules apply.
        #[serde(rename = "managedOnly")]
        managed_only: bool,
        /// The settings files that could not be read.
        errors: Option<Vec<SettingsParseError>>,
        /// Whether parts of the answer were left out, because the connection stores what is sent over it.
        withheld: Option<bool>,
    }

    /// A permission rule.
    pub struct PermissionRuleEntry {
        /// Whether the rule allows, denies or asks.
        behavior: PermissionBehavior,
        /// Where the rule is defined.
        source: String,
        /// The text of the rule.
        rule: String,
        /// The meaning of the rule, for display.
        description: Option<PermissionRuleDescription>,
        /// Whether the rule can be changed: `persistent`, `session` or `readonly`.
        editability: String,
        /// Whether the rule has no effect.
        #[serde(rename = "notInEffect")]
        not_in_effect: Option<bool>,
    }

    /// What a permission rule says, for display: three parts of a sentence.
    pub struct PermissionRuleDescription {
        /// The beginning of the sentence.
        prefix: String,
        /// The part of the sentence to emphasize.
        emphasis: Option<String>,
        /// The end of the sentence.
        suffix: Option<String>,
    }

    /// A directory that tools may access.
    pub struct WorkspaceDirectory {
        /// The path of the directory.
        path: String,
        /// Where the directory is defined.
        source: String,
    }

    /// The end of the output of a background task.
    pub struct TaskOutput {
        /// The end of the output.
        output: String,
        /// The size of the whole output in bytes.
        total_bytes: u64,
        /// Whether the beginning of the output is missing.
        truncated: bool,
    }

    /// The content of a file.
    pub struct FileContents {
        /// The content of the file: text, or base64.
        contents: String,
        /// The absolute path of the file.
        #[serde(rename = "absPath")]
        abs_path: String,
        /// Whether the end of the file is missing.
        truncated: Option<bool>,
        /// The encoding of `contents`: `base64`, or `None` for text.
        encoding: Option<String>,
        /// Whether bytes that are not UTF-8 were replaced.
        lossy: Option<bool>,
    }

    /// What there is after plugins were reloaded.
    pub struct ReloadedPlugins {
        /// The slash commands.
        commands: Vec<SlashCommand>,
        /// The sub-agents.
        agents: Vec<AgentInfo>,
        /// The plugins.
        plugins: Vec<PluginInfo>,
        /// The MCP servers.
        #[serde(rename = "mcpServers")]
        mcp_servers: Vec<McpServerStatus>,
        /// The number of plugins that could not be loaded.
        error_count: u64,
        /// Whether the plugins were not reloaded, because that would change the prompt cache. `None` if the request did
        /// not ask for this check.
        held: Option<bool>,
        /// What reloading would change. Only set if the plugins were not reloaded.
        cache_impact: Option<CacheImpact>,
    }

    /// What reloading plugins would change in the list of tools.
    pub struct CacheImpact {
        /// The MCP servers that would be added.
        mcp_servers_added: Vec<String>,
        /// The MCP servers that would be removed.
        mcp_servers_removed: Vec<String>,
        /// What would happen to the LSP tool: `adds`, `may-add`, `removes` or `may-remove`.
        lsp_tool_change: Option<String>,
    }

    /// The skills after they were reloaded.
    pub struct ReloadedSkills {
        /// The skills.
        skills: Vec<SlashCommand>,
    }

    /// The output styles after they were reloaded.
    pub struct ReloadedOutputStyles {
        /// The names of the output styles.
        available_output_styles: Vec<String>,
    }
}
