//! Everything that depends on the operating system. No other module of this crate does.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub(crate) use system::{
    Parent, create_private_file, on_termination, take_standard_streams, wait_until_readable, wait_until_writable,
};
