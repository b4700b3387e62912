//! Events of the conversation.

use super::{HookEvent, events};
use crate::hook::call::{SessionCron, TaskSummary};
use crate::hook::event_output::{
    ContextOutput, DisplayOutput, NoOutput, PreModelSwitchOutput, PromptOutput, SessionStartOutput,
};
use crate::wire::view;

/// The values of [`SessionEnd::reason`].
pub const EXIT_REASONS: [&str; 5] = ["clear", "resume", "logout", "prompt_input_exit", "other"];

events! {
    /// A prompt was sent.
    UserPromptSubmit -> PromptOutput {
        /// The text of the prompt.
        prompt: String,
        /// The source of the prompt.
        source: Option<String>,
        /// The title of the session.
        session_title: Option<String>,
    }
    /// A slash command is expanded to a prompt.
    UserPromptExpansion -> PromptOutput {
        /// The type of expansion.
        expansion_type: String,
        /// The name of the command.
        command_name: String,
        /// The arguments of the command.
        command_args: String,
        /// The source of the command.
        command_source: Option<String>,
        /// The prompt that the command is expanded to.
        prompt: String,
    }
    /// A part of an answer is displayed.
    MessageDisplay -> DisplayOutput {
        /// The id of the turn.
        turn_id: String,
        /// The id of the message.
        message_id: String,
        /// The index of this part of the message.
        index: u64,
        /// Whether this is the last part of the message.
        #[serde(rename = "final")]
        is_final: bool,
        /// The text of this part.
        delta: String,
    }
    /// A notification for the user.
    Notification -> ContextOutput {
        /// The text of the notification.
        message: String,
        /// The title of the notification.
        title: Option<String>,
        /// The type of the notification.
        notification_type: String,
    }
    /// The model is about to end its turn.
    Stop -> ContextOutput {
        /// Whether a hook has already prevented a stop in this turn.
        stop_hook_active: bool,
        /// The last message of the model.
        last_assistant_message: Option<String>,
        /// Background tasks that are still running.
        background_tasks: Option<Vec<TaskSummary>>,
        /// Scheduled jobs of the session.
        session_crons: Option<Vec<SessionCron>>,
    }
    /// The turn ended with an error.
    StopFailure -> NoOutput {
        /// The kind of error.
        error: String,
        /// The error message.
        error_details: Option<String>,
        /// The last message of the model.
        last_assistant_message: Option<String>,
    }
    /// A session starts. The CLI calls callbacks only after `/clear` and compaction, not at its own start.
    SessionStart -> SessionStartOutput {
        /// What started the session.
        source: String,
        /// The name of the model.
        model: Option<String>,
        /// The title of the session.
        session_title: Option<String>,
        /// The time since the last answer of the model, in seconds.
        seconds_since_last_response: Option<f64>,
        /// The number of tokens in the context window of the model.
        context_tokens: Option<u64>,
        /// Whether the prompt cache has probably expired.
        prompt_cache_likely_expired: Option<bool>,
        /// The estimated cost of writing the prompt cache, in US dollars.
        estimated_cache_write_usd: Option<f64>,
    }
    /// A session ends. The CLI calls callbacks only at `/clear`.
    SessionEnd -> NoOutput {
        /// Why the session ends, one of [`EXIT_REASONS`].
        reason: String,
    }
    /// The conversation is about to be compacted.
    PreCompact -> NoOutput {
        /// What caused the compaction: `manual` or `auto`.
        trigger: String,
        /// Instructions for the summary.
        custom_instructions: Option<String>,
    }
    /// The conversation was compacted.
    PostCompact -> NoOutput {
        /// What caused the compaction: `manual` or `auto`.
        trigger: String,
        /// The summary of the conversation.
        compact_summary: String,
    }
    /// The model is about to be changed.
    PreModelSwitch -> PreModelSwitchOutput {
        /// The old model.
        from_model: String,
        /// The new model.
        to_model: String,
        /// The model as it was requested.
        requested_model: Option<String>,
        /// Who requested the change.
        source: String,
        /// The number of tokens in the context window of the model.
        context_tokens: u64,
        /// Whether the prompt cache can still be used.
        prompt_cache_warm: bool,
        /// How long entries of the prompt cache are kept.
        cache_ttl: String,
        /// The estimated cost of writing the prompt cache again, in US dollars.
        estimated_cache_write_usd: f64,
        /// The source of the price that the estimate uses.
        pricing: String,
    }
    /// The model was changed.
    PostModelSwitch -> ContextOutput {
        /// The old model.
        from_model: String,
        /// The new model.
        to_model: String,
        /// The model as it was requested.
        requested_model: Option<String>,
        /// Who requested the change.
        source: String,
        /// The number of tokens in the context window of the model.
        context_tokens: u64,
        /// Whether the prompt cache can still be used.
        prompt_cache_warm: bool,
        /// How long entries of the prompt cache are kept.
        cache_ttl: String,
        /// The estimated cost of writing the prompt cache again, in US dollars.
        estimated_cache_write_usd: f64,
        /// The source of the price that the estimate uses.
        pricing: String,
    }
}
