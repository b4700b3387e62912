//! Test your MCP tools: an in-memory client, snapshots of what clients see, and whole conversations to be had again.
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
//! The client speaks the real protocol to the real session that every transport uses; only the transport is missing. It
//! depends on `mcp-core` alone, so it runs under whatever runtime your tests use.

mod client;
mod difference;
mod host;
mod ongoing;
mod recording;
mod replay;
mod snapshot;
mod transcript;

pub use client::Client;
pub use difference::Difference;
pub use host::ThreadHost;
pub use ongoing::Ongoing;
pub use recording::{Differing, Recording, RecordingError, ReplayError, Spoken};
#[doc(hidden)]
pub use snapshot::__assert_tools_snapshot;
pub use snapshot::{SnapshotError, ToolChange, check_tools};
pub use transcript::{Mismatch, Step, Transcript};
