//! A scripted CLI, in the test's own process or in one of its own.

mod connection;
mod frames;
mod memory;
mod pattern;
mod play;
mod played;
mod process;
mod program;
mod script;
mod step;

pub use memory::ScriptedCli;
pub use played::PlayedCli;
pub use process::scripted_cli;
pub use program::{ScriptedProgram, Started};
pub use script::Script;
pub use step::Step;
