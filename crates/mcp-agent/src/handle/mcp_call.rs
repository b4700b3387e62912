//! A call of a tool of an MCP server without the model.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::wire::view;

/// A call of a tool of an MCP server without the model, for [`Handle::mcp_call_with`](crate::Handle::mcp_call_with).
///
/// ```
/// # use std::time::Duration;
/// # use mcp_agent::McpCall;
/// McpCall::new("mcp__files__read").argument("path", "a.txt").timeout(Duration::from_secs(5));
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct McpCall {
    tool: String,
    arguments: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_not_for_model: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check_permissions: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    input_files: Vec<StagedFile>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    output_files: Vec<StagedFile>,
}

/// A file of a cloud session that a call reads or writes.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
struct StagedFile {
    name: String,
    lane_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_match: Option<String>,
}

impl McpCall {
    /// Creates a call without arguments. `tool` is the qualified name, `mcp__server__tool`.
    pub fn new(tool: impl Into<String>) -> Self {
        Self { tool: tool.into(), ..Self::default() }
    }

    /// Sets all arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: Map<String, Value>) -> Self {
        self.arguments = arguments;
        self
    }

    /// Sets an argument.
    #[must_use]
    pub fn argument(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.arguments.insert(name.into(), value.into());
        self
    }

    /// Sets the time limit: from 1 s to 10 minutes. The response then has a [`staging`](McpCallResult::staging) result.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout_ms = Some(u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX));
        self
    }

    /// Sets until when the call may start, in RFC 3339. Required with output files.
    #[must_use]
    pub fn expires_at(mut self, time: impl Into<String>) -> Self {
        self.expires_at = Some(time.into());
        self
    }

    /// Returns the result as the server gave it: not shortened, and without changes for a model.
    #[must_use]
    pub fn result_not_for_model(mut self) -> Self {
        self.result_not_for_model = Some(true);
        self
    }

    /// Applies permission rules, the permission mode and hooks, as to a call of the model. By default none of them apply.
    #[must_use]
    pub fn check_permissions(mut self) -> Self {
        self.check_permissions = Some(true);
        self
    }

    /// Passes a file of a cloud session to the tool. An argument with the text `{{in:NAME}}` becomes its path.
    #[must_use]
    pub fn input_file(mut self, name: impl Into<String>, lane_path: impl Into<String>) -> Self {
        self.input_files.push(StagedFile { name: name.into(), lane_path: lane_path.into(), if_match: None });
        self
    }

    /// Takes a file from the tool into a cloud session. An argument with the text `{{out:NAME}}` becomes the path where the tool
    /// must write it. With `if_match` it is only written if the file still has this version.
    #[must_use]
    pub fn output_file(mut self, name: impl Into<String>, lane_path: impl Into<String>, if_match: Option<&str>) -> Self {
        let if_match = if_match.map(ToOwned::to_owned);
        self.output_files.push(StagedFile { name: name.into(), lane_path: lane_path.into(), if_match });
        self
    }
}

view! {
    /// The result of a call of a tool of an MCP server.
    pub struct McpCallResult {
        /// The content: text, or content blocks.
        content: Value,
        /// The structured content.
        #[serde(rename = "structuredContent")]
        structured_content: Option<Value>,
        /// Whether the tool failed.
        #[serde(rename = "isError")]
        is_error: Option<bool>,
        /// What became of the files of the call.
        staging: Option<Value>,
    }

    /// The content of a resource of an MCP server. It comes from the server: show it in a sandbox.
    pub struct McpResource {
        /// The parts of the content.
        contents: Vec<McpResourceContent>,
    }

    /// A part of the content of a resource.
    pub struct McpResourceContent {
        /// The URI of this part of the resource.
        uri: String,
        /// The media type of this part of the resource.
        #[serde(rename = "mimeType")]
        mime_type: Option<String>,
        /// The text of this part of the resource.
        text: Option<String>,
        /// The bytes of this part of the resource, in base64.
        blob: Option<String>,
        /// The metadata of the server.
        #[serde(rename = "_meta")]
        meta: Option<Map<String, Value>>,
    }
}
