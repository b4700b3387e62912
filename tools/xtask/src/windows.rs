//! `cargo xtask windows`: runs tests as Windows programs, under Wine or on Windows itself.

mod servers;

use std::{
    collections::BTreeSet,
    env,
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use crate::{LOG_VARIABLE, cross::Toolchain, log_file, skipped::Skipped, target, test_run::TestRun};
use servers::{ExampleServer, NO_API, SERVERS};

const TARGET: &str = "x86_64-pc-windows-gnu";

/// The packages that are tested, besides the published crates: the example servers, and the server of torture.py.
const OTHER_PACKAGES: [&str; 6] =
    ["mcp-workspace", "files-server", "otlp-server", "sqlite-server", "weather-server", "torture"];

/// A published crate that runs in the compiler, which is not built for Windows here.
const COMPILER_PLUGIN: &str = "mcp-macros";

/// The integration tests. `docs/platforms.md` says what the others need that Windows, or Wine, does not have.
const TESTS: [&str; 31] = [
    "auth",
    "bypass",
    "client",
    "command_line",
    "commands",
    "conversations",
    // The example servers in memory.
    "examples",
    "files",
    "hostile",
    "http",
    "hub",
    "instances",
    "agent",
    "layers",
    "listing",
    "macros",
    "parent",
    "process",
    "project_servers",
    "recordings",
    "recovery",
    "rules",
    "schema_snapshots",
    "serve",
    "serve_on",
    "session",
    "snapshots",
    "stages",
    "standard_streams",
    "tokens",
    // The golden transcripts: in memory, over stdio, over HTTP and from a mounted server.
    "transports",
];

/// The tests that are for Windows only.
const WINDOWS_TESTS: [&str; 2] = ["windows", "windows_names"];

/// The examples that only tests start. The client starts the others, which `servers.rs` lists.
const PROGRAMS: [&str; 8] = ["calc", "console", "fake_cargo", "http", "ledger", "playground", "test_server", "torture"];

/// Cases of `torture.py` that cannot run under Wine: they send signals of Unix or find the server as a child of a Unix process.
const CASES_OF_UNIX: &str = "sigterm,sigint_while_slow,sigterm_twice,orphan";

/// Prepares the toolchain and runs everything, or what `arguments` of `cargo test` select. Returns whether all is well.
pub(crate) fn run(arguments: &[OsString]) -> io::Result<bool> {
    let start = Instant::now();
    let Some(windows) = Windows::prepare()? else { return Ok(true) };
    let log = log_file()?;
    let passed = if arguments.is_empty() { windows.check_all(&log)? } else { windows.test(arguments, &log)?.passed };
    println!("\n{}", Skipped::read(&log)?);
    fs::remove_file(&log)?;
    println!("The tests for Windows took {} s.", start.elapsed().as_secs());
    Ok(passed)
}

/// Compares the speed of a server of this framework with those of two servers written by hand, all built for Windows. Returns whether the
/// ratio is within the limit of `speed.py`.
pub(crate) fn speed() -> io::Result<bool> {
    let Some(windows) = Windows::prepare()? else { return Ok(true) };
    if !windows.cargo("build").args(["--release", "--package=windows-speed"]).status()?.success() {
        return Ok(false);
    }
    let mut speed = windows.python(Path::new("tools/windows/speed.py"));
    // The floor twice: through `std::io::stdin` and `stdout`, and through `File`.
    for (name, option) in [("framework-server.exe", ""), ("floor-server.exe", ""), ("floor-server.exe", " --file")] {
        let words = windows.program("release", name);
        let command = words.iter().map(|word| format!("'{}'", word.display())).collect::<Vec<_>>().join(" ");
        speed.arg(command + option);
    }
    Ok(speed.status()?.success())
}

/// Returns the options of cargo that select the tested packages.
fn packages() -> io::Result<Vec<String>> {
    let published = fs::read_to_string(".ci/crates")?;
    let tested = published.lines().filter(|name| *name != COMPILER_PLUGIN).chain(OTHER_PACKAGES);
    Ok(tested.map(|name| format!("--package={name}")).collect())
}

/// Prints the names of what failed.
fn print_failed(what: &str, names: &BTreeSet<String>) {
    println!("\n{what}:");
    names.iter().for_each(|name| println!("    {name}"));
}

struct Windows {
    /// The toolchain with Wine. `None` on Windows itself.
    wine: Option<Toolchain>,
    /// The target folder of this machine.
    target: PathBuf,
}

impl Windows {
    /// Returns `None` if the toolchain cannot be prepared on this machine.
    fn prepare() -> io::Result<Option<Windows>> {
        let wine = if cfg!(windows) {
            None
        } else {
            let Some(toolchain) = Toolchain::prepare("windows")? else { return Ok(None) };
            Some(toolchain)
        };
        Ok(Some(Windows { wine, target: target()? }))
    }

    fn check_all(&self, log: &Path) -> io::Result<bool> {
        // All commands name the same packages, so that cargo builds each dependency once, with the same features.
        let packages = packages()?;
        let start = Instant::now();
        if !self.build(&packages)? {
            return Ok(false);
        }
        println!("The programs for Windows were ready after {} s.", start.elapsed().as_secs());
        let mut tests = packages.clone();
        tests.extend(["--lib".to_owned(), "--bins".to_owned()]);
        tests.extend(TESTS.iter().chain(&WINDOWS_TESTS).map(|name| format!("--test={name}")));
        let first = self.test(&tests, log)?;
        let passed = first.passed || self.repeat(packages, &first, log)?;
        Ok(passed & self.clippy()? & self.example_servers()? & self.hostile_client()?)
    }

    /// Builds the programs that the tests and the clients start: cargo does not run under Wine.
    fn build(&self, packages: &[String]) -> io::Result<bool> {
        let examples = SERVERS.iter().filter(|server| server.is_example()).map(|server| server.name);
        let mut build = self.cargo("build");
        build
            .args(packages)
            .arg("--bins")
            .args(PROGRAMS.into_iter().chain(examples).map(|name| format!("--example={name}")));
        Ok(build.status()?.success())
    }

    /// Runs `cargo test` and prints the number of tests. `log` is the log of the checks that tests skip.
    fn test(&self, arguments: &[impl AsRef<OsStr>], log: &Path) -> io::Result<TestRun> {
        let mut cargo = self.cargo("test");
        // Checks with Python are skipped, because there is none under Wine. They run on Linux, where CI=true allows no skipped check.
        cargo.env_remove("CI").env(LOG_VARIABLE, log).arg("--no-fail-fast").args(arguments);
        let run = TestRun::of(&mut cargo)?;
        println!("\n{}", run.counts);
        Ok(run)
    }

    /// Repeats the test binaries that failed. Returns whether they pass now. Wine itself sometimes fails to start a program. A test
    /// that fails twice has a cause of its own. On Windows nothing is repeated.
    fn repeat(&self, packages: Vec<String>, first: &TestRun, log: &Path) -> io::Result<bool> {
        print_failed("Tests that failed", &first.failed_tests);
        print_failed("Test binaries that failed", &first.failed_targets);
        // Without a name, something else is wrong, such as a compile error.
        if self.wine.is_none() || first.failed_targets.is_empty() {
            return Ok(false);
        }
        println!("\nThese test binaries are repeated, because Wine sometimes fails to start a program.");
        let second = self.test(&[packages, first.failed_targets.iter().cloned().collect()].concat(), log)?;
        if second.passed {
            print_failed("Tests that failed in the first run and passed in the second", &first.failed_tests);
        } else {
            print_failed("Tests that failed in the second run", &second.failed_tests);
        }
        Ok(second.passed)
    }

    /// Checks the crate with unsafe code, which is empty on other systems.
    fn clippy(&self) -> io::Result<bool> {
        let mut clippy = self.cargo("clippy");
        clippy.args(["--package=mcp-os-windows", "--all-targets", "--", "-D", "warnings"]);
        Ok(clippy.status()?.success())
    }

    /// Starts each example server from a client in Python, which performs the handshake, lists the tools and calls one.
    fn example_servers(&self) -> io::Result<bool> {
        let mut failed = Vec::new();
        for ExampleServer { folder, name, arguments, call } in &SERVERS {
            let mut client = self.python(Path::new("tools/xtask/client.py"));
            if let Some(call) = call {
                client.arg("--call").args(call);
            }
            client.args(self.program(folder, &format!("{name}.exe"))).args(*arguments).env("WEATHER_API", NO_API);
            if !client.status()?.success() {
                failed.push(*name);
            }
        }
        if !failed.is_empty() {
            println!("The client got a wrong answer of these example servers: {}", failed.join(", "));
        }
        Ok(failed.is_empty())
    }

    /// Runs the hostile client against its server. Not on Windows itself: `torture.py` needs signals, sessions and pipes of Unix.
    fn hostile_client(&self) -> io::Result<bool> {
        if self.wine.is_none() {
            return Ok(true);
        }
        let start = Instant::now();
        let mut hostile = self.python(Path::new("tools/torture/torture.py"));
        hostile.args(["--strict", "--scale", "3", "--except", CASES_OF_UNIX, "--"]);
        let passed = hostile.args(self.program("debug/examples", "torture.exe")).status()?.success();
        println!("The hostile client took {} s.", start.elapsed().as_secs());
        Ok(passed)
    }

    fn python(&self, script: &Path) -> Command {
        let mut python = Command::new(if self.wine.is_some() { "python3" } else { "python" });
        python.arg(script);
        python
    }

    /// Returns the command that starts a program.
    fn program(&self, folder: &str, name: &str) -> Vec<PathBuf> {
        match &self.wine {
            Some(wine) => vec![wine.folder.join("wine"), wine.build.join(TARGET).join(folder).join(name)],
            None => vec![self.target.join(folder).join(name)],
        }
    }

    /// Returns cargo, with the environment that the tests need.
    fn cargo(&self, command: &str) -> Command {
        let mut cargo = match &self.wine {
            Some(wine) => {
                let mut cargo = wine.cargo(command, TARGET);
                // Saves a third of the time, most of it in the linker.
                cargo.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_INCREMENTAL", "0");
                cargo
            }
            None => {
                let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
                cargo.args([command, "--locked", "--target-dir"]).arg(&self.target).env("AWS_LC_SYS_PREBUILT_NASM", "1");
                cargo
            }
        };
        // For tests that start examples.
        cargo.env("EXAMPLES_ARE_BUILT", "1");
        cargo
    }
}
