//! Tests of server processes with real pipes and signals.

mod backpressure;
mod checks;
mod client;
mod command_line;
mod commands;
// Not on Windows: the scripts are for bash, zsh and fish.
#[cfg(unix)]
mod completions;
// Not on Windows: it has no limit for the size of files.
#[cfg(unix)]
mod disk_full;
mod features;
mod install;
mod misbehaving_tools;
mod record;
mod secrets;
mod shutdown;
// Not on Windows: it has no tmux.
#[cfg(unix)]
mod terminal;
// Not on Windows: it has no tmux.
#[cfg(unix)]
mod tmux;
// Windows: process/windows.rs
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;
