//! Other messages: hooks, notifications, permissions, goals.

use serde_json::Value;

use crate::wire::view;

view! {
    /// The output of a local slash command.
    pub struct LocalCommandOutput {
        /// The text.
        content: String,
    }

    /// A hook of the settings started.
    pub struct HookStarted {
        /// The id of this run of the hook.
        hook_id: String,
        /// The name of the hook.
        hook_name: String,
        /// The event.
        hook_event: String,
    }

    /// A hook of the settings produced output.
    pub struct HookProgress {
        /// The id of this run of the hook.
        hook_id: String,
        /// The name of the hook.
        hook_name: String,
        /// The event.
        hook_event: String,
        /// Its standard output.
        stdout: String,
        /// Its standard error.
        stderr: String,
        /// Standard output and standard error together.
        output: String,
    }

    /// A hook of the settings finished.
    pub struct HookResponse {
        /// The id of this run of the hook.
        hook_id: String,
        /// The name of the hook.
        hook_name: String,
        /// The event.
        hook_event: String,
        /// Standard output and standard error together.
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
        /// The status of the installation.
        status: String,
        /// The plugin.
        name: Option<String>,
        /// The error message.
        error: Option<String>,
    }

    /// A notification to show to the user.
    pub struct Notification {
        /// A key; a later notification with the same key replaces this one.
        key: String,
        /// The text.
        text: String,
        /// `low`, `medium`, `high` or `immediate`.
        priority: String,
        /// A colour.
        color: Option<String>,
        /// How long to show it.
        timeout_ms: Option<u64>,
    }

    /// An elicitation by URL was completed.
    pub struct ElicitationComplete {
        /// The name of the server.
        mcp_server_name: String,
        /// The id of the elicitation.
        elicitation_id: String,
    }

    /// A tool use was denied without asking for permission.
    pub struct PermissionDenied {
        /// The tool.
        tool_name: String,
        /// The id of the tool use.
        tool_use_id: String,
        /// The id of the sub-agent.
        agent_id: Option<String>,
        /// The kind of reason.
        decision_reason_type: Option<String>,
        /// The reason.
        decision_reason: Option<String>,
        /// The message that the model is given.
        message: String,
    }

    /// A suggestion for the next prompt.
    pub struct PromptSuggestion {
        /// The text.
        suggestion: String,
    }

    /// General information.
    pub struct Informational {
        /// The text.
        content: String,
        /// `info`, `notice`, `suggestion` or `warning`.
        level: String,
        /// The id of the related tool use.
        tool_use_id: Option<String>,
        /// Whether it ends the turn.
        prevent_continuation: Option<bool>,
        /// The topic, for instance `hook_callback_failed`.
        tag: Option<String>,
    }

    /// The conversation was reset.
    pub struct ConversationReset {
        /// Its new id.
        new_conversation_id: String,
        /// The cause.
        trigger: Option<String>,
        /// The id of the prompt.
        user_message_uuid: Option<String>,
        /// The time, in ISO 8601.
        timestamp: Option<String>,
    }

    /// The goal of the session.
    pub struct ActiveGoal {
        /// The goal, or `None`.
        value: Option<Goal>,
    }

    /// A goal.
    pub struct Goal {
        /// The condition that is to be reached.
        condition: String,
        /// The number of attempts.
        iterations: u64,
        /// When it was set, in milliseconds since 1970.
        set_at: f64,
        /// The number of tokens used before it was set.
        tokens_at_start: u64,
        /// Why it is not reached yet.
        last_reason: Option<String>,
    }

    /// When the conversation will be compacted automatically.
    pub struct AutocompactState {
        /// Whether automatic compaction is on, and its threshold.
        value: Option<Value>,
    }
}
