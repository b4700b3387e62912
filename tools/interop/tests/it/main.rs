//! Real clients, in the versions that are in the field, against the `calculator` example and the zoo of parameter types.

mod claude_code;
mod conformance;
mod http;
mod inspector;
mod npm_client;
mod npm_sdk;
mod offers;
mod own_tool;
mod python_fastmcp;
mod python_mcp;
mod rust_rmcp;
mod visit;
mod wire;
mod zoo;

use std::path::Path;

use interop::{Sandbox, calculator};

const HANDSHAKE: &str = "2025-11-25";
const STATELESS: &str = "2026-07-28";

fn sandbox(name: &str) -> Sandbox {
    Sandbox::new(name, env!("CARGO_BIN_EXE_witness"), calculator())
}

fn zoo_sandbox(name: &str) -> Sandbox {
    Sandbox::new(name, env!("CARGO_BIN_EXE_witness"), Path::new(env!("CARGO_BIN_EXE_zoo")))
}
