//! Windows: whether a process runs.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

pub(crate) use mcp_os_windows::is_running;

/// Returns `None`: the form in which the CLI writes the start time of a process is not known here.
pub(crate) fn start_time(_process: u32) -> Option<String> {
    None
}

/// Creates a file. It has the access list that it inherits from its folder: in a user's folder, only the user, administrators and
/// the system can read it.
pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}
