//! Has the examples linked to fixed addresses, as Go links its programs, and for `benches/` all servers that are measured.
//!
//! A program that the loader may put anywhere has some ten thousand addresses in it, most of them in the tables of the
//! validator's regular expressions, and the loader writes them all at each start. That is half of what an idle server has in
//! memory of its own. `docs/shipping.md` says what is given up for it, and how a server of your own does the same.
//!
//! Examples that are optimised also have what a start runs in one place, which is what `startup.ld` does.

use std::env;

#[allow(clippy::print_stdout, reason = "this is how build scripts talk to cargo")]
fn main() {
    // Nothing but the name of the package and the linker decides.
    println!("cargo::rerun-if-changed=Cargo.toml");
    if of("CARGO_CFG_TARGET_OS") != "linux" || of("CARGO_CFG_TARGET_ENV") != "gnu" {
        return;
    }
    if of("CARGO_PKG_NAME") != "mcp-workspace" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
        return;
    }
    println!("cargo::rustc-link-arg-examples=-no-pie");
    println!("cargo::rerun-if-changed=startup.ld");
    if of("PROFILE") == "release" && links_with_lld() {
        println!("cargo::rustc-link-arg-examples=-Wl,-T,{}/startup.ld", of("CARGO_MANIFEST_DIR"));
    }
}

fn of(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// Whether the linker is the one that comes with Rust on this system; others read such a script otherwise.
fn links_with_lld() -> bool {
    let is_chosen = of("CARGO_ENCODED_RUSTFLAGS").split('\x1f').any(|flag| flag.contains("link"));
    of("TARGET") == "x86_64-unknown-linux-gnu" && env::var_os("RUSTC_LINKER").is_none() && !is_chosen
}
