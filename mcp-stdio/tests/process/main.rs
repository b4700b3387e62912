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
mod terminal;
mod tmux;
