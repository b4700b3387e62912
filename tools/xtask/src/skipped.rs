//! The checks that were skipped, by reason.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs, io,
    path::Path,
};

use serde_json::Value;

/// The tests that skipped a check, for each reason.
#[derive(Debug, Default)]
pub(crate) struct Skipped(BTreeMap<String, BTreeSet<String>>);

impl Skipped {
    /// Reads the log that the tests wrote: one JSON object in each line.
    pub(crate) fn read(log: &Path) -> io::Result<Self> {
        let mut skipped = Self::default();
        for line in fs::read_to_string(log)?.lines() {
            let entry: Value = serde_json::from_str(line)?;
            let text = |key: &str| entry[key].as_str().unwrap_or("unknown").to_owned();
            skipped.0.entry(text("reason")).or_default().insert(text("test"));
        }
        Ok(skipped)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return write!(f, "No check was skipped.");
        }
        let tests: BTreeSet<&String> = self.0.values().flatten().collect();
        write!(f, "SKIPPED checks in {} tests:", tests.len())?;
        for (reason, tests) in &self.0 {
            // A reason can contain the output of a program.
            write!(f, "\n\n  {}", reason.trim().replace('\n', "\n  "))?;
            for test in tests {
                write!(f, "\n    - {test}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Skipped;

    #[test]
    fn the_summary_names_each_reason_once_with_its_tests() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let line = |test: &str, reason: &str| format!("{{\"test\":\"{test}\",\"reason\":\"{reason}\"}}\n");
        let lines =
            [line("b::two", "no tmux"), line("b::one", "no tmux"), line("b::two", "no tmux"), line("a::x", "no curl")];
        fs::write(&log, lines.concat()).unwrap();
        assert_eq!(
            Skipped::read(&log).unwrap().to_string(),
            "SKIPPED checks in 3 tests:\n\n  no curl\n    - a::x\n\n  no tmux\n    - b::one\n    - b::two"
        );
    }
}
