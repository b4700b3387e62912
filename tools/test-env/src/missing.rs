use std::{error::Error, fmt};

use crate::skip::skip;

/// A program or package that a test needs and that is not on this machine.
#[derive(Debug)]
pub struct Missing {
    what: String,
    why: String,
}

impl Missing {
    /// `what` is missing because of `why`.
    pub fn new(what: impl Into<String>, why: impl fmt::Display) -> Self {
        Self { what: what.into(), why: why.to_string() }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {}: {}", self.what, self.why)
    }
}

impl Error for Missing {}

/// Returns what a test needs. If it is missing, reports the check as skipped and returns `None`; the test should then return.
///
/// # Panics
///
/// If it is missing and `CI=true`.
#[must_use]
pub fn needs<T>(found: Result<T, Missing>) -> Option<T> {
    found.inspect_err(|missing| skip(&missing.to_string())).ok()
}
