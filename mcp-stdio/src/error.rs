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
            Error::Build(error) => return write!(f, "the server is invalid: {error}"),
            Error::AlreadyServing => "this process already serves on standard input and output: serve only once",
            Error::Start(_) => "cannot start to serve",
            Error::Read(_) => "cannot read the input",
            Error::Write(_) => "cannot write the output",
            Error::Command(_) => "cannot run the command",
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
