//! What the harness is doing, for who waits.

use std::fmt;

/// Says what is going on.
#[expect(clippy::print_stderr, reason = "who waits for minutes wants to know for what")]
pub(crate) fn say(what: fmt::Arguments<'_>) {
    eprintln!("{what}");
}
