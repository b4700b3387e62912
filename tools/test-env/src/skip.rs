use std::{
    env,
    ffi::OsStr,
    fs::OpenOptions,
    io::{self, Write as _},
    path::Path,
    thread,
};

use serde_json::json;

/// The environment variable that names the file to which [`skip`] appends. `cargo xtask test` sets it.
pub const LOG_VARIABLE: &str = "SKIPPED_TESTS_LOG";

/// Reports that the running test, or a part of it, is skipped. The test should then return.
///
/// The reason is printed to standard error, past the output capture of the test runner, and appended to the log of
/// skipped checks.
///
/// # Panics
///
/// With `CI=true`, because a build server must run every check. Also if the log cannot be written.
pub fn skip(reason: &str) {
    assert!(
        env::var_os("CI").is_none_or(|ci| ci != "true"),
        "a check cannot run, and CI=true allows no skipped check: {reason}"
    );
    let test = running_test();
    // `eprintln!` would be captured and dropped, because the test passes.
    let _ = writeln!(io::stderr(), "SKIPPED {test}: {reason}");
    if let Some(log) = env::var_os(LOG_VARIABLE) {
        append(log.as_ref(), &test, reason)
            .unwrap_or_else(|error| panic!("cannot write the log of skipped checks: {error}"));
    }
}

/// One line in one write, so that lines of several test processes do not mix.
fn append(log: &Path, test: &str, reason: &str) -> io::Result<()> {
    let line = format!("{}\n", json!({"test": test, "reason": reason}));
    OpenOptions::new().create(true).append(true).open(log)?.write_all(line.as_bytes())
}

/// The test binary and the test, for example `transports::transcripts::asking`.
fn running_test() -> String {
    let binary = env::current_exe().ok();
    let binary = binary.as_deref().and_then(Path::file_stem).and_then(OsStr::to_str).unwrap_or("unknown");
    // Cargo appends a hash to the name of a test binary.
    let binary = binary.rsplit_once('-').map_or(binary, |(name, _)| name);
    // The test runner names the thread of a test after the test.
    format!("{binary}::{}", thread::current().name().unwrap_or("unknown"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Value;

    use super::{append, running_test};

    #[test]
    fn the_log_has_one_line_for_each_skipped_check() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        append(&log, "binary::first", "no tmux").unwrap();
        append(&log, "binary::second", "two\nlines").unwrap();
        let lines: Vec<Value> =
            fs::read_to_string(&log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(
            (lines.len(), &lines[0]["test"], &lines[1]["reason"]),
            (2, &"binary::first".into(), &"two\nlines".into())
        );
    }

    #[test]
    fn a_skipped_test_is_named_after_its_binary_and_function() {
        assert_eq!(running_test(), "test_env::skip::tests::a_skipped_test_is_named_after_its_binary_and_function");
    }
}
