//! Why a turn failed.

use std::fmt;

use crate::message::{Outcome, TerminalReason, TurnResult};
use crate::wire::Typed;

/// A turn failed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TurnError {
    /// In what way.
    pub failure: TurnFailure,
    /// The whole result: cost, usage, what was denied.
    pub result: Typed<TurnResult>,
}

/// In what way a turn failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnFailure {
    /// Somebody broke it off: an interrupt, or a denial that interrupts.
    Interrupted,
    /// It came to the limit of turns.
    MaxTurns,
    /// It came to the limit of cost.
    MaxBudget,
    /// The model did not manage to give what the schema asks.
    StructuredOutput,
    /// The turn ended well, but without what the schema asks.
    NoStructuredOutput,
    /// The API failed, or refused.
    Api {
        /// The HTTP status, if there was an answer.
        status: Option<u16>,
        /// Why the turn ended, where it is said.
        reason: Option<TerminalReason>,
    },
    /// Anything else.
    Execution,
}

impl TurnError {
    /// The failure in a result, if there is one. `wants_output` says that a schema was asked for.
    pub(crate) fn of(result: &Typed<TurnResult>, wants_output: bool) -> Option<Self> {
        // A slash command that the CLI answers itself has no output of the model to be structured.
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
            // The CLI says success of a turn whose request to the API failed.
            (Outcome::Success, true) => {
                TurnFailure::Api { status: result.api_error_status, reason: result.terminal_reason.clone() }
            }
            _ => TurnFailure::Execution,
        };
        Some(Self { failure, result: result.clone() })
    }

    /// What the CLI says of it.
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
            TurnFailure::MaxTurns => f.write_str("the turn came to the limit of turns"),
            TurnFailure::MaxBudget => f.write_str("the turn came to the limit of cost"),
            TurnFailure::StructuredOutput => f.write_str("the model did not give what the schema asks"),
            TurnFailure::NoStructuredOutput => {
                return f.write_str("the model answered without structured output");
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
