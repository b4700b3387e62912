//! What else the CLI tells.

use serde_json::Value;

use crate::wire::view;

view! {
    /// What a local slash command printed.
    pub struct LocalCommandOutput {
        /// The text.
        content: String,
    }

    /// A hook of the settings started.
    pub struct HookStarted {
        /// This run.
        hook_id: String,
        /// The hook.
        hook_name: String,
        /// The event.
        hook_event: String,
    }

    /// A hook of the settings printed something.
    pub struct HookProgress {
        /// This run.
        hook_id: String,
        /// The hook.
        hook_name: String,
        /// The event.
        hook_event: String,
        /// Its standard output.
        stdout: String,
        /// Its standard error.
        stderr: String,
        /// Both.
        output: String,
    }

    /// A hook of the settings finished.
    pub struct HookResponse {
        /// This run.
        hook_id: String,
        /// The hook.
        hook_name: String,
        /// The event.
        hook_event: String,
        /// Both streams.
        output: String,
        /// Its standard output.
        stdout: String,
        /// Its standard error.
        stderr: String,
        /// Its exit code.
        exit_code: Option<i32>,
        /// `success`, `error` or `cancelled`.
        outcome: String,
    }

    /// A plugin is being installed.
    pub struct PluginInstall {
        /// How far it is.
        status: String,
        /// The plugin.
        name: Option<String>,
        /// What went wrong.
        error: Option<String>,
    }

    /// Something for a person to see.
    pub struct Notification {
        /// What replaces an earlier one of the same key.
        key: String,
        /// The text.
        text: String,
        /// `low`, `medium`, `high` or `immediate`.
        priority: String,
        /// A colour.
        color: Option<String>,
        /// For how long.
        timeout_ms: Option<u64>,
    }

    /// An elicitation by URL was completed.
    pub struct ElicitationComplete {
        /// The server that asked.
        mcp_server_name: String,
        /// The elicitation.
        elicitation_id: String,
    }

    /// A tool was refused without anybody being asked.
    pub struct PermissionDenied {
        /// The tool.
        tool_name: String,
        /// The tool use.
        tool_use_id: String,
        /// The sub-agent.
        agent_id: Option<String>,
        /// What decided.
        decision_reason_type: Option<String>,
        /// Why.
        decision_reason: Option<String>,
        /// What the model is told.
        message: String,
    }

    /// What the user might say next.
    pub struct PromptSuggestion {
        /// The text.
        suggestion: String,
    }

    /// Something to know.
    pub struct Informational {
        /// The text.
        content: String,
        /// `info`, `notice`, `suggestion` or `warning`.
        level: String,
        /// The tool use that it is about.
        tool_use_id: Option<String>,
        /// Whether the turn ends here.
        prevent_continuation: Option<bool>,
        /// What it is about, for instance `hook_callback_failed`.
        tag: Option<String>,
    }

    /// The conversation starts anew.
    pub struct ConversationReset {
        /// Its new id.
        new_conversation_id: String,
        /// Why.
        trigger: Option<String>,
        /// The prompt.
        user_message_uuid: Option<String>,
        /// When, in ISO 8601.
        timestamp: Option<String>,
    }

    /// The goal that the session pursues.
    pub struct ActiveGoal {
        /// The goal, or that there is none.
        value: Option<Goal>,
    }

    /// A goal.
    pub struct Goal {
        /// When it is reached.
        condition: String,
        /// How often it was tried.
        iterations: u64,
        /// Since when, in milliseconds since 1970.
        set_at: f64,
        /// Tokens used before.
        tokens_at_start: u64,
        /// Why it is not reached yet.
        last_reason: Option<String>,
    }

    /// When the conversation will be compacted.
    pub struct AutocompactState {
        /// Whether it will be by itself, and at what size.
        value: Option<Value>,
    }
}
