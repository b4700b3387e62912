//! Other messages: hooks, notifications, permissions, goals.

use serde_json::Value;

use crate::wire::view;

view! {
    /// The output of a local slash command.
    pub struct LocalCommandOutput {
        /// The text of the output.
        content: String,
    }

    /// A hook of the settings started.
    pub struct HookStarted {
        /// The id of this run of the hook.
        hook_id: String,
        /// The name of the hook.
        hook_name: String,
        /// The name of the event.
        hook_event: String,
    }

    /// A hook of the settings produced output.
    pub struct HookProgress {
        /// The id of this run of the hook.
        hook_id: String,
        /// The name of the hook.
        hook_name: String,
        /// The name of the event.
        hook_event: String,
        /// The standard output of the hook.
        stdout: String,
        /// The standard error of the hook.
        stderr: String,
        /// Standard output and standard error of the hook together.
        output: String,
    }

    /// A hook of the settings finished.
    pub struct HookResponse {
        /// The id of this run of the hook.
        hook_id: String,
        /// The name of the hook.
        hook_name: String,
        /// The name of the event.
        hook_event: String,
        /// Standard output and standard error of the hook together.
        output: String,
        /// The standard output of the hook.
        stdout: String,
        /// The standard error of the hook.
        stderr: String,
        /// The exit code of the hook.
        exit_code: Option<i32>,
        /// How the hook ended: `success`, `error` or `cancelled`.
        outcome: String,
    }

    /// A plugin is being installed.
    pub struct PluginInstall {
        /// The status of the installation.
        status: String,
        /// The name of the plugin.
        name: Option<String>,
        /// The error message.
        error: Option<String>,
    }

    /// A notification to show to the user.
    pub struct Notification {
        /// A key of the notification. A later notification with the same key replaces this one.
        key: String,
        /// The text of the notification.
        text: String,
        /// The priority: `low`, `medium`, `high` or `immediate`.
        priority: String,
        /// The colour of the notification.
        color: Option<String>,
        /// How long to show the notification, in milliseconds.
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
        /// The name of the tool.
        tool_name: String,
        /// The id of the tool use.
        tool_use_id: String,
        /// The id of the sub-agent, if one wanted to use the tool.
        agent_id: Option<String>,
        /// The kind of reason for the denial.
        decision_reason_type: Option<String>,
        /// The reason for the denial.
        decision_reason: Option<String>,
        /// The message that the model receives.
        message: String,
    }

    /// A suggestion for the next prompt.
    pub struct PromptSuggestion {
        /// The text of the suggested prompt.
        suggestion: String,
    }

    /// General information.
    pub struct Informational {
        /// The text of the message.
        content: String,
        /// The level: `info`, `notice`, `suggestion` or `warning`.
        level: String,
        /// The id of the related tool use.
        tool_use_id: Option<String>,
        /// Whether the message ends the turn.
        prevent_continuation: Option<bool>,
        /// The topic, for instance `hook_callback_failed`.
        tag: Option<String>,
    }

    /// The conversation was reset.
    pub struct ConversationReset {
        /// The new id of the conversation.
        new_conversation_id: String,
        /// What caused the reset.
        trigger: Option<String>,
        /// The id of the prompt that caused the reset.
        user_message_uuid: Option<String>,
        /// The time of the reset, in ISO 8601.
        timestamp: Option<String>,
    }

    /// The goal of the session.
    pub struct ActiveGoal {
        /// The goal; `None` if the session has none.
        value: Option<Goal>,
    }

    /// A goal.
    pub struct Goal {
        /// The condition that is to be reached.
        condition: String,
        /// The number of attempts to reach the goal.
        iterations: u64,
        /// When the goal was set, in milliseconds since 1970.
        set_at: f64,
        /// The number of tokens that were used before the goal was set.
        tokens_at_start: u64,
        /// Why the goal is not reached yet.
        last_reason: Option<String>,
    }

    /// When the conversation will be compacted automatically.
    pub struct AutocompactState {
        /// Whether automatic compaction is on, and its threshold.
        value: Option<Value>,
    }
}
