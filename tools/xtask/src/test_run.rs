//! A run of `cargo test`, with the names of what failed.

use std::{
    collections::BTreeSet,
    io,
    process::{Command, Stdio},
    thread,
};

use crate::counts::{Counts, pass_on};

/// The results of one run of `cargo test`.
#[derive(Debug, Default)]
pub(crate) struct TestRun {
    pub(crate) passed: bool,
    pub(crate) counts: Counts,
    /// The names of the tests that failed.
    pub(crate) failed_tests: BTreeSet<String>,
    /// The options of cargo that select the test binaries that failed, such as `--lib` and `--test=http`.
    pub(crate) failed_targets: BTreeSet<String>,
}

impl TestRun {
    /// Runs `cargo test` and passes its output on.
    pub(crate) fn of(cargo: &mut Command) -> io::Result<TestRun> {
        let mut run = TestRun::default();
        let mut child = cargo.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (output, errors) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
        let errors = thread::spawn(move || {
            let mut targets = BTreeSet::new();
            pass_on(errors, io::stderr(), |line| targets.extend(failed_target(line))).map(|()| targets)
        });
        pass_on(output, io::stdout(), |line| {
            run.counts.add(line);
            run.failed_tests.extend(failed_test(line));
        })?;
        run.failed_targets = errors.join().expect("the thread does not panic")?;
        run.passed = child.wait()?.success();
        Ok(run)
    }
}

/// Returns the name of the test in a line such as `test a::b ... FAILED`.
fn failed_test(line: &str) -> Option<String> {
    let name = line.trim_end().strip_prefix("test ")?.strip_suffix(" ... FAILED")?;
    Some(name.to_owned())
}

/// Returns the option that selects the target in a line such as ``    `-p mcp-http --test http` ``, of the list that cargo prints last.
fn failed_target(line: &str) -> Option<String> {
    let selected = line.trim().strip_prefix("`-p ")?.strip_suffix('`')?;
    let (_package, target) = selected.split_once(' ')?;
    Some(target.replace(' ', "="))
}

#[cfg(test)]
mod tests {
    use super::{failed_target, failed_test};

    #[test]
    fn the_names_of_failed_tests_and_targets_are_read() {
        assert_eq!(failed_test("test a::b ... FAILED\n").as_deref(), Some("a::b"));
        assert_eq!(failed_test("test a::b ... ok\n"), None);
        assert_eq!(failed_test("test result: FAILED. 3 passed; 2 failed\n"), None);
        assert_eq!(failed_target("    `-p mcp-http --test http`\n").as_deref(), Some("--test=http"));
        assert_eq!(failed_target("    `-p mcp-core --lib`\n").as_deref(), Some("--lib"));
        assert_eq!(failed_target("error: 2 targets failed:\n"), None);
    }
}
