//! Prints what the benchmark is doing.

use std::fmt;

/// Prints a line to stderr.
#[expect(clippy::print_stderr, reason = "a run takes minutes")]
pub(crate) fn say(what: fmt::Arguments<'_>) {
    eprintln!("{what}");
}
