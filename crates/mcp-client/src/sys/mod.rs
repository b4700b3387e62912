//! Everything that depends on the operating system: process trees, folders, file modes and the browser.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub(crate) use system::{OPENER, ServerCommand, ServerProcess, check_mode, data_folder, private_folder};
