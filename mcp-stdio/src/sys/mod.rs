//! Calls to the operating system: descriptors, signals, timers and the parent process.

pub(crate) mod parent;
pub(crate) mod signals;
pub(crate) mod timer;
pub(crate) mod unix;
pub(crate) mod wakeup;
