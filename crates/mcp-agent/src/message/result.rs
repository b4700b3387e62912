//! The end of a turn.

use std::collections::BTreeMap;

use serde_json::Value;

use super::usage::{ModelUsage, Usage};
use crate::wire::{view, words};

view! {
    /// How a turn ended.
    ///
    /// Look at [`is_error`](Self::is_error) first: when the API fails, the CLI still says `success` in the subtype. A
    /// session does that by itself and gives an [`Error::Turn`](crate::Error::Turn).
    pub struct TurnResult {
        /// How the turn ended.
        subtype: Outcome,
        /// Whether it failed, whatever the subtype says.
        is_error: bool,
        /// The last text of the answer, or of the failure.
        result: Option<String>,
        /// What went wrong, one line each.
        errors: Vec<String>,
        /// Why the turn ended.
        terminal_reason: Option<TerminalReason>,
        /// The HTTP status with which the API failed.
        api_error_status: Option<u16>,
        /// Why the model's last answer stopped.
        stop_reason: Option<String>,
        /// What was asked for with a schema.
        structured_output: Option<Value>,
        /// Tool uses, not requests to the API.
        num_turns: u64,
        /// Which result of this process it is.
        result_index: Option<u64>,
        /// How long it took.
        duration_ms: u64,
        /// How long the API took.
        duration_api_ms: u64,
        /// How long until the first token.
        ttft_ms: Option<u64>,
        /// How long until the first stream event.
        ttft_stream_ms: Option<u64>,
        /// How long until the request was sent.
        time_to_request_ms: Option<u64>,
        /// What it cost so far, in US dollars.
        total_cost_usd: f64,
        /// What was used.
        usage: Usage,
        /// What was used of each model so far.
        #[serde(rename = "modelUsage")]
        model_usage: BTreeMap<String, ModelUsage>,
        /// Tools that were refused.
        permission_denials: Vec<Denial>,
        /// A tool use that a hook deferred.
        deferred_tool_use: Option<DeferredToolUse>,
        /// How many prompts wait.
        queued_turn_count: Option<u64>,
        /// Whether a slash command answered without the model.
        local_command: Option<Value>,
        /// The prompt that was answered.
        user_message_uuid: Option<String>,
        /// The prompts that were answered, when several were taken together.
        user_message_uuids: Option<Vec<String>>,
        /// Why the turn was resumed.
        resume_reason: Option<String>,
        /// Why the CLI could not start.
        startup_failure_reason: Option<String>,
        /// The configuration file that is invalid.
        invalid_config_file: Option<String>,
        /// When the credentials expire.
        credential_expires_at: Option<Value>,
        /// Whether fast mode is on.
        fast_mode_state: Option<String>,
        /// Why fast mode is off.
        fast_mode_disabled_reason: Option<String>,
        /// Where the prompt came from.
        origin: Option<Value>,
        /// How many sub-agents there were and how they fared.
        subagent_stats: Option<Value>,
    }

    /// A tool that was refused.
    pub struct Denial {
        /// The tool.
        tool_name: String,
        /// The tool use.
        tool_use_id: String,
        /// Its arguments.
        tool_input: Value,
    }

    /// A tool use that a hook deferred.
    pub struct DeferredToolUse {
        /// The tool use.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        input: Value,
    }
}

words! {
    /// How a turn ended, by the subtype of its result.
    pub enum Outcome {
        /// To its end; but see [`TurnResult::is_error`].
        Success = "success",
        /// It broke off, for instance by an interrupt.
        ErrorDuringExecution = "error_during_execution",
        /// It came to the limit of turns.
        ErrorMaxTurns = "error_max_turns",
        /// It came to the limit of cost.
        ErrorMaxBudgetUsd = "error_max_budget_usd",
        /// The model did not manage to give what the schema asks.
        ErrorMaxStructuredOutputRetries = "error_max_structured_output_retries",
    }

    /// Why a turn ended.
    pub enum TerminalReason {
        /// The model was done.
        Completed = "completed",
        /// The API failed.
        ApiError = "api_error",
        /// The prompt was too long.
        PromptTooLong = "prompt_too_long",
        /// A limit of the account.
        BlockingLimit = "blocking_limit",
        /// The context filled up again and again.
        RapidRefillBreaker = "rapid_refill_breaker",
        /// An image was refused.
        ImageError = "image_error",
        /// The model failed.
        ModelError = "model_error",
        /// The model wrote tool uses that nobody can read, too often.
        MalformedToolUseExhausted = "malformed_tool_use_exhausted",
        /// It was interrupted while the model answered.
        AbortedStreaming = "aborted_streaming",
        /// It was interrupted while tools ran or waited for permission.
        AbortedTools = "aborted_tools",
        /// A stop hook prevented it from going on.
        StopHookPrevented = "stop_hook_prevented",
        /// A hook ended it.
        HookStopped = "hook_stopped",
        /// A hook deferred a tool use.
        ToolDeferred = "tool_deferred",
        /// A deferred tool use is not available.
        ToolDeferredUnavailable = "tool_deferred_unavailable",
        /// The limit of turns.
        MaxTurns = "max_turns",
        /// The limit of cost.
        BudgetExhausted = "budget_exhausted",
        /// The schema was not met.
        StructuredOutputRetryExhausted = "structured_output_retry_exhausted",
        /// It goes on in the background.
        BackgroundRequested = "background_requested",
        /// It could not even begin.
        TurnSetupFailed = "turn_setup_failed",
    }
}

impl TurnResult {
    /// Whether somebody broke the turn off: an interrupt, or a denial that interrupts.
    pub fn interrupted(&self) -> bool {
        matches!(self.terminal_reason, Some(TerminalReason::AbortedStreaming | TerminalReason::AbortedTools))
    }
}
