//! Removes a program from the `PATH` and runs the test that needs it with `cargo xtask test`.
#![cfg(unix)]

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Output},
};

use tempfile::TempDir;

/// A folder with links to all programs of the `PATH`, except tmux.
fn programs_without_tmux() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for path in env::split_paths(&env::var_os("PATH").unwrap()) {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            if entry.file_name() != "tmux" {
                // The first program of a name wins, as in the `PATH`.
                let _ = symlink(entry.path(), folder.path().join(entry.file_name()));
            }
        }
    }
    folder
}

fn xtask_test(programs: &Path, ci: &str) -> Output {
    // The features of the whole workspace, so that nothing is built a second time with others.
    let arguments = ["test", "--workspace", "--test", "process", "terminal::"];
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.args(arguments).env("PATH", programs).env("CI", ci).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    xtask.output().unwrap()
}

#[test]
fn the_summary_names_skipped_checks_and_with_ci_they_fail() {
    let programs = programs_without_tmux();
    let output = xtask_test(programs.path(), "false");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let summary = text.rsplit_once("SKIPPED checks in ").unwrap_or_else(|| panic!("no summary:\n{text}")).1;
    assert!(summary.contains("tmux is not installed"), "{summary}");
    assert!(summary.contains("    - process::terminal::"), "{summary}");

    let output = xtask_test(programs.path(), "true");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("CI=true allows no skipped check: tmux is not installed"), "{text}");
}

#[test]
fn an_unknown_command_prints_the_usage() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("tset").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("usage: cargo xtask test"));
}
