//! `cargo xtask windows`: runs tests as Windows programs, under Wine or on Windows itself.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    time::Instant,
};

use crate::{counts::Counts, cross::Toolchain, target};

const TARGET: &str = "x86_64-pc-windows-gnu";

/// The packages that are tested, besides the published crates: the workspace with the example servers, and the server of torture.py.
const OTHER_PACKAGES: [&str; 2] = ["mcp-workspace", "torture"];

/// A published crate that runs in the compiler, which is not built for Windows here.
const COMPILER_PLUGIN: &str = "mcp-macros";

/// The integration tests. `docs/platforms.md` says what the others need that Windows, or Wine, does not have.
const TESTS: [&str; 30] = [
    "auth",
    "bypass",
    "client",
    "command_line",
    "commands",
    "conversations",
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

/// The examples that tests start.
const PROGRAMS: [&str; 14] = [
    "calc",
    "calculator",
    "console",
    "fake_cargo",
    "hello",
    "ledger",
    "logs",
    "notes",
    "playground",
    "progress",
    "tasks",
    "test_server",
    "tools",
    "torture",
];

/// Cases of `torture.py` that send no signals: Windows has none.
const HOSTILE_CASES: &str = "garbage_line,garbage_first,bom,crlf,blank_lines,byte_by_byte,split_utf8,pipelined,nul_bytes,bad_utf8_line,\
    bad_utf8_argument,lone_surrogate,eof_no_newline,big_4mib,big_64mib,deep_nesting,long_method,many_keys,\
    lookalike_keys,number_ids,odd_params,number_method,unknown_method,unknown_notification,stray_replies,\
    call_too_early,initialize_twice,initialize_bare,odd_version,eof,eof_after_request,broken_pipe,unknown_tool,\
    wrong_argument_type,missing_argument,panic,panic_storm,cancel_race,cancel_nonsense,pollute,secret_on_stderr,\
    steady_state,eof_while_slow,slow_and_ping,block_and_ping,cancel";

/// Prepares the toolchain and runs everything, or what `arguments` of `cargo test` select. Returns whether all is well.
pub(crate) fn run(arguments: &[OsString]) -> io::Result<bool> {
    let start = Instant::now();
    let Some(windows) = Windows::prepare()? else { return Ok(true) };
    let mut counts = Counts::default();
    let passed =
        if arguments.is_empty() { windows.test_all(&mut counts)? } else { windows.test(arguments, &mut counts)?.success() };
    println!("\n{counts}\nThe tests for Windows took {} s.", start.elapsed().as_secs());
    Ok(passed)
}

/// Compares the speed of a server of this framework with that of one written by hand, both built for Windows. Returns whether the
/// ratio is within the limit of `speed.py`.
pub(crate) fn speed() -> io::Result<bool> {
    let Some(windows) = Windows::prepare()? else { return Ok(true) };
    if !windows.cargo("build").args(["--release", "--package=windows-speed"]).status()?.success() {
        return Ok(false);
    }
    let mut speed = windows.python(Path::new("tools/windows/speed.py"));
    for name in ["framework-server.exe", "floor-server.exe"] {
        let words = windows.program("release", name);
        speed.arg(words.iter().map(|word| format!("'{}'", word.display())).collect::<Vec<_>>().join(" "));
    }
    Ok(speed.status()?.success())
}

/// Returns the options of cargo that select the tested packages.
fn packages() -> io::Result<Vec<String>> {
    let published = fs::read_to_string(".ci/crates")?;
    let tested = published.lines().filter(|name| *name != COMPILER_PLUGIN).chain(OTHER_PACKAGES);
    Ok(tested.map(|name| format!("--package={name}")).collect())
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

    fn test_all(&self, counts: &mut Counts) -> io::Result<bool> {
        // Both commands name the same packages, so that cargo builds each dependency once, with the same features.
        let packages = packages()?;
        // The programs that the tests and the clients start: cargo does not run under Wine.
        let mut build = self.cargo("build");
        build.args(&packages).args(PROGRAMS.map(|name| format!("--example={name}")));
        if !build.status()?.success() {
            return Ok(false);
        }
        let mut tests = packages;
        tests.extend(["--lib".to_owned(), "--bins".to_owned()]);
        tests.extend(TESTS.iter().chain(&WINDOWS_TESTS).map(|name| format!("--test={name}")));
        // Wine itself sometimes fails to start a program. A test that fails twice has a cause of its own.
        let passed = self.test(&tests, counts)?.success() || {
            *counts = Counts::default();
            self.test(&tests, counts)?.success()
        };
        Ok(passed & self.real_programs()?)
    }

    fn test<A: AsRef<OsStr>>(&self, arguments: &[A], counts: &mut Counts) -> io::Result<ExitStatus> {
        let mut cargo = self.cargo("test");
        // Checks with Python are skipped, because there is none under Wine. They run on Linux, where CI=true allows no skipped check.
        cargo.env_remove("CI").arg("--no-fail-fast").args(arguments).stdout(Stdio::piped());
        counts.run(&mut cargo)
    }

    /// Drives two servers from Python: one as a well-behaved client, one as a hostile one.
    fn real_programs(&self) -> io::Result<bool> {
        let mut hello = self.python(Path::new("tools/windows/hello.py"));
        hello.args(self.program("debug/examples", "hello.exe"));
        let mut hostile = self.python(Path::new("tools/torture/torture.py"));
        hostile.args(["--strict", "--scale", "3", "--only", HOSTILE_CASES, "--"]);
        hostile.args(self.program("debug/examples", "torture.exe"));
        Ok(hello.status()?.success() & hostile.status()?.success())
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
