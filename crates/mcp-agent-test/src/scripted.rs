//! A scripted CLI, in memory or as a process.

mod connection;
mod frames;
mod in_memory;
mod interpreter;
mod manual_cli;
mod pattern;
mod program;
mod program_main;
mod script;
mod step;

pub use in_memory::ScriptedCli;
pub use manual_cli::ManualCli;
pub use program::{ScriptedProgram, Started};
pub use program_main::scripted_cli;
pub use script::Script;
pub use step::Step;
