//! Everything that depends on the operating system: process trees and file modes.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub(crate) use system::{ServerCommand, ServerProcess, check_mode, private_folder};
