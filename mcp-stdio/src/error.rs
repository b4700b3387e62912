//! The error type.

use std::fmt;
use std::io;

use mcp_core::BuildError;

/// Why serving failed.
///
/// It is not an error if the client disconnects: serving ends that way.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The server is invalid.
    Build(BuildError),
    /// This process serves on standard input and output already, or has done so before.
    AlreadyServing,
    /// Standard input and output could not be redirected, or threads could not be started.
    Start(io::Error),
    /// Reading messages failed.
    Read(io::Error),
    /// Writing replies failed, and not because the client has disconnected.
    Write(io::Error),
    /// A [command](crate::Command) could not write its output or start its threads.
    Command(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::Build(error) => return write!(f, "the server is built wrong: {error}"),
            Error::AlreadyServing => "standard input and output already serve a server of this process",
            Error::Start(_) => "serving could not begin",
            Error::Read(_) => "the input could not be read",
            Error::Write(_) => "the output could not be written",
            Error::Command(_) => "the command could not be run",
        })
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // The text of this error contains it.
            Error::Build(_) | Error::AlreadyServing => None,
            Error::Start(error) | Error::Read(error) | Error::Write(error) | Error::Command(error) => Some(error),
        }
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Error {
        Error::Build(error)
    }
}
