//! Everything that depends on the operating system: what asks the process to shut down.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::ShutdownSignal;
#[cfg(windows)]
pub(crate) use windows::ShutdownSignal;
