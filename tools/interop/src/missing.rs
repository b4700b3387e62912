use std::{env, error::Error, fmt};

/// A tool of the machine that a test cannot do without, and why it is not there.
#[derive(Debug)]
pub struct Missing {
    what: String,
    why: String,
}

impl Missing {
    pub(crate) fn new(what: impl Into<String>, why: impl fmt::Display) -> Self {
        Self { what: what.into(), why: why.to_string() }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {}: {}", self.what, self.why)
    }
}

impl Error for Missing {}

/// Unwraps what a test needs, or says `SKIPPED` and why.
///
/// # Panics
///
/// If it is missing where `CI=true` promises that everything is there.
#[must_use]
pub fn needs<T>(found: Result<T, Missing>) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(missing) if env::var_os("CI").is_some_and(|ci| ci == "true") => panic!("{missing}"),
        Err(missing) => {
            skipped(&missing);
            None
        }
    }
}

#[expect(clippy::print_stderr, reason = "the reader of the test output must learn that nothing was proved")]
fn skipped(missing: &Missing) {
    eprintln!("SKIPPED: {missing}");
}
