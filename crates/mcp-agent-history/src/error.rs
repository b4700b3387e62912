//! What can go wrong with a history.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// What can go wrong with a history.
#[derive(Debug)]
#[non_exhaustive]
pub enum HistoryError {
    /// There is no such session.
    NotFound {
        /// Its id.
        id: String,
    },
    /// An id that is none: it could name a file elsewhere.
    BadId {
        /// What was given.
        id: String,
    },
    /// The session runs, so it is not written to.
    Running {
        /// Its id.
        id: String,
        /// The process that runs it.
        pid: u32,
    },
    /// There is no such message in the session.
    NoMessage {
        /// The message.
        uuid: String,
    },
    /// A file could not be read or written.
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
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
            Self::NotFound { id } => write!(f, "there is no session {id}"),
            Self::BadId { id } => write!(f, "{id:?} is no id of a session"),
            Self::Running { id, pid } => write!(f, "the session {id} runs in process {pid}"),
            Self::NoMessage { uuid } => write!(f, "there is no message {uuid} in the session"),
            Self::Io { path, .. } => write!(f, "{} could not be read or written", path.display()),
        }
    }
}

impl Error for HistoryError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
