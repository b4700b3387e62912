//! The built-in tools of the CLI with typed inputs and results, for permission callbacks and hooks.
//!
//! ```
//! use mcp_agent::builtin::Builtin;
//! use mcp_agent::{Agent, Decision};
//!
//! let agent = Agent::new().permission(|ask| async move {
//!     match ask.builtin() {
//!         Builtin::Read(_) | Builtin::Grep(_) => Decision::allow(),
//!         Builtin::Write(write) if write.file_path.ends_with(".md") => Decision::allow(),
//!         other => Decision::deny(format!("no {} here", other.name())),
//!     }
//! });
//! ```

pub use mcp_agent_tools::builtin::*;

use crate::hook::{HookCall, PermissionRequest, PostToolUse, PreToolUse};
use crate::message::ToolUse;
use crate::permission::AskFields;

impl AskFields {
    /// Returns the tool with its typed input.
    pub fn builtin(&self) -> Builtin {
        Builtin::parse(&self.tool_name, &self.input)
    }
}

impl ToolUse {
    /// Returns the tool with its typed input.
    pub fn builtin(&self) -> Builtin {
        Builtin::parse(&self.name, &self.input)
    }
}

impl HookCall<PreToolUse> {
    /// Returns the tool with its typed input.
    pub fn builtin(&self) -> Builtin {
        Builtin::parse(&self.tool_name, &self.tool_input)
    }
}

impl HookCall<PostToolUse> {
    /// Returns the tool with its typed input.
    pub fn builtin(&self) -> Builtin {
        Builtin::parse(&self.tool_name, &self.tool_input)
    }

    /// Returns the typed result of the tool.
    pub fn output(&self) -> output::BuiltinOutput {
        output::BuiltinOutput::parse(&self.tool_name, &self.tool_response)
    }
}

impl HookCall<PermissionRequest> {
    /// Returns the tool with its typed input.
    pub fn builtin(&self) -> Builtin {
        Builtin::parse(&self.tool_name, &self.tool_input)
    }
}
