//! What authors see: mistakes are told once, where they are made, with what to write instead.
//!
//! The toolchain is pinned, so that the compiler's words are the same everywhere. `TRYBUILD=overwrite` rewrites them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

#[test]
fn mistakes_are_told_and_right_code_compiles() {
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
fn a_tool_that_nobody_lists_is_warned_about() {
    let warned = compile(Path::new("tests/ui/warn/a_tool_that_nobody_lists.rs"), |rustc| rustc);
    assert_eq!(warned.matches("warning:").count(), 2, "one warning, and rustc's count of them: {warned}");
    assert!(warned.contains("warning: function `sub` is never used"), "{warned}");
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

/// Compiles one file that uses mcp-core; returns what rustc says.
fn compile(source: &Path, options: impl Fn(&mut Command) -> &mut Command) -> String {
    let core = built_core();
    // Each has a folder of its own, since tests run at the same time.
    static COMPILED: AtomicUsize = AtomicUsize::new(0);
    let folder = format!("ui-{}-{}", std::process::id(), COMPILED.fetch_add(1, Ordering::Relaxed));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&out).expect("a folder for the output");
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "--crate-type", "bin", "--emit", "metadata", "--out-dir"]).arg(&out).arg(source);
    rustc.arg("--extern").arg(format!("mcp_core={}", core.display()));
    rustc.arg("-L").arg(format!("dependency={}", core.parent().expect("a folder").display()));
    // What cargo says of the crate that is compiled.
    rustc.env("CARGO_PKG_NAME", "example").env("CARGO_PKG_VERSION", "1.0.0").env_remove("MCP_TOOL_EXPAND");
    let output = options(&mut rustc).output().expect("rustc runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    std::fs::remove_dir_all(&out).expect("the output can be removed");
    said
}

/// Where cargo put the mcp-core that this test was built with.
fn built_core() -> PathBuf {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--no-run", "--offline", "--test", "ui", "--message-format", "json"]);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
    let messages = String::from_utf8_lossy(&output.stdout);
    let core = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).find_map(|message| {
        let files = message["filenames"].as_array().filter(|_| message["target"]["name"] == "mcp_core")?;
        files.iter().filter_map(Value::as_str).find(|file| file.ends_with(".rlib")).map(PathBuf::from)
    });
    core.unwrap_or_else(|| panic!("cargo built no mcp-core: {}", String::from_utf8_lossy(&output.stderr)))
}
