//! Unix: signals, exit statuses and links.

use std::io;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ExitCode, ExitStatus};

use rustix::process::{Signal, getpid, kill_process};
use tokio::signal::unix::{SignalKind, signal};

/// The program that installs packages of npm.
pub(crate) const NPM: &str = "npm";

/// Makes `program` available as `name`. A link: starting a copy that was just written can fail with "text file busy".
pub(crate) fn place(program: &Path, name: &Path) -> io::Result<()> {
    symlink(program, name)
}

/// Ignores SIGTERM from now on.
pub(crate) fn ignore_term() -> io::Result<()> {
    // The signal handler stays installed after the stream is dropped.
    signal(SignalKind::terminate()).map(drop)
}

/// Ends this process with a signal.
pub(crate) fn die_by_signal(number: i32) -> ExitCode {
    // Sent twice: Rust's runtime handles the first SIGSEGV or SIGBUS, to detect stack overflows.
    for _ in 0..2 {
        if let Some(signal) = Signal::from_named_raw(number) {
            let _ = kill_process(getpid(), signal);
        }
    }
    // Reached only for signals that do not end the process.
    ExitCode::from(99)
}

/// Returns the status of a process that exits with `code`.
pub(crate) fn exited(code: i32) -> ExitStatus {
    ExitStatus::from_raw((code & 0xff) << 8)
}

/// Returns the exit status of a process that was ended by this signal.
pub(crate) fn killed(signal: i32) -> ExitStatus {
    ExitStatus::from_raw(signal)
}
