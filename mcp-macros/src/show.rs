//! `MCP_TOOL_EXPAND=1 cargo build` prints what the attributes make of a crate's tools.

use std::io::Write;
use std::process::{Command, Stdio};

use proc_macro2::TokenStream;

/// The switch: `1` for everything, or a word that the code must contain, such as a tool's name.
const SWITCH: &str = "MCP_TOOL_EXPAND";

/// The code, which is printed if the switch says so.
pub(crate) fn shown(code: TokenStream) -> TokenStream {
    if let Ok(wanted) = std::env::var(SWITCH)
        && let text = code.to_string()
        && (wanted == "1" || text.contains(&wanted))
    {
        print(&formatted(&text).unwrap_or(text));
    }
    code
}

#[allow(clippy::print_stderr, reason = "this is what the switch is for, and a compiler's stdout belongs to cargo")]
fn print(code: &str) {
    eprintln!("{code}");
}

/// As rustfmt writes it, where there is a rustfmt.
fn formatted(code: &str) -> Option<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    rustfmt.stdin.take()?.write_all(code.as_bytes()).ok()?;
    let output = rustfmt.wait_with_output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
