//! Checks what an MCP server writes against the official JSON Schemas of a protocol revision.
//!
//! The union definitions of the schemas (`ServerResult`, `JSONRPCMessage`) accept almost any object, so a message that
//! is merely "valid" proves little. [`Checker`] instead looks up the one definition that belongs to the method, and adds
//! the few rules that the schemas leave to prose: a reply has a result or an error and never both, an error with a code
//! of its own has the data that the code promises, a server sends only what a server may send.
//!
//! ```
//! use mcp_schema_check::Checker;
//! use serde_json::json;
//!
//! // `None` where the schemas are not at hand; the reason has then been printed.
//! if let Some(checker) = Checker::new("2025-11-25") {
//!     let reply = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}});
//!     assert!(checker.check_reply("tools/list", &reply).is_ok());
//!
//!     let reply = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "add"}]}});
//!     assert!(checker.check_reply("tools/list", &reply).is_err());
//! }
//! ```

mod checker;
mod definitions;
mod extension;

pub use checker::{Checker, Violations};
pub use definitions::schema_folder;
