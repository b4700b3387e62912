//! The error type of tools, and how errors are formatted for the model.

use std::error::Error;
use std::fmt;

use crate::jsonrpc::{Code, RpcError};

/// An error of any type, for tools that use `?` on several error types.
///
/// Converts from every `std::error::Error`, from text, from `anyhow::Error` and from `eyre::Report`. The model receives the
/// messages of the whole source chain.
///
/// ```
/// use mcp_core::{ToolError, tool};
///
/// /// Add up the numbers in a file, one on each line.
/// #[tool]
/// fn sum(path: String) -> Result<i64, ToolError> {
///     let mut sum = 0;
///     for line in std::fs::read_to_string(&path)?.lines() {
///         sum += line.parse::<i64>()?;
///     }
///     if sum < 0 {
///         return Err("negative sums make no sense here".into());
///     }
///     Ok(sum)
/// }
/// ```
pub struct ToolError(Box<dyn Error + Send + Sync>);

impl ToolError {
    /// Creates an error with this message.
    pub fn new(message: impl Into<String>) -> ToolError {
        ToolError(message.into().into())
    }
}

/// The JSON-RPC error of a prompt or a resource: an [`RpcError`] is kept, any other error becomes an internal error with
/// its message.
impl From<ToolError> for RpcError {
    fn from(error: ToolError) -> RpcError {
        let text = error.to_string();
        error.0.downcast().map_or_else(|_| RpcError::new(Code::INTERNAL_ERROR, text), |error| *error)
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for ToolError {
    fn from(error: E) -> ToolError {
        ToolError(error.into())
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Chain(&*self.0).fmt(f)
    }
}

/// Formats an error and its sources, separated by `: `.
pub(crate) struct Chain<'a>(pub(crate) &'a dyn Error);

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut previous = self.0.to_string();
        f.write_str(&previous)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            let text = error.to_string();
            // Many errors include the message of their source in their own.
            if !previous.contains(&text) {
                write!(f, ": {text}")?;
            }
            previous = text;
            source = error.source();
        }
        Ok(())
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
