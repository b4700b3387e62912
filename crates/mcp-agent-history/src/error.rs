//! Errors of reading and changing sessions.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// An error of reading or changing sessions.
#[derive(Debug)]
#[non_exhaustive]
pub enum HistoryError {
    /// The session does not exist.
    NotFound {
        /// The id of the session.
        id: String,
    },
    /// The session id is invalid. An id is part of a file name, so only letters, digits, `-` and `_` are accepted.
    InvalidId {
        /// The invalid id.
        id: String,
    },
    /// The session is running, so it cannot be changed.
    Running {
        /// The id of the session.
        id: String,
        /// The id of the process that runs the session.
        pid: u32,
    },
    /// The session does not contain the message.
    MessageNotFound {
        /// The id of the message.
        uuid: String,
    },
    /// A session store failed.
    Store(mcp_agent::store::StoreError),
    /// A file could not be read or written.
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl HistoryError {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { id } => write!(f, "session {id} not found"),
            Self::InvalidId { id } => write!(f, "invalid session id {id:?}: use only letters, digits, - and _"),
            Self::Running { id, pid } => {
                write!(f, "session {id} is running in process {pid}: end that process before changing the session")
            }
            Self::MessageNotFound { uuid } => write!(f, "the session does not contain message {uuid}"),
            Self::Store(_) => f.write_str("the session store failed"),
            Self::Io { path, .. } => write!(f, "cannot read or write {}", path.display()),
        }
    }
}

impl Error for HistoryError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Store(source) => Some(source.as_ref()),
            _ => None,
        }
    }
}
