//! What else the CLI tells.

use serde_json::Value;

use super::conversation::AssistantError;
use crate::wire::view;

view! {
    /// A failed request to the model is tried again.
    pub struct ApiRetry {
        /// Which attempt failed.
        attempt: u64,
        /// How many there may be.
        max_retries: u64,
        /// How long until the next.
        retry_delay_ms: f64,
        /// The HTTP status, if there was an answer.
        error_status: Option<u16>,
        /// What went wrong.
        error: AssistantError,
        /// How long was waited in vain.
        no_response: Option<Value>,
    }

    /// The model refused and another one took over.
    pub struct ModelRefusalFallback {
        /// What caused it.
        trigger: String,
        /// `retry`, `revert` or `sticky`.
        direction: String,
        /// For the session or only here.
        scope: Option<String>,
        /// The model that refused.
        original_model: String,
        /// The model that took over.
        fallback_model: String,
        /// The request at the API.
        request_id: Option<String>,
        /// Why, as a category.
        api_refusal_category: Option<String>,
        /// Why, in words.
        api_refusal_explanation: Option<String>,
        /// Messages that no longer count.
        retracted_message_uuids: Option<Vec<String>>,
        /// The prompt.
        refused_user_message_uuid: Option<String>,
        /// What to tell a person.
        content: String,
    }

    /// The model refused and no other one took over.
    pub struct ModelRefusalNoFallback {
        /// The model that refused.
        original_model: String,
        /// The request at the API.
        request_id: Option<String>,
        /// Why, as a category.
        api_refusal_category: Option<String>,
        /// Why, in words.
        api_refusal_explanation: Option<String>,
        /// The prompt.
        refused_user_message_uuid: Option<String>,
        /// What to tell a person.
        content: String,
    }

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

    /// How signing in proceeds.
    pub struct AuthStatus {
        /// Whether it is going on.
        #[serde(rename = "isAuthenticating")]
        is_authenticating: bool,
        /// What to show a person.
        output: Vec<String>,
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

    /// Files were stored.
    pub struct FilesPersisted {
        /// These.
        files: Vec<PersistedFile>,
        /// These were not.
        failed: Vec<FailedFile>,
        /// When.
        processed_at: String,
    }

    /// A stored file.
    pub struct PersistedFile {
        /// Its name.
        filename: String,
        /// Its id at the API.
        file_id: String,
    }

    /// A file that was not stored.
    pub struct FailedFile {
        /// Its name.
        filename: String,
        /// Why.
        error: String,
    }

    /// Memories were recalled.
    pub struct MemoryRecall {
        /// `select` or `synthesize`.
        mode: String,
        /// The memories.
        memories: Vec<Memory>,
    }

    /// A memory.
    pub struct Memory {
        /// Where it is.
        path: String,
        /// Whose it is.
        scope: String,
        /// What it says.
        content: Option<String>,
    }

    /// Where the account stands with its rate limits.
    pub struct RateLimit {
        /// The details.
        rate_limit_info: RateLimitInfo,
    }

    /// The details of a rate limit.
    pub struct RateLimitInfo {
        /// `allowed`, `allowed_warning` or `rejected`.
        status: String,
        /// When it starts anew, in seconds since 1970.
        #[serde(rename = "resetsAt")]
        resets_at: Option<f64>,
        /// Which limit.
        #[serde(rename = "rateLimitType")]
        rate_limit_type: Option<String>,
        /// How much of it is used.
        utilization: Option<f64>,
        /// How it is with paying for more.
        #[serde(rename = "overageStatus")]
        overage_status: Option<String>,
        /// Whether more is being paid for.
        #[serde(rename = "isUsingOverage")]
        is_using_overage: Option<bool>,
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

    /// The transcript could not be mirrored.
    pub struct MirrorError {
        /// Why.
        error: String,
        /// Which piece.
        key: Value,
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

    /// The disk is full and something was lost.
    pub struct SessionWritesLost {
        /// What the system said, for instance `ENOSPC`.
        error_code: String,
        /// What was lost.
        lost: Vec<String>,
        /// Whose transcripts.
        transcript_session_ids: Option<Vec<String>>,
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

    /// A piece of the transcript, for who keeps a copy.
    pub struct TranscriptMirror {
        /// The file that it belongs to.
        #[serde(rename = "filePath")]
        file_path: Option<String>,
        /// Its lines.
        entries: Vec<Value>,
    }

    /// When the conversation will be compacted.
    pub struct AutocompactState {
        /// Whether it will be by itself, and at what size.
        value: Option<Value>,
    }
}
