//! Functions that differ between operating systems: process groups and file modes.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use self::other::{check_mode, new_process_group, private_folder, signal_group};
#[cfg(unix)]
pub(crate) use self::unix::{check_mode, new_process_group, private_folder, signal_group};

/// A signal that ends processes.
#[derive(Clone, Copy)]
pub(crate) enum Signal {
    Term,
    Kill,
}
