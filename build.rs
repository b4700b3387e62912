//! Has the examples linked to fixed addresses, as Go links its programs, and for `benches/` all servers that are measured.
//!
//! A program that the loader may put anywhere has some ten thousand addresses in it, most of them in the tables of the
//! validator's regular expressions, and the loader writes them all at each start. That is half of what an idle server has in
//! memory of its own. `docs/shipping.md` says what is given up for it, and how a server of your own does the same.

use std::env;

#[allow(clippy::print_stdout, reason = "this is how build scripts talk to cargo")]
fn main() {
    let of = |name: &str| env::var(name).unwrap_or_default();
    // Nothing but the name of the package decides.
    println!("cargo::rerun-if-changed=Cargo.toml");
    if of("CARGO_CFG_TARGET_OS") == "linux" && of("CARGO_CFG_TARGET_ENV") == "gnu" {
        let programs = if of("CARGO_PKG_NAME") == "mcp-workspace" { "examples" } else { "bins" };
        println!("cargo::rustc-link-arg-{programs}=-no-pie");
    }
}
