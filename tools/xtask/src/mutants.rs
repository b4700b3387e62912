//! `cargo xtask mutants`: changes lines on purpose with cargo-mutants, and reports the changes that no test notices.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::target;

/// The version of cargo-mutants. Other versions make other changes.
const VERSION: &str = "27.1.0";

/// The exit code of cargo-mutants if all tests passed for some change.
const MISSED: i32 = 2;

/// The exit code of cargo-mutants if the tests did not end for some change. The change was noticed.
const TIMEOUT: i32 = 3;

/// The exit code of `timeout`: the time for the sample is over.
const STOPPED: i32 = 124;

/// The time for a sample in seconds, without installing cargo-mutants.
const SAMPLE_SECONDS: &str = "300";

/// The page with the table.
const PAGE: &str = "docs/mutants.md";

/// Runs `sample [REVISION]` or `PACKAGE [FILES]`. Returns whether every change was noticed.
pub(crate) fn run(arguments: &[OsString]) -> io::Result<bool> {
    match arguments {
        [] => Err(io::Error::other("name a package, or `sample`")),
        [first] if first == "sample" => sample(OsStr::new("HEAD^")),
        [first, revision] if first == "sample" => sample(revision),
        [package, files @ ..] => whole(package, files),
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
    let mut timeout = Command::new("timeout");
    // The signal lets cargo-mutants remove its copy of the tree.
    timeout.args(["--signal=INT", SAMPLE_SECONDS]).arg(install()?).args(["mutants", "--workspace", "--shuffle"]);
    timeout.arg("--in-diff").arg(diff).arg("--output").arg(&folder).env("CARGO_TARGET_DIR", folder.join("build"));
    // The results of the last run must not be taken for those of this one.
    let results = folder.join("mutants.out");
    let _ = fs::remove_dir_all(&results);
    let status = timeout.status()?.code();
    let list = |name: &str| fs::read_to_string(results.join(name)).unwrap_or_default();
    let missed = list("missed.txt");
    let noticed = list("caught.txt").lines().count() + list("timeout.txt").lines().count();
    let end = if status == Some(STOPPED) { "the time is over" } else { "all were tested" };
    println!("{noticed} changes were noticed, {} were not; {end}", missed.lines().count());
    if !missed.is_empty() {
        println!(
            "No test notices these changes. Add a test, or exclude them in .cargo/mutants.toml with the reason:\n{missed}"
        );
    }
    match status {
        Some(0 | MISSED | TIMEOUT | STOPPED) => Ok(missed.is_empty()),
        other => Err(io::Error::other(format!("cargo-mutants ended with exit code {other:?}"))),
    }
}

/// Tests all changes to a package, or to files of it, and updates their rows in the table.
fn whole(package: &OsStr, files: &[OsString]) -> io::Result<bool> {
    let folder = target()?.join("mutants");
    fs::create_dir_all(&folder)?;
    let mut mutants = Command::new(install()?);
    mutants.args(["mutants", "--no-shuffle", "--package"]).arg(package).arg("--output").arg(&folder);
    for file in files {
        mutants.arg("--file").arg(file);
    }
    let status = mutants.env("CARGO_TARGET_DIR", folder.join("build")).status()?.code();
    if !matches!(status, Some(0 | MISSED | TIMEOUT)) {
        return Err(io::Error::other(format!("cargo-mutants ended with exit code {status:?}")));
    }
    update(Path::new(PAGE), &folder.join("mutants.out"))?;
    Ok(status != Some(MISSED))
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

/// The changes of one file: caught, without an end, missed, and not compilable.
type Counts = [usize; 4];

/// The lists that cargo-mutants writes, in the order of [`Counts`].
const LISTS: [&str; 4] = ["caught.txt", "timeout.txt", "missed.txt", "unviable.txt"];

/// Replaces the rows of the files that were tested.
fn update(page: &Path, results: &Path) -> io::Result<()> {
    let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
    for (index, list) in LISTS.iter().enumerate() {
        let lines = fs::read_to_string(results.join(list)).unwrap_or_default();
        // A line is `file:line:column: description`.
        for file in lines.lines().filter_map(|line| line.split_once(':')).map(|(file, _)| file) {
            counts.entry(file.to_owned()).or_default()[index] += 1;
        }
    }
    let text = fs::read_to_string(page)?;
    fs::write(page, with_rows(&text, &counts).ok_or_else(|| io::Error::other("the page has no table"))?)
}

/// Returns the page with these rows added or replaced, sorted by file.
fn with_rows(page: &str, counts: &BTreeMap<String, Counts>) -> Option<String> {
    const HEAD: &str = "|---|---|---|---|---|---|\n";
    let (before, rest) = page.split_once(HEAD)?;
    let length = rest.split_inclusive('\n').take_while(|line| line.starts_with('|')).map(str::len).sum();
    let (old, after) = rest.split_at(length);
    let mut rows: BTreeMap<&str, String> =
        old.lines().filter_map(|row| Some((row.split('`').nth(1)?, row.to_owned()))).collect();
    for (file, [caught, timeout, missed, unviable]) in counts {
        let (noticed, viable) = (caught + timeout, caught + timeout + missed);
        let share = (100 * noticed).checked_div(viable).map_or("-".to_owned(), |share| format!("{share} %"));
        rows.insert(file, format!("| `{file}` | {viable} | {noticed} | {missed} | {share} | {unviable} |"));
    }
    let rows = rows.values().fold(String::new(), |text, row| text + row + "\n");
    Some(format!("{before}{HEAD}{rows}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "Text.\n\n| file | a | b | c | d | e |\n|---|---|---|---|---|---|\n| `b.rs` | 1 | 1 | 0 | 100 % | 0 |\n\nMore.\n";

    #[test]
    fn rows_of_tested_files_are_replaced_and_others_are_kept() {
        let counts = BTreeMap::from([("a.rs".to_owned(), [3, 1, 1, 2]), ("c.rs".to_owned(), [0, 0, 0, 4])]);
        let page = with_rows(PAGE, &counts).unwrap();
        let rows: Vec<&str> = page.lines().skip(4).take_while(|line| line.starts_with('|')).collect();
        assert_eq!(
            rows,
            ["| `a.rs` | 5 | 4 | 1 | 80 % | 2 |", "| `b.rs` | 1 | 1 | 0 | 100 % | 0 |", "| `c.rs` | 0 | 0 | 0 | - | 4 |"]
        );
        assert!(page.starts_with("Text.\n") && page.ends_with("|\n\nMore.\n"));
        let again = with_rows(&page, &BTreeMap::from([("b.rs".to_owned(), [0, 0, 2, 0])])).unwrap();
        assert!(again.contains("| `b.rs` | 2 | 0 | 2 | 0 % | 0 |") && again.contains("`a.rs`"));
    }

    #[test]
    fn results_are_counted_by_file() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("page.md", PAGE);
        write("caught.txt", "a.rs:1:2: replace f\na.rs:3:2: replace g\n");
        write("missed.txt", "a.rs:4:2: replace h with (Vec::new())\n");
        update(&folder.path().join("page.md"), folder.path()).unwrap();
        let page = fs::read_to_string(folder.path().join("page.md")).unwrap();
        assert!(page.contains("| `a.rs` | 3 | 2 | 1 | 66 % | 0 |"), "{page}");
    }
}
