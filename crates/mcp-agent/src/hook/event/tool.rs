//! Events about tools and permission.

use serde_json::Value;

use super::{HookEvent, events};
use crate::hook::specific::{
    ContextOutput, ElicitationOutput, PermissionDeniedOutput, PermissionRequestOutput, PostToolUseOutput, PreToolUseOutput,
};
use crate::permission::PermissionUpdate;
use crate::wire::view;

events! {
    /// Before a tool is used.
    PreToolUse -> PreToolUseOutput {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// The tool use.
        tool_use_id: String,
        /// The server whose tool it is.
        mcp_server: Option<HookServer>,
    }
    /// After a tool was used.
    PostToolUse -> PostToolUseOutput {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// What it gave back.
        tool_response: Value,
        /// The tool use.
        tool_use_id: String,
        /// How long it took.
        duration_ms: Option<u64>,
        /// The server whose tool it is.
        mcp_server: Option<HookServer>,
    }
    /// After a tool failed.
    PostToolUseFailure -> ContextOutput {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// The tool use.
        tool_use_id: String,
        /// Why.
        error: String,
        /// Whether it was interrupted.
        is_interrupt: Option<bool>,
        /// How long it took.
        duration_ms: Option<u64>,
        /// The server whose tool it is.
        mcp_server: Option<HookServer>,
    }
    /// After all tools of one answer were used.
    PostToolBatch -> ContextOutput {
        /// The tool uses.
        tool_calls: Vec<BatchedToolCall>,
    }
    /// Somebody is to be asked about a tool. The permission callback is asked at the same time; the first answer counts.
    PermissionRequest -> PermissionRequestOutput {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// What could be remembered.
        permission_suggestions: Option<Vec<PermissionUpdate>>,
        /// The server whose tool it is.
        mcp_server: Option<HookServer>,
    }
    /// A tool was refused.
    PermissionDenied -> PermissionDeniedOutput {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// The tool use.
        tool_use_id: String,
        /// Why.
        reason: String,
        /// The server whose tool it is.
        mcp_server: Option<HookServer>,
    }
    /// A server asks the user something.
    Elicitation -> ElicitationOutput {
        /// The server.
        mcp_server_name: String,
        /// What it asks.
        message: String,
        /// `form` or `url`.
        mode: Option<String>,
        /// Where to answer.
        url: Option<String>,
        /// Which elicitation.
        elicitation_id: Option<String>,
        /// What an answer looks like.
        requested_schema: Option<Value>,
    }
    /// The user answered a server.
    ElicitationResult -> ElicitationOutput {
        /// The server.
        mcp_server_name: String,
        /// Which elicitation.
        elicitation_id: Option<String>,
        /// `form` or `url`.
        mode: Option<String>,
        /// `accept`, `decline` or `cancel`.
        action: String,
        /// The answer.
        content: Option<Value>,
    }
}

view! {
    /// The server whose tool an event is about.
    pub struct HookServer {
        /// Its name.
        name: String,
        /// Who configured it.
        source: String,
    }

    /// One of the tool uses of an answer.
    pub struct BatchedToolCall {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// The tool use.
        tool_use_id: String,
        /// What it gave back.
        tool_response: Option<Value>,
    }
}
