//! `MCP_TOOL_EXPAND=1 cargo build` prints the generated code.

use std::io::Write;
use std::process::{Command, Stdio};

use proc_macro2::TokenStream;

/// The environment variable: `1` prints everything, any other value only code that contains it, such as the name of a tool.
const VARIABLE: &str = "MCP_TOOL_EXPAND";

/// Returns the code, and prints it to stderr if the environment variable selects it.
pub(crate) fn print_if_requested(code: TokenStream) -> TokenStream {
    if let Ok(wanted) = std::env::var(VARIABLE)
        && let text = code.to_string()
        && (wanted == "1" || text.contains(&wanted))
    {
        print(&formatted(&text).unwrap_or(text));
    }
    code
}

#[allow(clippy::print_stderr, reason = "printing is the purpose, and cargo reads the stdout of the compiler")]
fn print(code: &str) {
    eprintln!("{code}");
}

/// Formats the code with rustfmt. `None` if that fails.
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
