//! Windows: exit statuses and copies. There are no signals.

use std::fs;
use std::io;
use std::os::windows::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ExitCode, ExitStatus, abort};

/// The program that installs packages of npm.
pub(crate) const NPM: &str = "npm.cmd";

/// Makes `program` available as `name`: as a copy, because links need a privilege.
pub(crate) fn place(program: &Path, name: &Path) -> io::Result<()> {
    fs::copy(program, name).map(drop)
}

/// Does nothing: nobody sends a request to end.
pub(crate) fn ignore_term() -> io::Result<()> {
    Ok(())
}

/// Ends this process as a crash does.
pub(crate) fn die_by_signal(_: i32) -> ExitCode {
    abort()
}

/// Returns the status of a process that exits with `code`.
pub(crate) fn exited(code: i32) -> ExitStatus {
    ExitStatus::from_raw(code.cast_unsigned())
}

/// Returns the status of a process that was terminated.
pub(crate) fn killed(_: i32) -> ExitStatus {
    ExitStatus::from_raw(1)
}
