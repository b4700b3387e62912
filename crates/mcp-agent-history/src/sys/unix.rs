//! Unix.

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// Returns whether a process with this id exists.
pub(crate) fn is_running(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    // Any result except "no such process" means that the process exists, for instance as another user's.
    process.is_some_and(|process| !matches!(test_kill_process(process), Err(Errno::SRCH)))
}
