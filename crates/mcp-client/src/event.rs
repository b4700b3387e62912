//! Notifications of a server.

use mcp_core::LogLevel;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A list that has changed on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of resources or of resource templates.
    Resources,
    /// The list of prompts.
    Prompts,
}

/// A log message of the server.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct LogMessage {
    /// The severity of the log message.
    pub level: LogLevel,
    /// The part of the server that wrote the message.
    #[serde(default)]
    pub logger: Option<String>,
    /// The message: text or an object.
    #[serde(default)]
    pub data: Value,
    /// The metadata of the server (`_meta`).
    #[serde(rename = "_meta", default)]
    pub meta: Option<Map<String, Value>>,
}

/// A notification that this crate has no type for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Notification {
    /// The name of the method.
    pub method: String,
    /// The parameters of the notification.
    pub params: Value,
}
