//! A call on its way, and why it does not go on.

use std::fmt;

use serde_json::Value;

/// A call on its way through the stages.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Invocation {
    /// The tool, by its own name.
    pub tool: String,
    /// Its arguments. They are validated after hooks and permission, and before checks.
    pub arguments: Value,
}

impl Invocation {
    pub(crate) fn new(tool: &str, arguments: Value) -> Self {
        Self { tool: tool.to_owned(), arguments }
    }
}

/// Why a call does not go on. The model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    /// For this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}
