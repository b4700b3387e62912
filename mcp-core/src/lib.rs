//! A framework for MCP servers: put `#[tool]` on a function to make it an MCP tool.
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
//! A [`Server`] is an immutable value. A [`Session`](transport::Session) handles one client: it receives a message and
//! returns a reply. This crate does no I/O and spawns no threads or tasks. It reads the clock only for timestamps, which a host can
//! override ([`Host::date`](transport::Host::date)). I/O is in other crates: `mcp-stdio`
//! serves a [`Server`] over standard input and output, `mcp-agent` connects it to a session of the Claude Code CLI, and
//! `mcp-test` calls it from tests.
//!
//! # Parameters
//! **Owned parameters come from the caller, borrowed parameters come from the server.** An owned parameter is an argument of
//! the tool: its doc comment is the description, `Option` makes it optional, and `#[serde(..)]` and `#[schemars(..)]`
//! attributes work as on a field. A struct or enum of your own needs [`#[json_type]`](json_type), or the derives of serde and
//! schemars. A borrowed parameter is [`&Context`](Context), or `&T` for a value that was passed to [`Builder::state`].
//!
//! # Results
//! A tool returns any type that implements [`IntoToolResult`]: `()`, text, numbers, [`Content`], [`Json<T>`](Json) for
//! structured output, and `Result` of these. An error becomes a result with `isError`, which the model can read.

mod call;
mod host;
mod item_macros;
mod jsonrpc;
mod prompt;
mod random_id;
mod resource;
mod server;
mod session;
mod tool;

#[doc(hidden)]
pub mod __private;
pub mod ask;
pub mod caller;
pub mod completion;
pub mod dynamic;
pub mod hook;
pub mod protocol;
pub mod schema;
pub mod task;
pub mod transport;

pub use ask::{AskError, Elicited};
pub use call::cancellation::Cancellation;
pub use call::context::Context;
pub use call::progress::Amount;
pub use mcp_macros::{json_type, prompt, resource, tool, toolset};
pub use prompt::spec::PromptSpec;
pub use prompt::{Promptset, prompt_fn};
pub use protocol::{Content, LogLevel};
pub use resource::spec::ResourceSpec;
pub use resource::{Resourceset, resource_fn};
pub use server::Server;
pub use server::builder::{Builder, IntoServer};
pub use server::cache::Cache;
pub use server::error::{BuildError, Fault, ItemKind};
pub use server::limits::Limits;
pub use server::live::Live;
pub use session::principal::Principal;
pub use tool::error::ToolError;
pub use tool::result::{IntoToolResult, Json, ToolResult};
pub use tool::spec::ToolSpec;
pub use tool::{Toolset, tool_fn};

#[doc(hidden)]
pub use schemars;
#[doc(hidden)]
pub use serde;
#[doc(hidden)]
pub use serde_json;
