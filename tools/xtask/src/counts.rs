//! Adds up the results of all test binaries.

use std::{
    fmt,
    io::{self, BufRead as _, BufReader, Read, Write},
    process::{Command, ExitStatus},
};

/// The number of tests by their result.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Counts {
    /// Runs `cargo test` with a piped output, passes its output on, and adds the results in it.
    pub(crate) fn run(&mut self, cargo: &mut Command) -> io::Result<ExitStatus> {
        let mut child = cargo.spawn()?;
        let output = child.stdout.take().expect("stdout is piped");
        pass_on(output, io::stdout(), |line| self.add(line))?;
        child.wait()
    }

    /// Adds a line of the output of `cargo test`, if it is the summary of a test binary.
    pub(crate) fn add(&mut self, line: &str) {
        let Some(results) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". ")) else { return };
        for result in results.1.split("; ") {
            let Some((number, name)) = result.trim().split_once(' ') else { continue };
            let number = number.parse::<u64>().unwrap_or(0);
            match name {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

/// Copies the output of a program to its end. `on_line` gets each line too.
pub(crate) fn pass_on(from: impl Read, mut to: impl Write, mut on_line: impl FnMut(&str)) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        to.write_all(&line)?;
        on_line(&String::from_utf8_lossy(&line));
        line.clear();
    }
    Ok(())
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tests: {} passed, {} failed, {} ignored.", self.passed, self.failed, self.ignored)
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn the_results_of_all_test_binaries_are_added() {
        let mut counts = Counts::default();
        counts.add("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.39s\n");
        counts.add("test some_test ... ok\n");
        counts.add("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s\n");
        assert_eq!(counts, Counts { passed: 15, failed: 2, ignored: 1 });
    }
}
