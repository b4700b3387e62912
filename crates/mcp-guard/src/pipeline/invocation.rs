//! A call on its way through the stages, and the reason why it does not go on.

use std::fmt;

use mcp_core::Context;
use serde_json::Value;

/// A call on its way through the stages.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Invocation {
    /// The name of the tool, without a server prefix.
    pub tool: String,
    /// The arguments of the call. They are validated after hooks and permission, and before checks.
    pub arguments: Value,
    context: Context,
}

impl Invocation {
    pub(crate) fn new(arguments: Value, context: Context) -> Self {
        Self { tool: context.name().to_owned(), arguments, context }
    }

    /// Returns the context of the call: the client, its principal, questions to the user, cancellation.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

/// Why a call does not go on. The model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    /// Creates a refusal with this reason.
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
