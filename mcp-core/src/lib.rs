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

mod call;
mod host;
mod jsonrpc;
mod prompt;
mod random_id;
mod resource;
mod server;
mod session;
mod set_macros;
mod tool;

#[doc(hidden)]
pub mod __private;
pub mod ask;
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
pub use mcp_macros::{prompt, resource, tool, toolset};
pub use prompt::spec::PromptSpec;
pub use prompt::{Promptset, prompt_fn};
pub use protocol::{Content, LogLevel};
pub use resource::spec::ResourceSpec;
pub use resource::{Resourceset, resource_fn};
pub use server::Server;
pub use server::builder::{Builder, IntoServer};
pub use server::cache::Cache;
pub use server::error::{BuildError, Fault, Offer};
pub use server::limits::Limits;
pub use server::live::Live;
pub use session::principal::Principal;
pub use tool::error::ToolError;
pub use tool::result::{IntoToolResult, Json, ToolResult};
pub use tool::spec::ToolSpec;
pub use tool::{Toolset, tool_fn};

pub use schemars;
pub use serde;
pub use serde_json;
