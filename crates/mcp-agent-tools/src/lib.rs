//! The tools of the Claude Code CLI: their names, typed inputs and permission modes.
//!
//! `mcp-agent`, which runs the CLI, and `mcp-guard`, which evaluates permission rules, both use these types. They are in a
//! crate of their own so that a server with permission rules does not build the code that runs the CLI. Programs that use
//! `mcp-agent` find them there: `mcp_agent::builtin`, `mcp_agent::ToolName`, `mcp_agent::PermissionMode`.

pub mod builtin;
mod permission_mode;
mod string_enum;
mod tool_name;

pub use permission_mode::PermissionMode;
pub use tool_name::ToolName;

#[doc(hidden)]
pub use serde as __serde;
