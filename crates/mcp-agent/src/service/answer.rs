//! Responses to requests of the CLI.

use mcp_core::transport::Response;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::transport::Pending;

/// The response to a request of the CLI.
#[derive(Debug)]
pub(crate) enum Answer {
    Success(Box<RawValue>),
    /// The response of a mounted server.
    Mcp(Response),
    Error {
        message: String,
        code: Option<&'static str>,
    },
    /// No response: the program sends it to the CLI in another way.
    Elsewhere,
}

impl Answer {
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Self::Error { message: message.into(), code: None }
    }

    /// Returns the response to a request of an unknown subtype.
    pub(super) fn unsupported(subtype: &str) -> Self {
        let message = format!("unsupported control request subtype: {subtype}");
        Self::Error { message, code: Some("unsupported_request") }
    }

    pub(super) fn of(value: &impl Serialize) -> Self {
        match to_raw_value(value) {
            Ok(raw) => Self::Success(raw),
            Err(error) => Self::error(format!("cannot serialize the response: {error}")),
        }
    }

    /// Returns the response to an `mcp_message` that is a notification. The CLI expects one; this is the one that the official SDK
    /// sends.
    pub(super) fn acknowledged() -> Self {
        Self::of(&serde_json::json!({"mcp_response": {"jsonrpc": "2.0", "result": {}, "id": 0}}))
    }
}

/// The outcome of serving a request: a response, or a future of it.
pub(crate) enum Work {
    Done(Answer),
    Going(Pending<'static, Answer>),
}
