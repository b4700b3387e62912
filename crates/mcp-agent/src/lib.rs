//! Drive the Claude Code CLI and mount MCP servers in-process.
//!
//! An [`Agent`] is a value: options, callbacks, servers. [`Agent::open`] starts the CLI and gives a [`Session`], to which
//! prompts are sent and from which typed [`Message`]s are read; [`query`] does it for one prompt. Meanwhile the CLI asks
//! back, and the session answers by itself: whether a tool may be used (a [`Decision`]), what a [`Hook`] has to say, what
//! a mounted server makes of a message.
//!
//! ```no_run
//! # async fn f() -> Result<(), mcp_agent::Error> {
//! let mut answer = mcp_agent::query("What is 2 + 3?");
//! while let Some(message) = answer.next().await? {
//!     println!("{message:?}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Inside, lines come from a [`Transport`] ([`Process`] unless told otherwise), become frames, and go to whom they
//! concern. The parts that decide (arguments, frames, the in_flight of control requests, the service that answers, when a run
//! is over) do no I/O.

mod agent;
mod argv;
pub mod builtin;
mod callback;
pub mod cost;
mod elicitation;
mod error;
pub mod event;
mod find;
pub mod fold;
mod frame;
mod handle;
pub mod hook;
mod in_flight;
mod initialize;
mod invocation;
mod io_tasks;
mod link;
pub mod mcp_config;
pub mod message;
mod messages;
mod mount;
mod options;
mod permission;
mod process;
mod prompt;
mod query;
mod run;
mod service;
mod session;
mod structured;
mod tool_name;
mod transport;
mod uuid;
mod wire;

pub use agent::Agent;
pub use elicitation::{DialogAnswer, DialogFields, DialogRequest, ElicitationAnswer, ElicitationFields, ElicitationRequest};
pub use error::{Ended, Error, StartError, TurnError, TurnFailure};
pub use handle::{
    BinaryVersion, ContextCategory, ContextUsage, Handle, InterruptReceipt, McpServerStatus, McpTool, RewindOutcome,
    ServersChanged,
};
pub use hook::{Hook, HookCall, HookOutput};
pub use initialize::{Account, ModelInfo, Welcome, WelcomeFields};
pub use invocation::{Arg, Invocation};
pub use message::Message;
pub use messages::Messages;
pub use options::{
    AgentDefinition, Effort, McpServer, OptionsError, PermissionPrompts, Plugin, PluginDelivery, QuestionPreview,
    SettingSource, SystemPrompt, Thinking, ThinkingDisplay,
};
pub use permission::{
    Ask, AskFields, AskServer, Decision, PermissionBehavior, PermissionDestination, PermissionMode, PermissionRule,
    PermissionUpdate,
};
pub use process::Process;
pub use prompt::Prompt;
pub use query::{Query, query, query_as};
pub use service::{ControlRequest, RequestFields};
pub use session::Session;
pub use tool_name::ToolName;
pub use transport::{Connection, Ending, Input, Output, Patience, Peer, Pending, Transport};
pub use wire::Typed;
