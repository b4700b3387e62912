//! Turns on loom for this package alone, so that nothing else is built twice.

use std::io::Write;

fn main() -> std::io::Result<()> {
    writeln!(std::io::stdout(), "cargo::rustc-cfg=mcp_loom\ncargo::rerun-if-changed=build.rs")
}
