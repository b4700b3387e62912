//! The server info.

use mcp_core::protocol::{Implementation, Revision};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The server info: revision, name, capabilities and instructions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ServerInfo {
    /// The revision of the connection.
    pub revision: Revision,
    /// The name and version of the server, if it sent them.
    pub implementation: Option<Implementation>,
    /// The capabilities of the server.
    pub capabilities: ServerCapabilities,
    /// Instructions for a model that uses the server.
    pub instructions: Option<String>,
}

/// The capabilities of a server. They are not verified: a request may fail even if the server declares its capability.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct ServerCapabilities {
    /// The server has tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Offer>,
    /// The server has resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<Offer>,
    /// The server has prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<Offer>,
    /// The server sends log messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logging: Option<Map<String, Value>>,
    /// The server completes arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completions: Option<Map<String, Value>>,
    /// The server has tasks, in revision 2025-11-25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Map<String, Value>>,
    /// Extensions of the protocol, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
    /// The experimental capabilities of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<Map<String, Value>>,
}

/// The notifications that a server supports for its tools, resources or prompts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct Offer {
    /// The server notifies its clients when the list changes.
    pub list_changed: bool,
    /// The server notifies subscribers when a resource changes.
    pub subscribe: bool,
}
