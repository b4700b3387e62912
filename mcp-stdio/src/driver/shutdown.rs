//! How serving ends, and what the process says about it.

use std::io::{self, ErrorKind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::sys::wakeup::Wakeup;

/// Why a server stops.
#[derive(Debug)]
pub(crate) enum ShutdownReason {
    /// The client closed our input: the usual end.
    Input,
    /// Reading failed.
    Read(io::Error),
    /// The client no longer reads, or writing failed.
    Write(io::Error),
    /// This signal came.
    Signal(i32),
    /// The process that started us is gone.
    Orphaned,
    /// A thread of ours panicked: a fault of this crate.
    Panic,
}

impl ShutdownReason {
    /// Somebody may still read the replies to what is being worked on.
    pub(crate) fn leaves_a_reader(&self) -> bool {
        !matches!(self, ShutdownReason::Write(_) | ShutdownReason::Orphaned)
    }

    /// The status of the process, as the documentation of `run` lists it.
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

/// Where the end is announced, by whoever sees it first.
#[derive(Debug)]
pub(crate) struct Shutdown {
    began: AtomicBool,
    first: Mutex<Option<ShutdownReason>>,
    pub(crate) wakeup: Wakeup,
}

impl Shutdown {
    pub(crate) fn new(wakeup: Wakeup) -> Shutdown {
        Shutdown { began: AtomicBool::new(false), first: Mutex::default(), wakeup }
    }

    /// Announces an end. Only the first one counts.
    pub(crate) fn announce(&self, end: ShutdownReason) {
        if !self.began.swap(true, Ordering::AcqRel) {
            *self.first.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
            self.wakeup.ring();
        }
    }

    /// Whether the end has begun: nothing new is taken on.
    pub(crate) fn began(&self) -> bool {
        self.began.load(Ordering::Acquire)
    }

    /// The end, handed out once.
    pub(crate) fn take(&self) -> Option<ShutdownReason> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
