//! The stand-ins against the real CLI, and the runner against the stand-ins.

mod direct;
#[cfg(unix)]
mod scripted;
