//! Any error of a tool, and how a model reads it.

use std::error::Error;
use std::fmt;

use crate::jsonrpc::{Code, RpcError};

/// Any error, for tools whose `?` meets several kinds.
///
/// Everything that is an error, text, or an `anyhow::Error` or `eyre::Report` turns into one; the model reads the whole chain
/// of sources.
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
    /// An error that is just this text.
    pub fn new(message: impl Into<String>) -> ToolError {
        ToolError(message.into().into())
    }
}

/// What a client is told instead of a prompt or a resource: an [`RpcError`] as it is, anything else in words.
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

/// An error with all its sources, as a model reads it.
pub(crate) struct Chain<'a>(pub(crate) &'a dyn Error);

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = self.0.to_string();
        f.write_str(&told)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            let text = error.to_string();
            // Many errors already repeat their source in their own text.
            if !told.contains(&text) {
                write!(f, ": {text}")?;
            }
            told = text;
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
