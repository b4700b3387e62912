//! Test doubles for agents built with `mcp-agent`. Tests that use them need no network and no API key.
//!
//! - [`Model`] is a mock of the Messages API. The real CLI connects to it and gets scripted [`Turn`]s as replies.
//! - [`Cli`] is the real Claude Code CLI at a pinned version. [`Sandbox`] isolates it from the settings, sessions and
//!   environment of the user.
//! - [`ScriptedCli`] and [`ScriptedProgram`] are mocks of the CLI that run a [`Script`]. The first is an in-memory
//!   transport, the second a process that can crash, flood its pipes and hang. A [`ManualCli`] is controlled by the test
//!   line by line.
//!
//! Use the real CLI to test that an agent works. Use a scripted CLI to test how the agent handles a faulty CLI.

mod cli;
mod model;
mod sandbox;
mod scripted;
mod sys;

pub use cli::{Cli, CliError};
pub use model::{
    ApiError, Block, CacheCreation, Model, PausePoint, Region, Request, ServerToolUse, Speed, StopReason, ToolResult,
    ToolUse, Turn, Usage, prompt,
};
pub use sandbox::Sandbox;
pub use scripted::{ManualCli, Script, ScriptedCli, ScriptedProgram, Started, Step, scripted_cli};
