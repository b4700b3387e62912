//! Unix.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// Returns whether a process with this id exists.
pub(crate) fn is_running(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    // Any result except "no such process" means that the process exists, for instance as another user's.
    process.is_some_and(|process| !matches!(test_kill_process(process), Err(Errno::SRCH)))
}

/// Returns when a process started, in the form of the CLI. Only Linux has it.
pub(crate) fn start_time(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may contain spaces and parentheses. The start time is the 20th field after it.
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(19).map(str::to_owned)
}

/// Creates a file that only its owner can read.
pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}
