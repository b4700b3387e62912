//! Real clients, in the versions that are in the field, against the `calculator` example.

mod claude_code;
mod inspector;
mod npm_client;
mod npm_sdk;
mod python_fastmcp;
mod python_mcp;
mod rust_rmcp;
mod visit;
mod wire;

use interop::Sandbox;

const HANDSHAKE: &str = "2025-11-25";
const STATELESS: &str = "2026-07-28";

fn sandbox(name: &str) -> Sandbox {
    Sandbox::new(name, env!("CARGO_BIN_EXE_witness"))
}
