//! `cargo xtask wasm`: checks the crates that run inside WebAssembly, and calls a tool there.

use std::{env, io, process::Command};

use crate::cross::Toolchain;

/// Has standard input and output.
const WASI: &str = "wasm32-wasip1";

/// Has no system interface.
const BARE: &str = "wasm32-unknown-unknown";

/// Prepares the standard libraries and runs everything. Returns whether all is well.
pub(crate) fn run() -> io::Result<bool> {
    let Some(toolchain) = Toolchain::prepare("wasm")? else { return Ok(true) };
    // The server is checked too, because the macros generate code in it.
    if !toolchain.cargo("check", BARE).args(["--package=mcp-core", "--package=wasm-server"]).status()?.success() {
        return Ok(false);
    }
    if !toolchain.cargo("build", WASI).arg("--package=wasm-server").status()?.success() {
        return Ok(false);
    }
    let has_node = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_node {
        println!("SKIPPED: no tool was called inside WebAssembly, because node is not installed");
        return Ok(env::var_os("CI").is_none_or(|ci| ci != "true"));
    }
    let mut client = Command::new("python3");
    client.args(["tools/xtask/client.py", "--call", "add", r#"{"a": 2, "b": 3}"#, "5", "node", "examples/wasm/run.mjs"]);
    client.arg(toolchain.build.join(WASI).join("debug/wasm-server.wasm"));
    Ok(client.status()?.success())
}
