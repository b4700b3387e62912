//! Calls any MCP server: a child process, an HTTP endpoint, or a server in the same process.
//!
//! ```
//! use mcp_client::Client;
//! use mcp_core::{server, tool, tools};
//! use serde_json::json;
//!
//! /// Add two numbers.
//! #[tool]
//! async fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::of(server!().tools(tools![add])).await?;
//! let sum: i64 = client.call_as("add", json!({"a": 2, "b": 3})).await?;
//! assert_eq!(sum, 5);
//! # Ok(())
//! # }
//! ```
//!
//! # Connecting
//! | server | constructor |
//! |---|---|
//! | a program that is started | [`Client::spawn`] |
//! | streamable HTTP | [`Client::http`] |
//! | HTTP+SSE, the HTTP transport of 2024-11-05 | [`Client::sse`] |
//! | a server in this process | [`Client::of`] |
//! | any two streams | [`Client::connect`] |
//!
//! Each returns a [`Builder`] with options. Awaiting it connects. The client uses the newest revision that the server supports:
//! it sends `server/discover` of 2026-07-28, and `initialize` if the server does not know that method.
//!
//! # Errors and lost connections
//! A lost connection is [restored](Recovery): a process is started again, an HTTP session is opened again, and a response that
//! was cut off is resumed. A call that the server certainly did not begin is sent again. Any other interrupted call fails with
//! [`CallError::Lost`], whose `begun` is true: only the caller knows whether repeating it is safe. So the client never makes a
//! call take effect twice.
//!
//! # Hostile servers
//! A server is not trusted. The size of messages, the number of pages, of events and of requests to the client are bounded, ids
//! are checked, schemas are checked before they are used, redirects are not followed, and credentials are sent only to the
//! origin of the server.
//!
//! # For contributors
//! `reconnect.rs` keeps the connection and restores it, `handshake.rs` opens it, `connection.rs` sends requests. `inbox.rs` passes
//! messages of the server to the requests in `pending.rs`. `request.rs` adds to every request: cache, timeout, retries and input
//! that the server requires. `transport/` has a file for each transport.

mod auth;
mod authorize;
mod builder;
mod cache;
mod call;
mod client;
mod connection;
mod error;
mod event;
mod event_stream;
mod handler;
mod handshake;
mod inbox;
mod known_tools;
mod observe;
mod ongoing;
mod options;
mod pages;
mod pending;
mod prompts;
mod random;
mod reconnect;
mod recovery;
mod request;
mod resources;
mod schema_guard;
mod schema_references;
mod server;
mod shared;
mod subscription;
mod sys;
mod tasks;
mod tools;
mod transport;

pub use auth::{FileStore, OAuth, PrivateKey, RegisteredClient, StoredTokens, TokenStore, open_browser};
pub use authorize::{AuthRequest, Authorize, AuthorizeError, Challenge, Credentials, Next};
pub use builder::Builder;
pub use call::{Call, Progress};
pub use client::Client;
pub use error::{CallError, ConnectError};
pub use event::{Change, LogMessage, Notification};
pub use event_stream::Events;
pub use handler::{Capabilities, Elicitation, ElicitationMode, Handler, Sample, SampleRequest};
pub use observe::Direction;
pub use ongoing::Ongoing;
pub use pages::Pages;
pub use prompts::{Completable, Completion, Prompt, PromptArgument};
pub use recovery::{Recovery, State};
pub use resources::{Resource, ResourceTemplate};
pub use server::{Offer, ServerCapabilities, ServerInfo};
pub use subscription::Subscription;
pub use tasks::{CallOrTask, Task, TaskInfo};
pub use tools::Tool;
pub use transport::Boxed;

// Parts of the API above.
pub use mcp_core::ask::Root;
pub use mcp_core::protocol::Revision;
pub use mcp_core::transport::RpcError;
pub use mcp_core::{Elicited, LogLevel, ToolResult};
