//! Errors of starting and running a server.

use std::fmt;
use std::io;

use mcp_core::BuildError;

/// Why a server could not be started or run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The server is invalid.
    Build(BuildError),
    /// The address could not be bound.
    Bind(io::Error),
    /// The process cannot listen for the signals that shut it down.
    Signal(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Build(error) => write!(f, "invalid server: {error}"),
            Error::Bind(_) => f.write_str("cannot listen on the address"),
            Error::Signal(_) => f.write_str("cannot listen for the signals that shut the server down"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // `Display` already includes the text of the build error.
            Error::Build(_) => None,
            Error::Bind(error) | Error::Signal(error) => Some(error),
        }
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Error {
        Error::Build(error)
    }
}
