//! Runs `cargo mcp` as a user does, with the crates of this workspace and without a network.

mod dev;
mod new;
mod project;
// Types the lines of the documentation into a shell.
#[cfg(unix)]
mod quickstart;
