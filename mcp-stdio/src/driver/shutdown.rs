//! Why the server shuts down, and the exit status of the process.

use std::io::{self, ErrorKind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::sys::wakeup::Wakeup;

/// Why a server shuts down.
#[derive(Debug)]
pub(crate) enum ShutdownReason {
    /// The client closed standard input: the normal case.
    Input,
    /// Reading failed.
    Read(io::Error),
    /// The client no longer reads, or writing failed.
    Write(io::Error),
    /// The process received this signal.
    Signal(i32),
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
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            ShutdownReason::Input | ShutdownReason::Orphaned => ExitCode::SUCCESS,
            ShutdownReason::Write(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            ShutdownReason::Read(_) | ShutdownReason::Write(_) => ExitCode::FAILURE,
            ShutdownReason::Signal(signal) => ExitCode::from(128 + u8::try_from(*signal).unwrap_or(0)),
            ShutdownReason::Panic => ExitCode::from(101),
        }
    }
}

/// The shutdown request, shared by all threads.
#[derive(Debug)]
pub(crate) struct Shutdown {
    requested: AtomicBool,
    reason: Mutex<Option<ShutdownReason>>,
    pub(crate) wakeup: Wakeup,
}

impl Shutdown {
    pub(crate) fn new(wakeup: Wakeup) -> Shutdown {
        Shutdown { requested: AtomicBool::new(false), reason: Mutex::default(), wakeup }
    }

    /// Requests the shutdown. Only the first request has an effect.
    pub(crate) fn request(&self, end: ShutdownReason) {
        if !self.requested.swap(true, Ordering::AcqRel) {
            *self.reason.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
            self.wakeup.wake();
        }
    }

    /// Returns whether the shutdown was requested. No more messages are read then.
    pub(crate) fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Acquire)
    }

    /// Takes the reason of the shutdown. Returns `None` before the request and after the first call.
    pub(crate) fn take_reason(&self) -> Option<ShutdownReason> {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
