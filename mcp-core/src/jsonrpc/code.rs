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
    /// The line is not JSON.
    pub const PARSE_ERROR: Code = Code(-32700);
    /// JSON, but not a request.
    pub const INVALID_REQUEST: Code = Code(-32600);
    /// No such method here.
    pub const METHOD_NOT_FOUND: Code = Code(-32601);
    /// The method exists, its parameters are wrong.
    pub const INVALID_PARAMS: Code = Code(-32602);
    /// The server failed.
    pub const INTERNAL_ERROR: Code = Code(-32603);
    /// The server has too much to do; the same request may succeed later.
    pub const BUSY: Code = Code(-32000);
    /// There is nothing at that address (before 2026-07-28).
    pub const RESOURCE_NOT_FOUND: Code = Code(-32002);
    /// The principal may not do this: it lacks a scope.
    pub const INSUFFICIENT_SCOPE: Code = Code(-32003);
    /// The headers of an HTTP request say something else than its body (2026-07-28).
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

/// The protocol was violated, or cannot do what was asked: the `error` of a JSON-RPC reply.
///
/// A tool that fails is no `RpcError`: it answers with a [`ToolResult`](crate::ToolResult) that the model can read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RpcError {
    /// What kind of error.
    pub code: Code,
    /// One sentence for the person who debugs the client.
    pub message: String,
    /// Data for programs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub data: Option<Value>,
}

impl RpcError {
    /// An error without data.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        RpcError { code, message: message.into(), data: None }
    }

    /// The same error with data for programs.
    #[must_use]
    pub fn data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// -32602 with this message.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        RpcError::new(Code::INVALID_PARAMS, message)
    }

    /// -32600 with this message.
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
