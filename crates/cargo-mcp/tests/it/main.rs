//! `cargo mcp`, run as its users run it, against the crates of this workspace, without a network.

mod dev;
mod new;
mod project;
mod quickstart;
