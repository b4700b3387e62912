//! The end of a turn.

use std::collections::BTreeMap;

use serde_json::Value;

use super::detail::{InvalidConfigFile, PromptOrigin};
use super::usage::{ModelUsage, Usage};
use crate::wire::{Members, view, words};

view! {
    /// The result of a turn.
    ///
    /// Check [`is_error`](Self::is_error) first: if the API fails, the CLI still reports `success` as the subtype. A
    /// session does this check and returns an [`Error::Turn`](crate::Error::Turn).
    pub struct TurnResult checked by TurnResult::check {
        /// How the turn ended.
        subtype: Outcome,
        /// The id of the session.
        session_id: Option<String>,
        /// Whether the turn failed, regardless of the subtype. Also true if the CLI reports neither true nor false.
        is_error: bool,
        /// The last text of the answer, or the error text.
        result: Option<String>,
        /// The error messages.
        errors: Vec<String>,
        /// Why the turn ended.
        terminal_reason: Option<TerminalReason>,
        /// The HTTP status of the failed API request.
        api_error_status: Option<u16>,
        /// The stop reason of the last answer.
        stop_reason: Option<String>,
        /// The structured output, if a schema was set.
        structured_output: Option<Value>,
        /// The number of tool uses. It is not the number of API requests.
        num_turns: u64,
        /// The index of this result in its process.
        result_index: Option<u64>,
        /// The duration of the turn in milliseconds.
        duration_ms: u64,
        /// The time spent in API requests, in milliseconds.
        duration_api_ms: u64,
        /// The time to the first token, in milliseconds.
        ttft_ms: Option<u64>,
        /// The time to the first stream event, in milliseconds.
        ttft_stream_ms: Option<u64>,
        /// The time to the first API request, in milliseconds.
        time_to_request_ms: Option<u64>,
        /// When the first API request was sent, in milliseconds since 1970.
        request_sent_wall_ms: Option<u64>,
        /// The time to the first frame with content, in milliseconds.
        first_content_frame_ms: Option<u64>,
        /// The time to the first event that was posted to a remote session, in milliseconds.
        first_stream_post_ms: Option<u64>,
        /// The time until the first posted event was acknowledged, in milliseconds.
        first_stream_post_ack_ms: Option<u64>,
        /// How long the first posted event waited in the queue, in milliseconds.
        first_stream_post_queue_wait_ms: Option<u64>,
        /// How many events were in the queue before the first posted event.
        first_stream_post_queued_behind: Option<u64>,
        /// When the first event was posted, in milliseconds since 1970.
        first_stream_post_wall_ms: Option<u64>,
        /// The time to the first text that was posted to a remote session, in milliseconds.
        first_text_post_ms: Option<u64>,
        /// How long the first posted text waited in the queue, in milliseconds.
        first_text_post_queue_wait_ms: Option<u64>,
        /// How many events were in the queue before the first posted text.
        first_text_post_queued_behind: Option<u64>,
        /// When the first text was posted, in milliseconds since 1970.
        first_text_post_wall_ms: Option<u64>,
        /// The time from the start of the process to the first API request.
        time_to_request_from_spawn_ms: Option<u64>,
        /// Whether the session uses a CLI process that was started in advance.
        warm_spare_claimed: Option<bool>,
        /// The time from which the times of this result are counted, in milliseconds since 1970.
        time_origin_ms: Option<f64>,
        /// The total cost of the session so far, in US dollars. Infinite if the CLI reports something that is not a number.
        total_cost_usd: f64,
        /// The token usage.
        usage: Usage,
        /// The usage of each model so far.
        #[serde(rename = "modelUsage")]
        model_usage: BTreeMap<String, ModelUsage>,
        /// The usage of each model since the previous result of this process.
        model_usage_since_last_result: Option<BTreeMap<String, ModelUsage>>,
        /// Tool uses that were denied.
        permission_denials: Vec<Denial>,
        /// A tool use that a hook deferred.
        deferred_tool_use: Option<DeferredToolUse>,
        /// The number of queued prompts.
        queued_turn_count: Option<u64>,
        /// The slash command, if one was answered without the model.
        local_command: Option<Value>,
        /// The id of the answered prompt.
        user_message_uuid: Option<String>,
        /// The ids of the answered prompts, if the CLI merged several.
        user_message_uuids: Option<Vec<String>>,
        /// Why the turn was resumed.
        resume_reason: Option<String>,
        /// Why the CLI failed to start.
        startup_failure_reason: Option<String>,
        /// The configuration file that is invalid.
        invalid_config_file: Option<InvalidConfigFile>,
        /// When the credentials expire.
        credential_expires_at: Option<Value>,
        /// Whether fast mode is on.
        fast_mode_state: Option<String>,
        /// Why fast mode is off.
        fast_mode_disabled_reason: Option<String>,
        /// The origin of the prompt.
        origin: Option<PromptOrigin>,
        /// Statistics of sub-agents.
        subagent_stats: Option<Value>,
    }

    /// A tool use that was denied.
    pub struct Denial {
        /// The name of the tool.
        tool_name: String,
        /// The id of the tool use.
        tool_use_id: String,
        /// The arguments of the tool use.
        tool_input: Value,
    }

    /// A tool use that a hook deferred.
    pub struct DeferredToolUse {
        /// The id of the tool use.
        id: String,
        /// The name of the tool.
        name: String,
        /// The arguments of the tool use.
        input: Value,
    }
}

words! {
    /// How a turn ended, by the subtype of its result.
    pub enum Outcome {
        /// The turn completed. It may still have failed, see [`TurnResult::is_error`].
        Success = "success",
        /// The turn was aborted, for instance by an interrupt.
        ErrorDuringExecution = "error_during_execution",
        /// The turn reached the limit of turns.
        ErrorMaxTurns = "error_max_turns",
        /// The turn reached the limit of cost.
        ErrorMaxBudgetUsd = "error_max_budget_usd",
        /// The model did not produce output that matches the schema within the allowed attempts.
        ErrorMaxStructuredOutputRetries = "error_max_structured_output_retries",
    }

    /// Why a turn ended.
    pub enum TerminalReason {
        /// The model completed its answer.
        Completed = "completed",
        /// The API failed.
        ApiError = "api_error",
        /// The prompt was too long.
        PromptTooLong = "prompt_too_long",
        /// A limit of the account was reached.
        BlockingLimit = "blocking_limit",
        /// The context window filled up repeatedly after compaction.
        RapidRefillBreaker = "rapid_refill_breaker",
        /// An image was rejected.
        ImageError = "image_error",
        /// The model failed.
        ModelError = "model_error",
        /// The model produced too many malformed tool uses.
        MalformedToolUseExhausted = "malformed_tool_use_exhausted",
        /// The turn was interrupted during an answer of the model.
        AbortedStreaming = "aborted_streaming",
        /// The turn was interrupted while tools ran or waited for permission.
        AbortedTools = "aborted_tools",
        /// A stop hook prevented continuation.
        StopHookPrevented = "stop_hook_prevented",
        /// A hook stopped the turn.
        HookStopped = "hook_stopped",
        /// A hook deferred a tool use.
        ToolDeferred = "tool_deferred",
        /// A deferred tool use is not available.
        ToolDeferredUnavailable = "tool_deferred_unavailable",
        /// The limit of turns was reached.
        MaxTurns = "max_turns",
        /// The limit of cost was reached.
        BudgetExhausted = "budget_exhausted",
        /// No output matched the schema.
        StructuredOutputRetryExhausted = "structured_output_retry_exhausted",
        /// The turn continues in the background.
        BackgroundRequested = "background_requested",
        /// The turn could not be started.
        TurnSetupFailed = "turn_setup_failed",
    }
}

impl TurnResult {
    fn check(&mut self, members: &Members<'_>) {
        self.is_error |= members.is_mistyped::<bool>("is_error");
        if members.is_mistyped::<f64>("total_cost_usd") {
            self.total_cost_usd = f64::INFINITY;
        }
    }

    /// Returns true if the turn was interrupted: by an interrupt request, or by a permission denial with `interrupt`.
    pub fn interrupted(&self) -> bool {
        matches!(self.terminal_reason, Some(TerminalReason::AbortedStreaming | TerminalReason::AbortedTools))
    }
}
