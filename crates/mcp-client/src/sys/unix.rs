//! Unix.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};

use rustix::process::{Pid, kill_process_group};
use tokio::process::Command;

use super::Signal;

/// Starts the process in its own group, so that its child processes can be ended with it.
pub(crate) fn new_process_group(command: &mut Command) {
    command.process_group(0);
}

/// Sends a signal to all processes of a group.
pub(crate) fn signal_group(group: Option<u32>, signal: Signal) {
    let signal = match signal {
        Signal::Term => rustix::process::Signal::TERM,
        Signal::Kill => rustix::process::Signal::KILL,
    };
    let group = group.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(group) = group {
        // An error means that the group has ended.
        let _ = kill_process_group(group, signal);
    }
}

/// Returns a builder for folders with the mode 0700.
pub(crate) fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

/// Returns an error if others can read or write the file.
pub(crate) fn check_mode(file: &File) -> io::Result<()> {
    match file.metadata()?.permissions().mode() & 0o077 {
        0 => Ok(()),
        _ => Err(io::Error::other("others can read or write the file: run chmod 600, or log in again")),
    }
}
