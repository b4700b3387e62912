//! One case of each group of `servers/run.py` against the example `client`. The script `survival` runs all of them.

use std::path::{Path, PathBuf};
use std::process::Command;

const CASES: [&str; 10] = [
    "an_answer_with_the_id_as_text",
    "the_end_in_the_middle_of_a_call",
    "a_server_that_ignores_its_end",
    "batches_of_notifications",
    "questions_all_at_once",
    "ten_thousand_pages",
    "no_revision_at_all",
    "input_required_for_ever",
    "a_redirect_to_loopback",
    "an_event_stream_that_ends_at_once",
];

#[test]
fn the_client_survives_a_hostile_server_of_each_kind() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("servers/run.py");
    let mut run = Command::new("python3");
    run.arg(script).args(["--strict", "--scale", "3", "--only", &CASES.join(","), "--"]).arg(client());
    let output = match run.output() {
        Ok(output) => output,
        Err(error) => return test_env::skip(&format!("no python3: {error}")),
    };
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(report.lines().count(), CASES.len(), "{report}");
}

/// The built example. Cargo builds it before the tests of this package, but not when a test is selected by name.
fn client() -> PathBuf {
    // This test binary is target/PROFILE/deps/hostile_server-HASH.
    let this = std::env::current_exe().expect("a test knows its own path");
    let profile = this.parent().and_then(Path::parent).expect("target/PROFILE/deps");
    let mut build = Command::new(env!("CARGO"));
    // With the features of the whole workspace, nothing is built twice.
    build.args(["build", "--quiet", "--workspace", "--example", "client"]);
    build.arg("--target-dir").arg(profile.parent().expect("target"));
    if profile.ends_with("release") {
        build.arg("--release");
    }
    assert!(build.status().expect("cargo runs").success(), "the example `client` does not build");
    profile.join("examples/client")
}
