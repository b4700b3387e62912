//! What can go wrong: before, in and at the end of a session.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::message::{Outcome, TerminalReason, TurnResult};
use crate::options::OptionsError;
use crate::transport::Ending;
use crate::wire::Typed;

/// What can go wrong with a session.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Error {
    /// The options contradict each other.
    Options(OptionsError),
    /// A server that was to be mounted is built wrong.
    Mount {
        /// Its name.
        name: String,
        /// Everything that is wrong with it.
        source: Arc<mcp_core::BuildError>,
    },
    /// The CLI could not be reached.
    Start(Arc<StartError>),
    /// A turn failed. The session goes on: another prompt may be sent.
    Turn(TurnError),
    /// The CLI refused a request.
    Refused {
        /// What was requested.
        request: String,
        /// What the CLI says.
        message: String,
        /// Its code, for instance `unsupported_request`.
        code: Option<String>,
    },
    /// The CLI ended where it should not have.
    Ended(Arc<Ended>),
    /// The CLI did not answer the first request in time.
    InitializeTimeout {
        /// How long it was given.
        after: Duration,
        /// How it ended when it was then ended.
        ending: Box<Ending>,
    },
    /// What the CLI answered is not what this version expects.
    Unexpected {
        /// What was requested.
        request: String,
        /// What is wrong with the answer.
        source: Arc<serde_json::Error>,
    },
    /// A value of the caller has no JSON form.
    Serialize(Arc<serde_json::Error>),
}

/// How the CLI ended, and what else is known.
#[derive(Debug)]
#[non_exhaustive]
pub struct Ended {
    /// Exit status and the last of the standard error.
    pub ending: Ending,
    /// What broke the connection, when that came first: a line over the limit, a failed read.
    pub source: Option<io::Error>,
    /// The last result before the end, which may say more.
    pub result: Option<Typed<TurnResult>>,
    pub(crate) asked: bool,
}

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

impl Error {
    /// Whether somebody broke the turn off.
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Self::Turn(turn) if turn.failure == TurnFailure::Interrupted)
    }

    /// How the CLI ended, if that is the error.
    pub fn ending(&self) -> Option<&Ending> {
        match self {
            Self::Ended(ended) => Some(&ended.ending),
            Self::InitializeTimeout { ending, .. } => Some(ending),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Options(_) => f.write_str("the options contradict each other"),
            Self::Mount { name, .. } => write!(f, "the server {name:?} cannot be mounted"),
            Self::Start(_) => f.write_str("the claude CLI could not be started"),
            Self::Turn(turn) => turn.fmt(f),
            Self::Refused { request, message, .. } => write!(f, "the claude CLI refused {request}: {message}"),
            Self::Ended(ended) => ended.fmt(f),
            Self::InitializeTimeout { after, ending } => {
                write!(f, "the claude CLI did not answer within {after:?} ({ending})")
            }
            Self::Unexpected { request, .. } => {
                write!(f, "the claude CLI gave an unexpected answer to {request}")
            }
            Self::Serialize(_) => f.write_str("a value has no JSON form"),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Options(source) => Some(source),
            Self::Mount { source, .. } => Some(source.as_ref()),
            Self::Start(source) => Some(source.as_ref()),
            Self::Ended(ended) => ended.source.as_ref().map(|source| source as _),
            Self::Unexpected { source, .. } | Self::Serialize(source) => Some(source.as_ref()),
            Self::Turn(_) | Self::Refused { .. } | Self::InitializeTimeout { .. } => None,
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(_) => write!(f, "the connection to the claude CLI broke ({})", self.ending)?,
            None => write!(f, "the claude CLI ended ({})", self.ending)?,
        }
        match &self.result {
            Some(result) if !result.errors.is_empty() => {
                write!(f, ": {}", result.errors.join("; "))
            }
            _ => Ok(()),
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

impl From<OptionsError> for Error {
    fn from(source: OptionsError) -> Self {
        Self::Options(source)
    }
}

impl From<StartError> for Error {
    fn from(source: StartError) -> Self {
        Self::Start(Arc::new(source))
    }
}

/// Why a CLI could not be reached.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// No CLI was found in any of these places.
    NotFound {
        /// Where it was looked for, in order.
        tried: Vec<PathBuf>,
    },
    /// The program is a batch file, whose interpreter would reinterpret every argument.
    BatchFile {
        /// The refused program.
        program: PathBuf,
    },
    /// The program was found but did not start.
    Spawn {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another transport's own reason.
    Transport(Box<dyn StdError + Send + Sync>),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { tried } => {
                f.write_str("the claude CLI was not found; looked at")?;
                for (index, path) in tried.iter().enumerate() {
                    write!(f, "{} {}", if index == 0 { "" } else { "," }, path.display())?;
                }
                Ok(())
            }
            Self::BatchFile { program } => {
                write!(f, "{} is a batch file, which cannot take arguments safely", program.display())
            }
            Self::Spawn { program, .. } => write!(f, "{} could not be started", program.display()),
            Self::Transport(_) => f.write_str("the transport could not connect"),
        }
    }
}

impl StdError for StartError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Spawn { source, .. } => Some(source),
            Self::Transport(source) => Some(source.as_ref()),
            Self::NotFound { .. } | Self::BatchFile { .. } => None,
        }
    }
}

impl Ended {
    /// For a run that ended well and yet gave no result.
    pub(crate) fn without_result() -> Self {
        Self { ending: Ending::default(), source: None, result: None, asked: false }
    }
}
