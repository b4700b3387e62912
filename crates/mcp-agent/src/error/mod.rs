//! What can go wrong: before, in and at the end of a session.

mod start;
mod turn;

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

pub use start::StartError;
pub use turn::{TurnError, TurnFailure};

use crate::message::TurnResult;
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

impl Ended {
    /// For a run that ended well and yet gave no result.
    pub(crate) fn without_result() -> Self {
        Self { ending: Ending::default(), source: None, result: None, asked: false }
    }
}
