//! Why a request to a hub failed.

use std::fmt;

use crate::command::InvalidCommand;
use crate::store::StoreError;

/// Why a request to a hub failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum WebError {
    /// The command is not valid.
    Invalid(InvalidCommand),
    /// The chat has ended.
    Ended,
    /// The chat has no open session, so there is nothing to interrupt or to answer.
    NotRunning,
    /// Too many clients are watching.
    TooManyWatchers,
    /// Too many sessions are open.
    TooManySessions,
    /// The store failed.
    Store(StoreError),
}

impl fmt::Display for WebError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(invalid) => invalid.fmt(f),
            Self::Ended => f.write_str("the chat has ended: start another one"),
            Self::NotRunning => f.write_str("the session of this chat is not running: send a prompt first"),
            Self::TooManyWatchers => f.write_str("too many clients are watching: try again later"),
            Self::TooManySessions => {
                f.write_str("too many sessions are open: try again when one of them has ended or is idle for some time")
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WebError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store(error) => error.source(),
            _ => None,
        }
    }
}

impl From<InvalidCommand> for WebError {
    fn from(invalid: InvalidCommand) -> Self {
        Self::Invalid(invalid)
    }
}

impl From<StoreError> for WebError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
