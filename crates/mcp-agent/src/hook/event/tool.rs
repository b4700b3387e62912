//! Events about tools and permission.

use serde_json::Value;

use super::{HookEvent, events};
use crate::hook::event_output::{
    ContextOutput, ElicitationOutput, PermissionDeniedOutput, PermissionRequestOutput, PostToolUseOutput, PreToolUseOutput,
};
use crate::permission::PermissionUpdate;
use crate::wire::view;

events! {
    /// Before a tool is used.
    PreToolUse -> PreToolUseOutput {
        /// The name of the tool.
        tool_name: String,
        /// The arguments of the tool use.
        tool_input: Value,
        /// The id of the tool use.
        tool_use_id: String,
        /// The MCP server of the tool.
        mcp_server: Option<HookServer>,
    }
    /// After a tool was used.
    PostToolUse -> PostToolUseOutput {
        /// The name of the tool.
        tool_name: String,
        /// The arguments of the tool use.
        tool_input: Value,
        /// The result of the tool.
        tool_response: Value,
        /// The id of the tool use.
        tool_use_id: String,
        /// The duration of the tool use in milliseconds.
        duration_ms: Option<u64>,
        /// The MCP server of the tool.
        mcp_server: Option<HookServer>,
    }
    /// After a tool failed.
    PostToolUseFailure -> ContextOutput {
        /// The name of the tool.
        tool_name: String,
        /// The arguments of the tool use.
        tool_input: Value,
        /// The id of the tool use.
        tool_use_id: String,
        /// Why the tool failed.
        error: String,
        /// Whether the tool use was interrupted.
        is_interrupt: Option<bool>,
        /// The duration of the tool use in milliseconds.
        duration_ms: Option<u64>,
        /// The MCP server of the tool.
        mcp_server: Option<HookServer>,
    }
    /// After all tools of one answer were used.
    PostToolBatch -> ContextOutput {
        /// The tool uses of the answer.
        tool_calls: Vec<BatchedToolCall>,
    }
    /// Permission for a tool use is needed. The permission callback is called at the same time; the first answer counts.
    PermissionRequest -> PermissionRequestOutput {
        /// The name of the tool.
        tool_name: String,
        /// The arguments of the tool use.
        tool_input: Value,
        /// The suggested permission updates.
        permission_suggestions: Option<Vec<PermissionUpdate>>,
        /// The MCP server of the tool.
        mcp_server: Option<HookServer>,
    }
    /// A tool use was denied.
    PermissionDenied -> PermissionDeniedOutput {
        /// The name of the tool.
        tool_name: String,
        /// The arguments of the tool use.
        tool_input: Value,
        /// The id of the tool use.
        tool_use_id: String,
        /// Why the tool use was denied.
        reason: String,
        /// The MCP server of the tool.
        mcp_server: Option<HookServer>,
    }
    /// An MCP server requests an elicitation.
    Elicitation -> ElicitationOutput {
        /// The name of the server.
        mcp_server_name: String,
        /// The question.
        message: String,
        /// How the user answers: `form` or `url`.
        mode: Option<String>,
        /// The web page for the answer, in mode `url`.
        url: Option<String>,
        /// The id of the elicitation.
        elicitation_id: Option<String>,
        /// The JSON Schema of the answer.
        requested_schema: Option<Value>,
    }
    /// The user answered an elicitation.
    ElicitationResult -> ElicitationOutput {
        /// The name of the server.
        mcp_server_name: String,
        /// The id of the elicitation.
        elicitation_id: Option<String>,
        /// How the user answers: `form` or `url`.
        mode: Option<String>,
        /// What the user did: `accept`, `decline` or `cancel`.
        action: String,
        /// The answer of the user.
        content: Option<Value>,
    }
}

view! {
    /// The MCP server of a tool.
    pub struct HookServer {
        /// The name of the server.
        name: String,
        /// The source of the server's configuration.
        source: String,
    }

    /// One of the tool uses of an answer.
    pub struct BatchedToolCall {
        /// The name of the tool.
        tool_name: String,
        /// The arguments of the tool use.
        tool_input: Value,
        /// The id of the tool use.
        tool_use_id: String,
        /// The result of the tool.
        tool_response: Option<Value>,
    }
}
