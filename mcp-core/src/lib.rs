//! Write a function, put `#[tool]` on it, and it is an MCP tool.
//!
//! ```
//! use mcp_core::{server, tool, tools};
//!
//! /// Add two numbers.
//! #[tool]
//! async fn add(
//!     /// left addend
//!     a: i64,
//!     /// right addend
//!     b: i64,
//! ) -> i64 {
//!     a + b
//! }
//!
//! let server = server!().tools(tools![add]).build()?;
//! # assert_eq!(server.tools().next().unwrap().description(), "Add two numbers.");
//! # Ok::<(), mcp_core::BuildError>(())
//! ```
//!
//! One idea carries this crate: **a server is a value, a session is `receive(message) -> reply`, everything else is a pump.**
//! It does no I/O, spawns nothing and reads no clock; the crates around it do: `mcp-stdio` serves a [`Server`] over standard
//! input and output, `mcp-agent` mounts it in a session with the Claude Code CLI, `mcp-test` calls it from your tests.
//!
//! # Parameters
//! **Owned parameters are the caller's, borrowed parameters are the server's.** An owned parameter is an argument of the tool:
//! its doc comment is the description, `Option` makes it optional, `#[serde(..)]` and `#[schemars(..)]` attributes pass
//! through. A borrowed one is given by the server: [`&Context`](Context), or any `&T` that was given to [`Builder::state`].
//!
//! # Results
//! Whatever is [`IntoToolResult`]: `()`, text, numbers, [`Content`], [`Json<T>`](Json) for structured output, and `Result` of
//! these. An error becomes a result that the model can read and act upon.

mod ask;
mod builder;
mod cache;
mod call_details;
mod call_state;
mod cancellation;
mod completion;
mod context;
mod dispatch;
mod error;
mod fate;
mod faults;
mod header_param;
mod hook;
mod host;
mod incoming;
mod inflight;
mod jsonrpc;
mod limits;
mod listing;
mod live;
mod load;
mod methods;
mod name;
mod needed;
mod outline;
mod params;
mod principal;
mod product;
mod progress;
mod prompt;
mod prompt_spec;
mod protocol;
mod registry;
mod reply;
mod requests;
mod requirement;
mod resource;
mod resource_spec;
mod result;
mod running;
mod schema;
mod seal;
mod server;
mod session;
mod session_store;
mod set_macros;
mod strings;
mod subscriptions;
mod task;
mod template;
mod tool;
mod tool_error;
mod tool_output;
mod tool_spec;
mod trace;
mod work;

pub use ask::{AskError, Elicited, Root, Sampled, Sampling};
pub use builder::{Builder, IntoServer};
pub use cache::Cache;
pub use cancellation::Cancellation;
pub use completion::{Completer, Typed};
pub use context::Context;
pub use error::{BuildError, Fault, Offer};
pub use header_param::HeaderParam;
pub use hook::{Hook, HookCall, Next};
pub use host::{BoxFuture, Host, Job, Outbox, Outgoing};
pub use inflight::InFlight;
pub use jsonrpc::{Answer, Code, Id, Malformed, Message, Notification, RawJson, Request, Response, RpcError};
pub use limits::Limits;
pub use live::Live;
pub use mcp_macros::{prompt, resource, tool, toolset};
pub use outline::Outline;
pub use params::Params;
pub use principal::Principal;
pub use progress::Amount;
pub use prompt::{IntoPrompt, Prompt, PromptArgument, PromptCall, PromptOutcome, Promptset, prompt_fn};
pub use prompt_spec::PromptSpec;
pub use protocol::{
    Annotations, ClientCapabilities, Content, ElicitationCapability, EmbeddedResource, Icon, Implementation, LogLevel,
    Media, PromptMessage, PromptResult, ResourceContents, ResourceLink, Revision, Role, Text, Theme, ToolAnnotations,
};
pub use reply::{Later, Reply};
pub use requirement::Requirement;
pub use resource::{IntoContents, ReadCall, ReadOutcome, Resource, Resourceset, resource_fn};
pub use resource_spec::ResourceSpec;
pub use result::{IntoToolResult, Json, ToolResult};
pub use schema::{InputSchema, OutputSchema};
pub use seal::{Remembered, Seal};
pub use server::Server;
pub use session::Session;
pub use session_store::{SessionRecord, SessionStore, SessionStoreError};
pub use task::{
    StoreError, Task, TaskLetter, TaskMail, TaskOutcome, TaskStatus, TaskStore, TaskSupport, Tasks, TasksInMemory,
};
pub use tool::{Call, Tool, Toolset, tool_fn};
pub use tool_error::ToolError;
pub use tool_output::ToolOutput;
pub use tool_spec::ToolSpec;
pub use work::Calling;

pub use schemars;
pub use serde;
pub use serde_json;

#[doc(hidden)]
pub mod __private;
