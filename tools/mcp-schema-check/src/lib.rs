//! Checks the messages of an MCP server against the official schemas of a protocol revision.
//!
//! The unions in the schemas (`ServerResult`, `JSONRPCMessage`) accept almost any object, so being valid for them proves
//! little. [`Checker`] uses the one definition that belongs to the method. It also checks rules that the schemas only describe
//! in words: a response has a result or an error and not both, an error code that promises data has them, and a server sends
//! only what a server may send.
//!
//! The schemas are generated from the official packages on PyPI by `python/generate.py`, once, under the target folder.
//!
//! ```
//! use mcp_schema_check::Checker;
//! use serde_json::json;
//!
//! // `None` if the schemas cannot be generated here. The check was then reported as skipped.
//! if let Some(checker) = Checker::new("2025-11-25") {
//!     let response = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}});
//!     assert!(checker.check_reply("tools/list", &response).is_ok());
//!
//!     let response = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "add"}]}});
//!     assert!(checker.check_reply("tools/list", &response).is_err());
//! }
//! ```

mod checker;
mod definitions;
mod generated;
mod tasks_extension;

pub use checker::{Checker, Violations};
