//! Events of the conversation.

use serde_json::Value;

use super::{HookEvent, events};
use crate::hook::specific::{
    ContextOutput, DisplayOutput, NoOutput, PreModelSwitchOutput, PromptOutput, SessionStartOutput,
};
use crate::wire::view;

events! {
    /// A prompt came.
    UserPromptSubmit -> PromptOutput {
        /// Its text.
        prompt: String,
        /// Where it comes from.
        source: Option<String>,
        /// The session's title.
        session_title: Option<String>,
    }
    /// A slash command becomes a prompt.
    UserPromptExpansion -> PromptOutput {
        /// What kind of expansion.
        expansion_type: String,
        /// The command.
        command_name: String,
        /// What was written after it.
        command_args: String,
        /// Where the command comes from.
        command_source: Option<String>,
        /// The prompt.
        prompt: String,
    }
    /// Text is shown.
    MessageDisplay -> DisplayOutput {
        /// The turn.
        turn_id: String,
        /// The message.
        message_id: String,
        /// Which piece of it.
        index: u64,
        /// Whether it is the last.
        #[serde(rename = "final")]
        is_final: bool,
        /// The text.
        delta: String,
    }
    /// A notification for the user.
    Notification -> ContextOutput {
        /// Its text.
        message: String,
        /// Its title.
        title: Option<String>,
        /// Its kind.
        notification_type: String,
    }
    /// The model is done.
    Stop -> ContextOutput {
        /// Whether a hook already kept it going.
        stop_hook_active: bool,
        /// What it said last.
        last_assistant_message: Option<String>,
        /// Tasks that go on.
        background_tasks: Option<Vec<Value>>,
        /// Timers of the session.
        session_crons: Option<Vec<Value>>,
    }
    /// The turn ended with an error.
    StopFailure -> NoOutput {
        /// What kind.
        error: String,
        /// In words.
        error_details: Option<String>,
        /// What the model said last.
        last_assistant_message: Option<String>,
    }
    /// A session starts. The CLI tells callbacks only after `/clear` and compaction, not at its own start.
    SessionStart -> SessionStartOutput {
        /// Why.
        source: String,
        /// The model.
        model: Option<String>,
        /// The session's title.
        session_title: Option<String>,
        /// How long ago the last answer was.
        seconds_since_last_response: Option<f64>,
        /// How full the context is.
        context_tokens: Option<u64>,
        /// Whether the prompt cache is cold.
        prompt_cache_likely_expired: Option<bool>,
        /// What it costs to fill it.
        estimated_cache_write_usd: Option<f64>,
    }
    /// A session ends. The CLI tells callbacks only at `/clear`.
    SessionEnd -> NoOutput {
        /// Why.
        reason: String,
    }
    /// The conversation is to be compacted.
    PreCompact -> NoOutput {
        /// `manual` or `auto`.
        trigger: String,
        /// What to keep.
        custom_instructions: Option<String>,
    }
    /// The conversation was compacted.
    PostCompact -> NoOutput {
        /// `manual` or `auto`.
        trigger: String,
        /// What is left of it.
        compact_summary: String,
    }
    /// The model is to be changed.
    PreModelSwitch -> PreModelSwitchOutput {
        /// From.
        from_model: String,
        /// To.
        to_model: String,
        /// As it was asked for.
        requested_model: Option<String>,
        /// By whom.
        source: String,
        /// How full the context is.
        context_tokens: u64,
        /// Whether the prompt cache is warm.
        prompt_cache_warm: bool,
        /// How long the cache holds.
        cache_ttl: String,
        /// What it costs to fill it again.
        estimated_cache_write_usd: f64,
        /// Where the price comes from.
        pricing: String,
    }
    /// The model was changed.
    PostModelSwitch -> ContextOutput {
        /// From.
        from_model: String,
        /// To.
        to_model: String,
        /// As it was asked for.
        requested_model: Option<String>,
        /// By whom.
        source: String,
        /// How full the context is.
        context_tokens: u64,
        /// Whether the prompt cache is warm.
        prompt_cache_warm: bool,
        /// How long the cache holds.
        cache_ttl: String,
        /// What it costs to fill it again.
        estimated_cache_write_usd: f64,
        /// Where the price comes from.
        pricing: String,
    }
}
