//! The errors of the API.

use serde::{Deserialize, Serialize};

/// An HTTP error in place of a turn, see [`Turn::error`](crate::Turn::error).
///
/// ```
/// use mcp_agent_test::{ApiError, Turn};
///
/// let busy = Turn::error(ApiError::new(529).message("come back later").retry_after(1));
/// let locked_out = Turn::error(401);
/// # let _ = (busy, locked_out);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiError {
    pub(crate) status: u16,
    #[serde(rename = "error")]
    pub(crate) kind: String,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<u32>,
}

impl ApiError {
    /// The error that the API gives with this HTTP status.
    #[must_use]
    pub fn new(status: u16) -> Self {
        let kind = match status {
            400 => "invalid_request_error",
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            413 => "request_too_large",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            _ => "api_error",
        };
        Self { status, kind: kind.into(), message: format!("scripted failure {status}"), retry_after: None }
    }

    /// Names another type of error than the usual one of the status.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = kind.into();
        self
    }

    /// Sets the text.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Asks the client to wait this many seconds before it tries again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }
}

impl From<u16> for ApiError {
    fn from(status: u16) -> Self {
        Self::new(status)
    }
}
