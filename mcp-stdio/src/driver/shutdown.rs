//! Why the server shuts down, and the exit status of the process.

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use crate::error::Error;

/// Why a server shuts down.
#[derive(Debug)]
pub(crate) enum ShutdownReason {
    /// The client closed standard input: the normal case.
    Input,
    /// Reading failed.
    Read(io::Error),
    /// The client no longer reads, or writing failed.
    Write(io::Error),
    /// The process was asked to end, and ends with this exit status.
    Signal(u8),
    /// The parent process has exited.
    Orphaned,
    /// A reader thread panicked: a bug of this crate.
    Panic,
}

impl ShutdownReason {
    /// Returns whether the client may still read the replies to calls in flight.
    pub(crate) fn client_may_read(&self) -> bool {
        !matches!(self, ShutdownReason::Write(_) | ShutdownReason::Orphaned)
    }

    /// Returns the exit status of the process, as listed in the documentation of `run`.
    pub(crate) fn into_exit_code(self) -> Result<ExitCode, Error> {
        match self {
            ShutdownReason::Input | ShutdownReason::Orphaned => Ok(ExitCode::SUCCESS),
            ShutdownReason::Write(error) if error.kind() == ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
            ShutdownReason::Read(error) => Err(Error::Read(error)),
            ShutdownReason::Write(error) => Err(Error::Write(error)),
            ShutdownReason::Signal(status) => Ok(ExitCode::from(status)),
            ShutdownReason::Panic => Ok(ExitCode::from(101)),
        }
    }
}
