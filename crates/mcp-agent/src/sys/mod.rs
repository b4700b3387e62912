//! Everything that depends on the operating system. No other module of this crate does.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

#[cfg(test)]
pub(crate) use system::make_executable;
pub(crate) use system::{
    CLAUDE, HOME, IS_MUSL, MANAGED_SETTINGS, PROGRAMS, ProcessTree, User, check_private_file, check_private_folder, home,
    private_file, private_folder, settings_folder,
};
