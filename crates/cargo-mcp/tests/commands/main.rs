//! Runs `cargo mcp` as a user does, with the crates of this workspace and without a network.

mod dev;
mod new;
mod project;
// Not on Windows: it types the lines of the documentation into a POSIX shell.
#[cfg(unix)]
mod quickstart;
mod registry;
mod release;
mod release_bytes;
mod replaced_program;
mod templates;
