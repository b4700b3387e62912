//! Why a turn failed.

use std::fmt;

use crate::message::{Outcome, TerminalReason, TurnResult};
use crate::wire::Typed;

/// A turn failed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TurnError {
    /// The kind of failure.
    pub failure: TurnFailure,
    /// The complete result: cost, usage, denied tool uses.
    pub result: Typed<TurnResult>,
}

/// The kind of failure of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnFailure {
    /// The turn was interrupted: by an interrupt request, or by a permission denial with `interrupt`.
    Interrupted,
    /// The session reached its limit of turns.
    MaxTurns,
    /// The session reached its limit of cost.
    MaxBudget,
    /// The model did not produce output that matches the schema within the allowed attempts.
    StructuredOutput,
    /// The turn succeeded, but without structured output.
    NoStructuredOutput,
    /// The API failed, or rejected the request.
    Api {
        /// The HTTP status, if there was a response.
        status: Option<u16>,
        /// Why the turn ended, if reported.
        reason: Option<TerminalReason>,
    },
    /// Any other failure.
    Execution,
}

impl TurnError {
    /// Returns the failure of a result, or `None` if it is a success. `wants_output` is true if a schema was set.
    pub(crate) fn of(result: &Typed<TurnResult>, wants_output: bool) -> Option<Self> {
        // A slash command that the CLI answers itself has no model output, so structured output is not expected.
        let lacks_output = wants_output && result.structured_output.is_none() && result.local_command.is_none();
        let failure = match (&result.subtype, result.is_error) {
            (Outcome::Success, false) if lacks_output && result.deferred_tool_use.is_none() => {
                TurnFailure::NoStructuredOutput
            }
            (Outcome::Success, false) => return None,
            _ if result.interrupted() => TurnFailure::Interrupted,
            (Outcome::ErrorMaxTurns, _) => TurnFailure::MaxTurns,
            (Outcome::ErrorMaxBudgetUsd, _) => TurnFailure::MaxBudget,
            (Outcome::ErrorMaxStructuredOutputRetries, _) => TurnFailure::StructuredOutput,
            // The CLI reports a turn whose API request failed with the subtype "success".
            (Outcome::Success, true) => {
                TurnFailure::Api { status: result.api_error_status, reason: result.terminal_reason.clone() }
            }
            _ => TurnFailure::Execution,
        };
        Some(Self { failure, result: result.clone() })
    }

    /// Returns the error message of the CLI.
    pub fn message(&self) -> String {
        match (&self.result.result, self.result.errors.as_slice()) {
            (Some(text), []) => text.clone(),
            (_, errors) => errors.join("; "),
        }
    }
}

impl fmt::Display for TurnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.failure {
            TurnFailure::Interrupted => return f.write_str("the turn was interrupted"),
            TurnFailure::MaxTurns => f.write_str("the turn reached the limit of turns"),
            TurnFailure::MaxBudget => f.write_str("the turn reached the limit of cost"),
            TurnFailure::StructuredOutput => f.write_str("the model did not produce output that matches the schema"),
            TurnFailure::NoStructuredOutput => {
                return f.write_str("the turn succeeded without structured output");
            }
            TurnFailure::Api { status: Some(status), .. } => write!(f, "the API failed with status {status}"),
            TurnFailure::Api { status: None, .. } => f.write_str("the API failed"),
            TurnFailure::Execution => f.write_str("the turn failed"),
        }?;
        match self.message().as_str() {
            "" => Ok(()),
            message => write!(f, ": {message}"),
        }
    }
}
