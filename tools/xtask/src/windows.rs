//! `cargo xtask windows`: runs tests as Windows programs under Wine.

use std::{
    env,
    ffi::OsString,
    io,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    time::Instant,
};

use crate::{counts::Counts, target};

const TARGET: &str = "x86_64-pc-windows-gnu";

/// The exit status of `tools/windows/toolchain` if it cannot prepare the toolchain on this machine.
const SKIPPED: i32 = 77;

/// What is tested under Wine. The other crates have no code of their own for Windows, and are only type-checked.
const TESTS: [&[&str]; 4] = [
    &["--package=mcp-core", "--lib", "--test=rules"],
    // A process test drives real programs, and the library tests of mcp-http open real sockets.
    &["--package=mcp-stdio", "--package=mcp-os-windows", "--lib", "--tests"],
    &["--package=mcp-http", "--package=mcp-lines", "--package=mcp-tokio", "--package=mcp-cli", "--lib"],
    &["--package=mcp-agent", "--package=mcp-agent-test", "--lib", "--test=windows"],
];

/// The published crates without tests under Wine.
///
/// Six tests of mcp-guard fail under Wine.
const CHECKED: &[&str] = &[
    "mcp-agent-history",
    "mcp-agent-web",
    "mcp-agent-web-redis",
    "mcp-client",
    "mcp-guard",
    "mcp-http-jwt",
    "mcp-redis",
    "mcp-seal",
    "mcp-test",
    "cargo-mcp",
];

/// The examples that are started.
const PROGRAMS: [&str; 7] = ["calculator", "console", "hello", "logs", "notes", "progress", "torture"];

/// Cases of `torture.py` that send no signals, which Wine does not pass on.
const HOSTILE_CASES: &str = "garbage_line,garbage_first,bom,crlf,blank_lines,byte_by_byte,split_utf8,pipelined,nul_bytes,bad_utf8_line,\
    bad_utf8_argument,lone_surrogate,eof_no_newline,big_4mib,big_64mib,deep_nesting,long_method,many_keys,\
    lookalike_keys,number_ids,odd_params,number_method,unknown_method,unknown_notification,stray_replies,\
    call_too_early,initialize_twice,initialize_bare,odd_version,eof,eof_after_request,broken_pipe,unknown_tool,\
    wrong_argument_type,missing_argument,panic,panic_storm,cancel_race,cancel_nonsense,pollute,secret_on_stderr,\
    steady_state,eof_while_slow,slow_and_ping,block_and_ping,cancel";

/// Prepares the toolchain and runs everything, or what `arguments` of `cargo test` select. Returns whether all is well.
pub(crate) fn run(arguments: &[OsString]) -> io::Result<bool> {
    let folder = target()?.join("windows-toolchain");
    let start = Instant::now();
    let prepared = Command::new("tools/windows/toolchain").arg(&folder).status()?;
    if prepared.code() == Some(SKIPPED) {
        return Ok(true);
    }
    if !prepared.success() {
        return Err(io::Error::other("tools/windows/toolchain failed"));
    }
    println!("The toolchain for Windows was ready after {} s.", start.elapsed().as_secs());
    let windows = Windows { folder: &folder, build: folder.with_file_name("windows") };
    let mut counts = Counts::default();
    let passed =
        if arguments.is_empty() { windows.test_all(&mut counts)? } else { windows.test(arguments, &mut counts)?.success() };
    println!("\n{counts}\nUnder Wine, in {} s.", start.elapsed().as_secs());
    Ok(passed)
}

struct Windows<'a> {
    folder: &'a Path,
    build: std::path::PathBuf,
}

impl Windows<'_> {
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

    fn test<A: AsRef<std::ffi::OsStr>>(&self, arguments: &[A], counts: &mut Counts) -> io::Result<ExitStatus> {
        let mut cargo = self.cargo("test");
        // Checks with Python are skipped, because there is none under Wine. They run on Linux, where CI=true allows no skipped check.
        cargo.env_remove("CI").arg("--no-fail-fast").args(arguments).stdout(Stdio::piped());
        counts.run(&mut cargo)
    }

    /// Builds the servers that the process tests and the clients start: cargo does not run under Wine.
    fn build_servers(&self) -> io::Result<bool> {
        let mut build = self.cargo("build");
        build.args(["--package=mcp-workspace", "--package=torture"]);
        build.args(PROGRAMS.map(|name| format!("--example={name}")));
        Ok(build.status()?.success())
    }

    /// Drives two servers from Python: one as a well-behaved client, one as a hostile one.
    fn real_programs(&self) -> io::Result<bool> {
        let examples = self.build.join(TARGET).join("debug/examples");
        let wine = self.folder.join("wine");
        let mut hello = Command::new("python3");
        hello.arg("tools/windows/hello.py").arg(&wine).arg(examples.join("hello.exe"));
        let mut hostile = Command::new("python3");
        hostile.args(["tools/torture/torture.py", "--strict", "--scale", "3", "--only", HOSTILE_CASES, "--"]);
        hostile.arg(&wine).arg(examples.join("torture.exe"));
        Ok(hello.status()?.success() & hostile.status()?.success())
    }

    /// Cargo of the prepared toolchain, with its environment.
    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new("bash");
        cargo.args(["-c", r#". "$0" && exec cargo "$@""#]).arg(self.folder.join("env"));
        cargo.args([command, "--locked", "--target", TARGET, "--target-dir"]).arg(&self.build);
        // For mcp-stdio/tests/process/client.rs.
        cargo.env("EXAMPLES_ARE_BUILT", "1");
        // Cargo sets these for the programs that it runs, such as this one.
        for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PKG_")) {
            cargo.env_remove(name);
        }
        cargo
    }
}
