//! Servers as processes: what only a real process with real pipes can show.

mod client;
mod ends;
mod faults;
mod hand;
mod pressure;
