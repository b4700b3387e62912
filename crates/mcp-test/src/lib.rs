//! Tests MCP servers: with an in-memory client, snapshots of the tool list, and replay of recorded sessions.
//!
//! ```
//! use mcp_core::{Server, tool, tools};
//! use mcp_test::Client;
//! use serde_json::json;
//!
//! /// Add two numbers.
//! #[tool]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # futures_lite::future::block_on(async {
//! let client = Client::new(Server::builder("calculator", "1.0.0").tools(tools![add]));
//! assert_eq!(client.call("add", json!({"a": 1, "b": 2})).await.to_text(), "3");
//! # });
//! ```
//!
//! The client sends protocol messages to the same session code that every transport uses. Only the transport is missing.
//! The crate depends on `mcp-core` alone, so it works with any async runtime.

mod client;
mod difference;
mod host;
mod pending_call;
mod recording;
mod replay;
mod snapshot;
mod transcript;

pub use client::Client;
pub use difference::Difference;
pub use host::ThreadHost;
pub use pending_call::PendingCall;
pub use recording::{ChangedMessage, RecordedMessage, Recording, RecordingError, ReplayError};
#[doc(hidden)]
pub use snapshot::__assert_tools_snapshot;
pub use snapshot::{SnapshotError, ToolChange, check_tools};
pub use transcript::{Mismatch, Step, Transcript};
