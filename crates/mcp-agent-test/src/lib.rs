//! What tests of agents need, so that they run offline.
//!
//! - [`Model`] stands in for the Messages API: the real CLI runs against it and hears scripted [`Turn`]s.
//! - [`Cli`] is that real CLI, pinned, and [`Sandbox`] the place where it finds nothing of the caller's.
//! - [`ScriptedCli`] and [`ScriptedProgram`] stand in for the CLI itself and play a [`Script`]: the one as a transport in
//!   memory, the other as a process that dies, floods and hangs on demand. A [`ManualCli`] is played by the test itself.
//!
//! With the real CLI a test shows that an agent works. With a scripted one it shows what the agent does when the CLI does
//! not.

mod cli;
mod model;
mod sandbox;
mod scripted;

pub use cli::{Cli, CliError};
pub use model::{ApiError, Block, Model, PausePoint, Request, StopReason, ToolResult, ToolUse, Turn, Usage, prompt};
pub use sandbox::Sandbox;
pub use scripted::{ManualCli, Script, ScriptedCli, ScriptedProgram, Started, Step, scripted_cli};
