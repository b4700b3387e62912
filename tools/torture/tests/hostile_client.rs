//! The short cases of `torture.py` against the example `torture`. The script `survival` runs all of them.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn the_torture_example_survives_every_short_case() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("torture.py");
    // A debug build on a loaded machine needs more time than the cases allow.
    let torture =
        Command::new("python3").arg(script).args(["--short", "--strict", "--scale", "3", "--"]).arg(server()).output();
    let output = match torture {
        Ok(output) => output,
        Err(error) => return test_env::skip(&format!("no python3: {error}")),
    };
    let report = String::from_utf8_lossy(&output.stdout);
    for case in report.lines().filter(|line| line.starts_with("SKIP")) {
        // The measured time differs between runs and is not part of the reason.
        test_env::skip(case.rsplit_once("  [").map_or(case, |(case, _)| case));
    }
    let cases = report.lines().count();
    assert!(output.status.success(), "{report}{}", String::from_utf8_lossy(&output.stderr));
    assert!(cases >= 40, "only {cases} cases were run:\n{report}");
}

/// The built example. Cargo builds it before the tests of this package, but not when a test is selected by name.
fn server() -> PathBuf {
    // This test binary is target/PROFILE/deps/hostile_client-HASH.
    let this = std::env::current_exe().expect("a test knows its own path");
    let profile = this.parent().and_then(Path::parent).expect("target/PROFILE/deps");
    let mut build = Command::new(env!("CARGO"));
    // With the features of the whole workspace, as `cargo test --workspace` builds it, so that CI compiles nothing a second time.
    build.args(["build", "--quiet", "--workspace", "--example", "torture"]);
    build.arg("--target-dir").arg(profile.parent().expect("target"));
    if profile.ends_with("release") {
        build.arg("--release");
    }
    assert!(build.status().expect("cargo runs").success(), "the example `torture` does not build");
    profile.join("examples/torture")
}
