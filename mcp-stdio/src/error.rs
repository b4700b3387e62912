//! Why serving could not begin, or had to stop.

use std::fmt;
use std::io;

use mcp_core::BuildError;

/// Why a server could not be served, or no longer can be.
///
/// That the client goes away is no error: it is how serving ends.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The server was built wrong.
    Build(BuildError),
    /// Standard input and output already belong to a server of this process, or did.
    AlreadyServing,
    /// Standard input and output could not be taken, or threads could not be started.
    Start(io::Error),
    /// The client's messages could not be read.
    Read(io::Error),
    /// The replies could not be written, and not because the client is gone.
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
            // Its text is part of ours already.
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
