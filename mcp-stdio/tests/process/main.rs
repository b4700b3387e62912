//! Tests of server processes with real pipes and signals.

mod client;
mod commands;
mod ends;
mod faults;
mod hand;
mod install;
mod pressure;
mod record;
mod secrets;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod tmux;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;
