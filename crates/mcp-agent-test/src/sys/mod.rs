//! Everything that depends on the operating system. No other module of this crate does.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub(crate) use system::{NPM, die_by_signal, exited, ignore_term, killed, place};
