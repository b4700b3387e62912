//! Conversion of the return value of a function into the outcome of the call.

use std::error::Error;
use std::fmt::Display;

use super::held_value::HeldValue;
use super::item_kind::{AsPrompt, AsResource, AsTool, Kind};
use crate::prompt::{IntoPrompt, PromptOutcome};
use crate::resource::{IntoContents, ReadOutcome};
use crate::tool::error::{Chain, ToolError};
use crate::tool::output::ToolOutput;
use crate::tool::result::IntoToolResult;

/// Holds a return value while autoref specialization selects its conversion.
#[allow(missing_debug_implementations, reason = "lives for one expression in generated code")]
pub struct ReturnValue<K, R>(K, HeldValue<R>);

impl<K, R> ReturnValue<K, R> {
    pub fn new(kind: K, value: R) -> ReturnValue<K, R> {
        ReturnValue(kind, HeldValue::new(value))
    }
}

impl<K, T, E> ReturnValue<K, Result<T, E>> {
    /// Converts the error with `tell`, then the whole value.
    fn told<W>(&self, tell: impl FnOnce(E) -> W) -> K::Outcome
    where
        K: Returns<Result<T, W>>,
    {
        self.0.give(self.1.empty().map_err(tell))
    }
}

/// A kind of function that may return an `R`.
pub trait Returns<R>: Kind {
    fn give(&self, value: R) -> Self::Outcome;
}
impl<R: IntoToolResult> Returns<R> for AsTool {
    fn give(&self, value: R) -> ToolOutput {
        value.into_tool_output()
    }
}
impl<R: IntoPrompt> Returns<R> for AsPrompt {
    fn give(&self, value: R) -> PromptOutcome {
        value.into_prompt()
    }
}
impl<R: IntoContents> Returns<R> for AsResource {
    fn give(&self, value: R) -> ReadOutcome {
        value.into_contents(&self.0)
    }
}

/// Selected for errors that convert to `ToolError`. The message contains the source chain.
pub trait Explain {
    type Outcome;
    fn __mcp_result(&self) -> Self::Outcome;
}
impl<K, T, E> Explain for &&&&&ReturnValue<K, Result<T, E>>
where
    K: Returns<Result<T, ToolError>>,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        self.told(ToolError::from)
    }
}

/// Selected for errors that are not `Send + Sync`. The message contains the source chain.
pub trait ExplainUnsent {
    type Outcome;
    fn __mcp_result(&self) -> Self::Outcome;
}
impl<K: Returns<Result<T, String>>, T, E: Error> ExplainUnsent for &&&&ReturnValue<K, Result<T, E>> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        self.told(|error| Chain(&error).to_string())
    }
}

/// Selected for boxed errors that are not `Send + Sync`, which do not implement `Error` themselves.
pub trait ExplainBoxed {
    type Outcome;
    fn __mcp_result(&self) -> Self::Outcome;
}
impl<K: Returns<Result<T, String>>, T> ExplainBoxed for &&&ReturnValue<K, Result<T, Box<dyn Error>>> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        self.told(|error| Chain(&*error).to_string())
    }
}
impl<K: Returns<Result<T, String>>, T> ExplainBoxed for &&&ReturnValue<K, Result<T, Box<dyn Error + Send>>> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        self.told(|error| Chain(&*error).to_string())
    }
}

/// Selected for all other types that convert to the outcome.
pub trait Give {
    type Outcome;
    fn __mcp_result(&self) -> Self::Outcome;
}
impl<K: Returns<R>, R> Give for &&ReturnValue<K, R> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        self.0.give(self.1.empty())
    }
}

/// Selected for errors that implement only `Display`.
pub trait ExplainShown {
    type Outcome;
    fn __mcp_result(&self) -> Self::Outcome;
}
impl<K: Returns<Result<T, String>>, T, E: Display> ExplainShown for &ReturnValue<K, Result<T, E>> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        self.told(|error| format!("{error:#}"))
    }
}

/// Fallback for types that cannot be returned. `__mcp_output` reports the error.
pub trait GiveImpossible {
    type Outcome;
    fn __mcp_result(&self) -> Self::Outcome;
}
impl<K: Kind, R> GiveImpossible for ReturnValue<K, R> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        const { super::impossible::<R>("this cannot be a result") }
    }
}
