//! Error codes and the error object of JSON-RPC.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The number in a JSON-RPC error.
///
/// A newtype instead of an enum, because applications and later revisions may use any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Code(pub i64);

impl Code {
    /// The input is not JSON.
    pub const PARSE_ERROR: Code = Code(-32700);
    /// The input is JSON, but not a valid request.
    pub const INVALID_REQUEST: Code = Code(-32600);
    /// The server does not have this method.
    pub const METHOD_NOT_FOUND: Code = Code(-32601);
    /// The parameters are invalid.
    pub const INVALID_PARAMS: Code = Code(-32602);
    /// The server failed.
    pub const INTERNAL_ERROR: Code = Code(-32603);
    /// The server is overloaded. The same request may succeed later.
    pub const BUSY: Code = Code(-32000);
    /// There is no resource with this URI (before 2026-07-28).
    pub const RESOURCE_NOT_FOUND: Code = Code(-32002);
    /// The principal lacks a required scope.
    pub const INSUFFICIENT_SCOPE: Code = Code(-32003);
    /// The headers of an HTTP request do not match its body (2026-07-28).
    pub const HEADER_MISMATCH: Code = Code(-32020);
    /// The request needs a capability that the client did not declare (2026-07-28).
    pub const MISSING_CLIENT_CAPABILITY: Code = Code(-32021);
    /// The request names a protocol version that this server does not serve (2026-07-28).
    pub const UNSUPPORTED_VERSION: Code = Code(-32022);
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The `error` object of a JSON-RPC response: a protocol error.
///
/// A tool that fails is not an `RpcError`: it returns a [`ToolResult`](crate::ToolResult) that the model can read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RpcError {
    /// The code of the error.
    pub code: Code,
    /// A message for developers.
    pub message: String,
    /// Structured data about the error.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub data: Option<Value>,
}

impl RpcError {
    /// Creates an error without data.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        RpcError { code, message: message.into(), data: None }
    }

    /// Adds data for programs.
    #[must_use]
    pub fn data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// Creates an error with code -32602.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        RpcError::new(Code::INVALID_PARAMS, message)
    }

    /// Creates an error with code -32600.
    pub fn invalid_request(message: impl Into<String>) -> Self {
        RpcError::new(Code::INVALID_REQUEST, message)
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for RpcError {}
