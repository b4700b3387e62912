//! Tests of server processes with real pipes and signals.

mod backpressure;
mod checks;
mod client;
mod command_line;
mod commands;
#[cfg(unix)]
mod completions;
mod features;
mod install;
mod misbehaving_tools;
mod record;
mod secrets;
mod shutdown;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod tmux;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;
