//! Errors: of starting the CLI, of a turn, and of the session.

mod start;
mod turn;

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

pub use start::StartError;
pub use turn::{TurnError, TurnFailure};

use crate::cost::UnpricedModel;
use crate::message::TurnResult;
use crate::options::OptionsError;
use crate::transport::Ending;
use crate::wire::Typed;

/// An error of a session.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Error {
    /// Options contradict each other or have an invalid value.
    Options(OptionsError),
    /// A server to be mounted fails validation.
    Mount {
        /// The name of the server.
        name: String,
        /// All validation errors.
        source: Arc<mcp_core::BuildError>,
    },
    /// The CLI could not be started or connected.
    Start(Arc<StartError>),
    /// A turn failed. The session stays usable: another prompt may be sent.
    Turn(TurnError),
    /// The CLI rejected a request.
    Refused {
        /// The subtype of the request.
        request: String,
        /// The error message of the CLI.
        message: String,
        /// The error code of the CLI, for instance `unsupported_request`.
        code: Option<String>,
    },
    /// The CLI is too old: it does not support a feature that an option of the agent requires. The session was closed.
    Unsupported {
        /// What the CLI does not support.
        feature: &'static str,
    },
    /// A prompt with this id was sent before. The CLI would ignore it, and its result would never come.
    DuplicatePrompt {
        /// The id of the prompt.
        uuid: String,
    },
    /// The CLI exited unexpectedly.
    Ended(Arc<Ended>),
    /// The CLI did not answer `initialize` in time.
    InitializeTimeout {
        /// The time limit for the response to `initialize`.
        after: Duration,
        /// How the CLI exited when it was shut down because of this.
        ending: Box<Ending>,
    },
    /// A response of the CLI does not have the expected format.
    Unexpected {
        /// The subtype of the request.
        request: String,
        /// The deserialization error.
        source: Arc<serde_json::Error>,
    },
    /// A [`Budget`](crate::cost::Budget) cannot be enforced, because a model that was used has no price.
    UnpricedModel(UnpricedModel),
    /// A value of the caller cannot be serialized to JSON.
    Serialize(Arc<serde_json::Error>),
}

/// How the CLI exited, and the possible causes.
#[derive(Debug)]
#[non_exhaustive]
pub struct Ended {
    /// The exit status and the end of the standard error.
    pub ending: Ending,
    /// The I/O error that broke the connection, if there was one: a line over the limit, or a failed read.
    pub source: Option<io::Error>,
    /// The last result before the exit, which may give the reason.
    pub result: Option<Typed<TurnResult>>,
    pub(crate) asked: bool,
}

impl Error {
    /// Returns true if the turn was interrupted.
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Self::Turn(turn) if turn.failure == TurnFailure::Interrupted)
    }

    /// Returns true if this program closed the session while the request was pending.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Ended(ended) if ended.asked)
    }

    /// Returns how the CLI exited, if that is the error.
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
            Self::Options(_) => f.write_str("invalid options"),
            Self::Mount { name, .. } => write!(f, "cannot mount server {name:?}"),
            Self::Start(_) => f.write_str("cannot start the claude CLI"),
            Self::Turn(turn) => turn.fmt(f),
            Self::Refused { request, message, .. } => write!(f, "the claude CLI rejected the request {request}: {message}"),
            Self::Ended(ended) => ended.fmt(f),
            Self::InitializeTimeout { after, ending } => {
                write!(f, "the claude CLI did not answer `initialize` within {after:?} ({ending})")
            }
            Self::Unexpected { request, .. } => {
                write!(f, "unexpected response of the claude CLI to {request}")
            }
            Self::Unsupported { feature } => write!(f, "the claude CLI does not support {feature}: update the CLI"),
            Self::DuplicatePrompt { uuid } => write!(f, "a prompt with the id {uuid} was sent before: use a new id"),
            Self::UnpricedModel(source) => source.fmt(f),
            Self::Serialize(_) => f.write_str("a value cannot be serialized to JSON"),
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
            Self::Turn(_)
            | Self::Refused { .. }
            | Self::Unsupported { .. }
            | Self::DuplicatePrompt { .. }
            | Self::UnpricedModel(_)
            | Self::InitializeTimeout { .. } => None,
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(_) => write!(f, "lost the connection to the claude CLI ({})", self.ending)?,
            None => write!(f, "the claude CLI exited ({})", self.ending)?,
        }
        match &self.result {
            Some(result) if !result.errors.is_empty() => {
                write!(f, ": {}", result.errors.join("; "))
            }
            _ => Ok(()),
        }
    }
}

impl From<OptionsError> for Error {
    fn from(source: OptionsError) -> Self {
        Self::Options(source)
    }
}

impl From<UnpricedModel> for Error {
    fn from(source: UnpricedModel) -> Self {
        Self::UnpricedModel(source)
    }
}

impl From<StartError> for Error {
    fn from(source: StartError) -> Self {
        Self::Start(Arc::new(source))
    }
}

impl Ended {
    /// Returns the error for a run that succeeded without a result.
    pub(crate) fn without_result() -> Self {
        Self { ending: Ending::default(), source: None, result: None, asked: false }
    }
}
