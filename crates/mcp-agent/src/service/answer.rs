//! Answers to the CLI.

use mcp_core::transport::Response;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::transport::Pending;

/// An answer to the CLI.
#[derive(Debug)]
pub(crate) enum Answer {
    Success(Box<RawValue>),
    /// The response of a mounted server.
    Mcp(Response),
    Error {
        message: String,
        code: Option<&'static str>,
    },
}

impl Answer {
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Self::Error { message: message.into(), code: None }
    }

    /// To what nobody here can answer.
    pub(super) fn unsupported(subtype: &str) -> Self {
        let message = format!("unsupported control request subtype: {subtype}");
        Self::Error { message, code: Some("unsupported_request") }
    }

    pub(super) fn of(value: &impl Serialize) -> Self {
        match to_raw_value(value) {
            Ok(raw) => Self::Success(raw),
            Err(error) => Self::error(format!("the answer has no JSON form: {error}")),
        }
    }

    /// The CLI wants an answer to a notification too; this is the one that its own SDK gives.
    pub(super) fn acknowledged() -> Self {
        Self::of(&serde_json::json!({"mcp_response": {"jsonrpc": "2.0", "result": {}, "id": 0}}))
    }
}

/// What becomes of a request.
pub(crate) enum Work {
    Done(Answer),
    Going(Pending<'static, Answer>),
}
