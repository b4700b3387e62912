//! Why serving could not begin.

use std::fmt;
use std::io;

use mcp_core::BuildError;

/// Why a server could not be served.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The server was built wrong.
    Build(BuildError),
    /// The address could not be listened on.
    Bind(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Build(error) => write!(f, "the server is built wrong: {error}"),
            Error::Bind(_) => f.write_str("the address could not be listened on"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // Its text is part of ours already.
            Error::Build(_) => None,
            Error::Bind(error) => Some(error),
        }
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Error {
        Error::Build(error)
    }
}
