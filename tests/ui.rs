//! Compile errors and warnings of the attributes: each mistake is reported once, at its location, with a fix.
//!
//! The toolchain is pinned, so the compiler's messages are the same everywhere. `TRYBUILD=overwrite` updates them.

use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

#[test]
fn invalid_code_has_the_expected_errors_and_valid_code_compiles() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/fail/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}

#[test]
fn panic_abort_is_warned_about_once_for_each_set() {
    let source = Path::new("tests/ui/warn/panic_abort.rs");
    let warned = compile(source, |rustc| rustc.args(["-C", "panic=abort"]));
    assert_eq!(warned.matches("warning: use of deprecated constant").count(), 2, "{warned}");
    assert_eq!(warned.matches("a tool that panics ends the whole server").count(), 2, "{warned}");
    assert!(warned.contains("panic_abort.rs:17:1") && warned.contains("panic_abort.rs:33:29"), "{warned}");

    let silent = compile(source, |rustc| rustc.args(["-C", "panic=unwind"]));
    assert_eq!(silent, "");
}

#[test]
fn panic_abort_is_warned_about_when_the_server_starts() {
    let (built, out) = (Built::now(), Folder::new());
    let used = [
        "mcp_cli",
        "mcp_core",
        "mcp_lines",
        "mcp_tokio",
        "rustix",
        "serde_json",
        "signal_hook",
        "tokio",
        "tracing",
        "tracing_subscriber",
    ];
    let mut stdio = built.rustc(Path::new("mcp-stdio/src/lib.rs"), &out, &used);
    said(stdio.args(["--crate-name", "mcp_stdio", "--crate-type", "rlib", "-C", "panic=abort"]));
    let source = Path::new("tests/ui/warn/panic_abort_start.rs");
    let mut program = built.rustc(source, &out, &["mcp_core", "tracing_subscriber"]);
    program.arg("--extern").arg(format!("mcp_stdio={}", out.0.join("libmcp_stdio.rlib").display()));
    said(program.args(["--crate-type", "bin", "-C", "panic=abort"]));
    let warned = said(&mut Command::new(out.0.join("panic_abort_start")));
    assert_eq!(warned.matches("WARN").count(), 1, "{warned}");
    assert!(warned.contains("a tool that panics ends this server"), "{warned}");
}

#[test]
fn a_tool_that_is_not_in_tools_is_warned_about() {
    let warned = compile(Path::new("tests/ui/warn/a_tool_that_is_not_in_tools.rs"), |rustc| rustc);
    assert_eq!(warned.matches("warning:").count(), 2, "one warning, and rustc's count of them: {warned}");
    assert!(warned.contains("warning: function `sub` is never used"), "{warned}");
}

#[test]
fn a_json_type_compiles_in_a_crate_without_serde_and_schemars() {
    let output = compile(Path::new("tests/ui/pass/a_json_type_without_a_serde_dependency.rs"), |rustc| rustc);
    assert!(!output.contains("error"), "{output}");
}

#[test]
fn a_switch_shows_what_the_attributes_write() {
    let source = Path::new("tests/ui/warn/panic_abort.rs");
    let everything = compile(source, |rustc| rustc.env("MCP_TOOL_EXPAND", "1"));
    for expected in ["impl __mcp::Tool for add {", "impl __mcp::Tool for sub {", "impl __mcp::Toolset for Counter {"] {
        assert!(everything.contains(expected), "{expected} is not in:\n{everything}");
    }
    let one = compile(source, |rustc| rustc.env("MCP_TOOL_EXPAND", "sub"));
    assert!(one.contains("impl __mcp::Tool for sub {") && !one.contains("impl __mcp::Tool for add {"), "{one}");
}

/// Compiles one file that uses mcp-core. Returns the output of rustc.
fn compile(source: &Path, options: impl Fn(&mut Command) -> &mut Command) -> String {
    let built = Built::now();
    let out = Folder::new();
    let mut rustc = built.rustc(source, &out, &["mcp_core"]);
    rustc.args(["--crate-type", "bin", "--emit", "metadata"]);
    said(options(&mut rustc))
}

/// Runs a command, which must succeed. Returns its stderr.
fn said(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

/// A folder of its own for each, since tests run at the same time.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let name = format!("ui-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).expect("a folder for the output");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Where cargo put the crates that this test was built with.
struct Built(HashMap<String, PathBuf>);

impl Built {
    fn now() -> Built {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["test", "--no-run", "--offline", "--test", "ui", "--message-format", "json"]);
        let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let messages = String::from_utf8_lossy(&output.stdout);
        let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let built = messages.filter_map(|message| {
            let files = message["filenames"].as_array()?;
            let library = files.iter().filter_map(Value::as_str).find(|file| file.ends_with(".rlib"))?;
            Some((message["target"]["name"].as_str()?.to_owned(), PathBuf::from(library)))
        });
        Built(built.collect())
    }

    /// A compiler for one file that uses these crates.
    fn rustc(&self, source: &Path, out: &Folder, crates: &[&str]) -> Command {
        let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args(["--edition", "2024", "--out-dir"]).arg(&out.0).arg(source);
        for name in crates {
            let library = self.0.get(*name).unwrap_or_else(|| panic!("cargo built no {name}"));
            rustc.arg("--extern").arg(format!("{name}={}", library.display()));
            rustc.arg("-L").arg(format!("dependency={}", library.parent().expect("a folder").display()));
        }
        // What cargo says of the crate that is compiled.
        rustc.env("CARGO_PKG_NAME", "example").env("CARGO_PKG_VERSION", "1.0.0").env_remove("MCP_TOOL_EXPAND");
        rustc
    }
}
