//! `cargo xtask test`: runs the tests, then prints which checks were skipped, and why. `cargo xtask windows` runs tests under Wine,
//! `cargo xtask wasm` inside WebAssembly. `cargo xtask mutants` tests the tests. `cargo xtask book` builds the documentation.
//!
//! The test runner hides the output of tests that pass, so the tests append skipped checks to a log: see `tools/test-env`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the command line")]

mod book;
mod counts;
mod cross;
mod mutants;
mod skipped;
mod test_run;
mod wasm;
mod windows;

use std::{
    env,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus, Stdio},
};

use crate::{counts::Counts, skipped::Skipped};

const USAGE: &str = "usage: cargo xtask test [ARGUMENTS OF cargo test]

Runs `cargo test --locked` and prints a summary of the checks that were skipped.
Without arguments it tests the whole workspace. With CI=true a skipped check is a failure.

       cargo xtask windows [ARGUMENTS OF cargo test]

Prepares a toolchain for Windows under target/windows-toolchain, on Debian, and runs tests under Wine.
Without arguments it runs all tests that are meant for Windows, and the example servers with a client in Python. Under Wine, test
binaries that fail are repeated once.

       cargo xtask windows-speed

Compares the speed of a server with that of a server written by hand, as programs for Windows.

       cargo xtask wasm

Prepares standard libraries for WebAssembly under target/wasm-toolchain, on Debian or with rustup's targets, checks the crates
that run there, and calls a tool of examples/wasm with Node.

       cargo xtask mutants PACKAGE [K/N] [FILES]
       cargo xtask mutants all [K/N]
       cargo xtask mutants sample [REVISION]

Changes lines on purpose, and reports the changes that no test notices. The first form tests the changes to a package or to files
of it, and updates docs/mutants.md. `all` does so for every crate with a goal. With K/N only every N-th change is tested, from
number K on. `sample` tests changes to lines that differ from a revision, by default the one before the last, for at most five
minutes after the first run of the tests.

       cargo xtask book

Builds the documentation as a book under target/book/html with mdBook, which it installs under target/tools, and checks all links.";

/// The variable with the log, under the name that `test-env` reads.
const LOG_VARIABLE: &str = "SKIPPED_TESTS_LOG";

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let command = arguments.next().unwrap_or_default();
    let arguments: Vec<OsString> = arguments.collect();
    let outcome = match command.to_str() {
        Some("test") => test(arguments),
        Some("windows") => windows::run(&arguments),
        Some("windows-speed") if arguments.is_empty() => windows::speed(),
        Some("wasm") if arguments.is_empty() => wasm::run(),
        Some("mutants") => mutants::run(&arguments),
        Some("book") if arguments.is_empty() => book::run(),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(passed) => ExitCode::from(u8::from(!passed)),
        Err(error) => {
            eprintln!("cannot run the tests: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the tests and prints the summary. Returns whether all tests passed.
fn test(arguments: Vec<OsString>) -> io::Result<bool> {
    let log = log_file()?;
    let mut counts = Counts::default();
    let status = cargo_test(arguments, &log, &mut counts)?;
    let skipped = Skipped::read(&log)?;
    fs::remove_file(&log)?;
    println!("\n{counts}\n{skipped}");
    let refused = !skipped.is_empty() && env::var_os("CI").is_some_and(|ci| ci == "true");
    if refused {
        println!("With CI=true a skipped check is a failure.");
    }
    Ok(status.success() && !refused)
}

/// Runs `cargo test`, passes its output on, and counts the results in it.
fn cargo_test(arguments: Vec<OsString>, log: &Path, counts: &mut Counts) -> io::Result<ExitStatus> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--locked"]).env(LOG_VARIABLE, log).stdout(Stdio::piped());
    if arguments.is_empty() {
        // The tests of the other packages run too if one fails, so that the summary is complete.
        cargo.args(["--workspace", "--no-fail-fast"]);
    }
    counts.run(cargo.args(arguments))
}

/// An empty file under the target folder. Its name has the process id, because two runs can share the folder.
fn log_file() -> io::Result<PathBuf> {
    let log = target()?.join(format!("skipped-tests-{}.jsonl", std::process::id()));
    fs::write(&log, "")?;
    Ok(log)
}

/// The target folder: this program is target/PROFILE/xtask.
fn target() -> io::Result<PathBuf> {
    let this = env::current_exe()?;
    let target = this.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    target.map(Path::to_owned).ok_or_else(|| io::Error::other("this program is not in a target folder of cargo"))
}
