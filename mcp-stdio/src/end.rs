//! How serving ends, and what the process says about it.

use std::io::{self, ErrorKind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::alarm::Alarm;

/// Why a server stops.
#[derive(Debug)]
pub(crate) enum End {
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

impl End {
    /// Somebody may still read the replies to what is being worked on.
    pub(crate) fn leaves_a_reader(&self) -> bool {
        !matches!(self, End::Write(_) | End::Orphaned)
    }

    /// The status of the process, as the documentation of `run` lists it.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            End::Input | End::Orphaned => ExitCode::SUCCESS,
            End::Write(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            End::Read(_) | End::Write(_) => ExitCode::FAILURE,
            End::Signal(signal) => ExitCode::from(128 + u8::try_from(*signal).unwrap_or(0)),
            End::Panic => ExitCode::from(101),
        }
    }
}

/// Where the end is announced, by whoever sees it first.
#[derive(Debug)]
pub(crate) struct Ending {
    began: AtomicBool,
    first: Mutex<Option<End>>,
    pub(crate) alarm: Alarm,
}

impl Ending {
    pub(crate) fn new(alarm: Alarm) -> Ending {
        Ending { began: AtomicBool::new(false), first: Mutex::default(), alarm }
    }

    /// Announces an end. Only the first one counts.
    pub(crate) fn announce(&self, end: End) {
        if !self.began.swap(true, Ordering::AcqRel) {
            *self.first.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
            self.alarm.ring();
        }
    }

    /// Whether the end has begun: nothing new is taken on.
    pub(crate) fn began(&self) -> bool {
        self.began.load(Ordering::Acquire)
    }

    /// The end, handed out once.
    pub(crate) fn take(&self) -> Option<End> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
