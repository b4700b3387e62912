//! Runs `cargo mcp list`, `call`, `read`, `prompt` and `complete` as a user does, against the example `playground`.
#![cfg(unix)]

mod commands;
mod login;
mod servers;
mod setup;
mod terminal;
#[path = "../../../../mcp-stdio/tests/process/tmux.rs"]
mod tmux;
