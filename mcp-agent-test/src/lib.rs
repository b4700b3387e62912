//! What tests of agents need, so that they run offline.
//!
//! - [`Model`] stands in for the Messages API: the real CLI runs against it and hears scripted [`Turn`]s.
//! - [`Cli`] is that real CLI, pinned, and [`Sandbox`] the place where it finds nothing of the caller's.

mod cli;
mod model;
mod sandbox;

pub use cli::{Cli, CliError};
pub use model::{
    Block, Gate, Model, Request, SeenResult, StopReason, ToolUse, Turn, Usage, prompt,
};
pub use sandbox::Sandbox;
