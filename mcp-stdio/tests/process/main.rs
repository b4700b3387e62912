//! Servers as processes: what only a real process with real pipes can show.

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
