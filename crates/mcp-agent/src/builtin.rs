//! The built-in tools of the CLI with typed inputs, for permission callbacks and hooks.
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

pub use mcp_agent_tools::builtin::{
    AskUserQuestionInput, BashInput, BashOutputInput, Builtin, Choice, EditInput, EnterPlanModeInput, ExecuteCodeInput,
    ExitPlanModeInput, GetDiagnosticsInput, GlobInput, GrepInput, GrepOutput, KillShellInput, ListMcpResourcesInput,
    MultiEditInput, NotebookCell, NotebookEditInput, NotebookEditMode, Question, Raw, ReadInput, ReadMcpResourceInput,
    Replacement, SkillInput, TaskInput, TaskStopInput, Todo, TodoStatus, TodoWriteInput, ToolSearchInput, WebFetchInput,
    WebSearchInput, WriteInput,
};

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
}

impl HookCall<PermissionRequest> {
    /// Returns the tool with its typed input.
    pub fn builtin(&self) -> Builtin {
        Builtin::parse(&self.tool_name, &self.tool_input)
    }
}
