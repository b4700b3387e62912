//! What a server says of itself.

use mcp_core::protocol::{Implementation, Revision};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the handshake found out about a server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ServerInfo {
    /// The revision that is in force on the connection.
    pub revision: Revision,
    /// The name and version of the server, if it gave them.
    pub implementation: Option<Implementation>,
    /// What the server offers.
    pub capabilities: ServerCapabilities,
    /// How to use the server, for a model.
    pub instructions: Option<String>,
}

/// What a server offers. A server may lie: requests to it can fail all the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct ServerCapabilities {
    /// It has tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Offer>,
    /// It has resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<Offer>,
    /// It has prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<Offer>,
    /// It sends log messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logging: Option<Map<String, Value>>,
    /// It completes arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completions: Option<Map<String, Value>>,
    /// It has tasks, in revision 2025-11-25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Map<String, Value>>,
    /// What it offers beyond the protocol, by the name of the extension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
    /// What it offers as an experiment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<Map<String, Value>>,
}

/// How a server offers tools, resources or prompts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct Offer {
    /// It tells when the list changes.
    pub list_changed: bool,
    /// It tells when a resource changes.
    pub subscribe: bool,
}
