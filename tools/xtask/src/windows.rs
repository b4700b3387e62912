//! `cargo xtask windows`: runs tests as Windows programs, under Wine or on Windows itself.

use std::{
    env,
    ffi::{OsStr, OsString},
    io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    time::Instant,
};

use crate::{counts::Counts, cross::Toolchain, target};

const TARGET: &str = "x86_64-pc-windows-gnu";

/// The tests of all published crates, without those that need other programs: docs/platforms.md lists these.
const TESTS: [&[&str]; 7] = [
    &["--package=mcp-core", "--package=mcp-stdio", "--package=mcp-os-windows", "--package=mcp-http", "--lib", "--tests"],
    &[
        "--package=mcp-lines",
        "--package=mcp-tokio",
        "--package=mcp-cli",
        "--package=mcp-seal",
        "--package=mcp-test",
        "--lib",
        "--tests",
    ],
    &["--package=mcp-client", "--lib", "--test=auth", "--test=client", "--test=hostile", "--test=recovery"],
    &["--package=mcp-agent", "--package=mcp-agent-test", "--package=mcp-agent-tools", "--lib", "--tests"],
    &["--package=mcp-agent-history", "--package=mcp-agent-web", "--package=mcp-http-jwt", "--lib", "--bins"],
    &["--package=mcp-guard"],
    // The golden transcripts: in memory, over stdio, over HTTP and from a mounted server.
    &["--package=mcp-workspace", "--test=transports"],
];

/// The published crates without tests here: those of the first three need Redis, those of cargo-mcp start cargo.
const CHECKED: [&str; 4] = ["mcp-agent-redis", "mcp-agent-web-redis", "mcp-redis", "cargo-mcp"];

/// The packages with examples that tests start.
const PACKAGES: [&str; 5] = ["mcp-workspace", "torture", "mcp-client", "mcp-http", "mcp-os-windows"];

/// These examples.
const PROGRAMS: [&str; 10] =
    ["calculator", "console", "hello", "ledger", "logs", "notes", "progress", "tasks", "test_server", "torture"];

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
    let wine = if cfg!(windows) {
        None
    } else {
        let Some(toolchain) = Toolchain::prepare("windows")? else { return Ok(true) };
        Some(toolchain)
    };
    let windows = Windows { wine, target: target()? };
    let mut counts = Counts::default();
    let passed =
        if arguments.is_empty() { windows.test_all(&mut counts)? } else { windows.test(arguments, &mut counts)?.success() };
    println!("\n{counts}\nThe tests for Windows took {} s.", start.elapsed().as_secs());
    Ok(passed)
}

struct Windows {
    /// The toolchain with Wine. `None` on Windows itself.
    wine: Option<Toolchain>,
    /// The target folder of this machine.
    target: PathBuf,
}

impl Windows {
    fn test_all(&self, counts: &mut Counts) -> io::Result<bool> {
        let mut passed = self.build_servers()?;
        for arguments in TESTS {
            passed &= self.test(arguments, counts)?.success();
        }
        passed &= self.real_programs()?;
        let mut check = self.cargo("check");
        check.args(CHECKED.iter().map(|name| format!("--package={name}")));
        passed &= check.status()?.success();
        Ok(passed)
    }

    fn test<A: AsRef<OsStr>>(&self, arguments: &[A], counts: &mut Counts) -> io::Result<ExitStatus> {
        let mut cargo = self.cargo("test");
        // Checks with Python are skipped, because there is none under Wine. They run on Linux, where CI=true allows no skipped check.
        cargo.env_remove("CI").arg("--no-fail-fast").args(arguments).stdout(Stdio::piped());
        counts.run(&mut cargo)
    }

    /// Builds the servers that the process tests and the clients start: cargo does not run under Wine.
    fn build_servers(&self) -> io::Result<bool> {
        let mut build = self.cargo("build");
        build.args(PACKAGES.map(|name| format!("--package={name}")));
        build.args(PROGRAMS.map(|name| format!("--example={name}")));
        Ok(build.status()?.success())
    }

    /// Drives two servers from Python: one as a well-behaved client, one as a hostile one.
    fn real_programs(&self) -> io::Result<bool> {
        let mut hello = self.python(Path::new("tools/windows/hello.py"));
        self.add_program(&mut hello, "hello.exe");
        let mut hostile = self.python(Path::new("tools/torture/torture.py"));
        hostile.args(["--strict", "--scale", "3", "--only", HOSTILE_CASES, "--"]);
        self.add_program(&mut hostile, "torture.exe");
        Ok(hello.status()?.success() & hostile.status()?.success())
    }

    fn python(&self, script: &Path) -> Command {
        let mut python = Command::new(if self.wine.is_some() { "python3" } else { "python" });
        python.arg(script);
        python
    }

    /// Adds the command that starts an example.
    fn add_program(&self, command: &mut Command, name: &str) {
        let mut folder = self.target.clone();
        if let Some(wine) = &self.wine {
            command.arg(wine.folder.join("wine"));
            folder = wine.build.join(TARGET);
        }
        command.arg(folder.join("debug/examples").join(name));
    }

    /// Returns cargo, with the environment that the tests need.
    fn cargo(&self, command: &str) -> Command {
        let mut cargo = match &self.wine {
            Some(wine) => wine.cargo(command, TARGET),
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
