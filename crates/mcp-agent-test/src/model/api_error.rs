//! Error responses of the Messages API.

use serde::{Deserialize, Serialize};

/// An HTTP error response instead of a turn. See [`Turn::error`](crate::Turn::error).
///
/// ```
/// use mcp_agent_test::{ApiError, Turn};
///
/// let busy = Turn::error(ApiError::new(529).message("come back later").retry_after(1));
/// let unauthorized = Turn::error(401);
/// # let _ = (busy, unauthorized);
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
    /// Creates the error that the API returns with this HTTP status.
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

    /// Sets the error type. The default depends on the status.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = kind.into();
        self
    }

    /// Sets the error message.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets the `retry-after` header, in seconds.
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
