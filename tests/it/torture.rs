//! The short half of `torture/torture.py` against the example of that name; the whole is run by hand and by `torture/survival`.

use std::path::Path;
use std::process::Command;

use crate::binary::example;

#[test]
fn the_torture_example_survives_every_short_case() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("torture/torture.py");
    // A loaded machine and a build without optimisations need more time than the promises are made for.
    let torture = Command::new("python3")
        .arg(script)
        .args(["--short", "--strict", "--scale", "3", "--"])
        .arg(example("torture"))
        .output();
    let output = match torture {
        Ok(output) => output,
        Err(error) if std::env::var("CI").is_ok_and(|ci| ci == "true") => panic!("no python3: {error}"),
        Err(error) => return skipped(&format!("no python3: {error}")),
    };
    let report = String::from_utf8_lossy(&output.stdout);
    let cases = report.lines().count();
    assert!(output.status.success(), "{report}{}", String::from_utf8_lossy(&output.stderr));
    assert!(cases >= 40, "only {cases} cases were run:\n{report}");
}

#[expect(clippy::print_stderr, reason = "the reader of the test output must learn that nothing was proved")]
fn skipped(why: &str) {
    eprintln!("SKIPPED: {why}");
}
