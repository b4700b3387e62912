//! Runs `cargo mcp` as a user does, with the crates of this workspace and without a network.

mod dev;
mod new;
mod project;
mod quickstart;
