//! `cargo xtask mutants`: changes lines on purpose with cargo-mutants, and reports the changes that no test notices.

mod page;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use crate::target;

/// The version of cargo-mutants. Other versions make other changes.
const VERSION: &str = "27.1.0";

/// The exit code of cargo-mutants if all tests passed for some change.
const MISSED: i32 = 2;

/// The exit code of cargo-mutants if the tests did not end for some change. The change was noticed.
const TIMEOUT: i32 = 3;

/// The time for a sample, without installing cargo-mutants and without the first run of the tests, in which nothing is changed.
const SAMPLE_TIME: Duration = Duration::from_secs(300);

/// The page with the results.
const PAGE: &str = "docs/mutants.md";

/// The crates that `all` tests, and the other packages with their tests.
const CRATES: [(&str, &[&str]); 7] = [
    ("mcp-core", &[]),
    ("mcp-guard", &[]),
    ("mcp-http", &[]),
    ("mcp-client", &[]),
    ("mcp-stdio", &[]),
    ("mcp-macros", &["mcp-workspace", "mcp-core"]),
    ("mcp-agent", &["mcp-agent-test"]),
];

/// Runs `sample [REVISION]`, `all [K/N]` or `PACKAGE [K/N] [FILES]`. Returns whether every change was noticed.
pub(crate) fn run(arguments: &[OsString]) -> io::Result<bool> {
    match arguments {
        [] => Err(io::Error::other("name a package, `all` or `sample`")),
        [first] if first == "sample" => sample(OsStr::new("HEAD^")),
        [first, revision] if first == "sample" => sample(revision),
        [first, part @ ..] if first == "all" => {
            let mut noticed = true;
            for (package, _) in CRATES {
                noticed &= whole(package, part)?;
            }
            Ok(noticed)
        }
        [package, rest @ ..] => whole(package.to_str().unwrap_or_default(), rest),
    }
}

/// Tests a random sample of the changes to lines that differ from the revision.
fn sample(revision: &OsStr) -> io::Result<bool> {
    let folder = target()?.join("mutants");
    fs::create_dir_all(&folder)?;
    let diff = folder.join("sample.diff");
    let changed = Command::new("git").args(["diff", "--no-ext-diff"]).arg(revision).args(["--", "*.rs"]).output()?;
    if !changed.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&changed.stderr).into_owned()));
    }
    if changed.stdout.is_empty() {
        println!("no Rust code has changed since {}", revision.display());
        return Ok(true);
    }
    fs::write(&diff, changed.stdout)?;
    // The results of the last run must not be taken for those of this one.
    let results = folder.join("mutants.out");
    let _ = fs::remove_dir_all(&results);
    let mut mutants = Command::new(install()?);
    mutants.args(["mutants", "--workspace", "--shuffle", "--in-diff"]).arg(diff).arg("--output").arg(&folder);
    let child = mutants.env("CARGO_TARGET_DIR", folder.join("build")).spawn()?;
    let (status, is_stopped) = wait(child, &results.join("log"))?;
    let list = |name: &str| fs::read_to_string(results.join(name)).unwrap_or_default();
    let missed = list("missed.txt");
    let noticed = list("caught.txt").lines().count() + list("timeout.txt").lines().count();
    let end = if is_stopped { "the time is over" } else { "all were tested" };
    println!("{noticed} changes were noticed, {} were not; {end}", missed.lines().count());
    if !missed.is_empty() {
        println!(
            "No test notices these changes. Add a test, or exclude them in .cargo/mutants.toml with the reason:\n{missed}"
        );
    }
    let is_tested = noticed > 0 || !missed.is_empty() || !list("unviable.txt").is_empty();
    match status {
        _ if is_stopped && !is_tested => Err(io::Error::other("no change was tested in time: make the sample smaller")),
        _ if is_stopped => Ok(missed.is_empty()),
        Some(0 | MISSED | TIMEOUT) => Ok(missed.is_empty()),
        other => Err(io::Error::other(format!("cargo-mutants ended with exit code {other:?}"))),
    }
}

/// Waits for cargo-mutants, and interrupts it [`SAMPLE_TIME`] after it began with the first change. Returns its exit code, and
/// whether it was interrupted.
fn wait(mut mutants: Child, logs: &Path) -> io::Result<(Option<i32>, bool)> {
    let mut end = None;
    loop {
        if let Some(status) = mutants.try_wait()? {
            return Ok((status.code(), false));
        }
        // The first file is the log of the tests without a change.
        if end.is_none() && fs::read_dir(logs).is_ok_and(|logs| logs.count() > 1) {
            end = Some(Instant::now() + SAMPLE_TIME);
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            // The signal lets cargo-mutants remove its copy of the tree.
            Command::new("kill").args(["-INT", &mutants.id().to_string()]).status()?;
            return Ok((mutants.wait()?.code(), true));
        }
        thread::sleep(Duration::from_millis(200));
    }
}

/// Tests the changes to a package, or to files of it, and updates the page. With `K/N` it tests only every N-th change.
fn whole(package: &str, rest: &[OsString]) -> io::Result<bool> {
    let (part, files) = match rest {
        [first, files @ ..] if is_part(first) => (first.to_str(), files),
        files => (None, files),
    };
    let folder = target()?.join("mutants");
    fs::create_dir_all(&folder)?;
    let mut mutants = Command::new(install()?);
    mutants.args(["mutants", "--no-shuffle", "--package", package, "--test-package", package]).arg("--output").arg(&folder);
    let tests = CRATES.iter().find(|(name, _)| *name == package).map_or(&[][..], |(_, tests)| tests);
    mutants.args(tests.iter().flat_map(|tests| ["--test-package", tests]));
    if let Some(part) = part {
        mutants.args(["--sharding", "round-robin", "--shard", part]);
    }
    for file in files {
        mutants.arg("--file").arg(file);
    }
    let status = mutants.env("CARGO_TARGET_DIR", folder.join("build")).status()?.code();
    if !matches!(status, Some(0 | MISSED | TIMEOUT)) {
        return Err(io::Error::other(format!("cargo-mutants ended with exit code {status:?}")));
    }
    let by_file = !files.is_empty();
    page::update(Path::new(PAGE), &folder.join("mutants.out"), package, part, by_file)?;
    Ok(status != Some(MISSED))
}

/// Returns whether this is `K/N`.
fn is_part(argument: &OsStr) -> bool {
    let numbers = argument.to_str().and_then(|text| text.split_once('/'));
    numbers.is_some_and(|(part, parts)| part.parse::<usize>().is_ok() && parts.parse::<usize>().is_ok())
}

/// Installs cargo-mutants under the target folder and returns its path.
fn install() -> io::Result<PathBuf> {
    let tools = target()?.join("tools");
    let root = tools.join(format!("cargo-mutants-{VERSION}"));
    let program = root.join("bin/cargo-mutants");
    if !program.is_file() {
        let mut install = Command::new("cargo");
        // Without optimisations: it waits for other programs most of the time.
        install.args(["install", "--quiet", "--debug", "--locked", "cargo-mutants", "--version"]).arg(format!("={VERSION}"));
        let status = install.arg("--root").arg(&root).arg("--target-dir").arg(tools.join("build")).status()?;
        if !status.success() {
            return Err(io::Error::other("cargo-mutants cannot be installed"));
        }
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_two_numbers() {
        assert!(is_part(OsStr::new("0/40")));
        for file in ["src/lib.rs", "0", "a/40", "0/", "0/40.rs"] {
            assert!(!is_part(OsStr::new(file)), "{file}");
        }
    }
}
