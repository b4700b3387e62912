//! Everything that depends on the operating system. No other module of this crate does.

/// Whether the system is Windows.
pub(crate) const IS_WINDOWS: bool = cfg!(windows);
