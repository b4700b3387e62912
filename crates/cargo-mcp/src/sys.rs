//! Everything that depends on the operating system. No other module of this program does.

/// Whether the file of a running program cannot be replaced.
pub(crate) const LOCKS_RUNNING_PROGRAMS: bool = cfg!(windows);

/// Whether a backslash in a path separates folders, and so escapes nothing.
pub(crate) const BACKSLASH_SEPARATES_FOLDERS: bool = cfg!(windows);
