//! The error of a typed call.

use std::error::Error;
use std::fmt;

use crate::jsonrpc::RpcError;
use crate::tool::result::ToolResult;

/// The error of a call through a function with `#[tool]`.
///
/// Clients that have an error type of their own convert it.
#[derive(Clone)]
#[non_exhaustive]
pub enum ToolCallError {
    /// The server answered with a protocol error.
    Rpc(RpcError),
    /// The tool failed. The content of the result is its message.
    Tool(Box<ToolResult>),
    /// An argument cannot be serialized as JSON, or the result cannot be read as the return type of the function.
    Convert(String),
}

impl fmt::Display for ToolCallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolCallError::Rpc(error) => write!(f, "the server answered with an error: {error}"),
            ToolCallError::Tool(result) => write!(f, "the tool failed: {}", result.to_text()),
            ToolCallError::Convert(reason) => f.write_str(reason),
        }
    }
}

/// The same text as `Display`, so that `unwrap` in a test prints the message of the tool.
impl fmt::Debug for ToolCallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for ToolCallError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ToolCallError::Rpc(error) => Some(error),
            _ => None,
        }
    }
}

impl From<RpcError> for ToolCallError {
    fn from(error: RpcError) -> ToolCallError {
        ToolCallError::Rpc(error)
    }
}
