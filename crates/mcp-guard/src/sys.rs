//! Everything that depends on the operating system. No other module of this crate does.

/// Whether the system is Windows.
pub(crate) const IS_WINDOWS: bool = cfg!(windows);

/// Whether `sed` is that of GNU, whose option `-i` does not take the next word as its value.
pub(crate) const HAS_GNU_SED: bool = cfg!(any(target_os = "linux", windows));
