//! Conversion of the return value of a function into the outcome of the call.
//!
//! A trait (`Convert`) decides for all usual types. Three more cases cannot be impls of that trait, because they would overlap
//! with `E: Into<ToolError>` (error E0119: upstream crates may add the impl): errors that are not `Send + Sync`, boxes of such
//! errors, and types that implement only `Display`. Autoref specialization selects them, as the parent module explains: [`Convert`] has three
//! references in its `Self` type, the two impls for errors that are not `Send + Sync` two, [`ConvertDisplay`] one and [`ConvertImpossible`] none.

use std::error::Error;
use std::fmt::Display;

use super::held_value::HeldValue;
use super::item_kind::{AsPrompt, AsResource, AsTool, Kind};
use crate::prompt::{IntoPrompt, PromptOutcome};
use crate::resource::{IntoContents, ReadOutcome};
use crate::schema::OutputSchema;
use crate::tool::error::Chain;
use crate::tool::result::{IntoToolResult, ToolResult};

/// Holds a return value while autoref specialization selects its conversion.
#[allow(missing_debug_implementations, reason = "lives for one expression in generated code")]
pub struct ReturnValue<K, R> {
    kind: K,
    value: HeldValue<R>,
}

impl<K, R> ReturnValue<K, R> {
    pub fn new(kind: K, value: R) -> ReturnValue<K, R> {
        ReturnValue { kind, value: HeldValue::new(value) }
    }
}

impl<K, T, E> ReturnValue<K, Result<T, E>> {
    /// Converts the error into text, then the whole value.
    fn convert_error(&self, to_text: impl FnOnce(E) -> String) -> K::Outcome
    where
        K: Returns<Result<T, String>>,
    {
        self.kind.convert(self.value.take().map_err(to_text))
    }
}

/// A kind of function that may return an `R`.
pub trait Returns<R>: Kind {
    /// Converts the return value.
    fn convert(&self, value: R) -> Self::Outcome;

    /// Returns the schema of structured output, for tools.
    fn output_schema() -> Option<OutputSchema> {
        None
    }
}
impl<R: IntoToolResult> Returns<R> for AsTool {
    fn convert(&self, value: R) -> ToolResult {
        value.into_tool_result()
    }

    fn output_schema() -> Option<OutputSchema> {
        R::output_schema()
    }
}
impl<R: IntoPrompt> Returns<R> for AsPrompt {
    fn convert(&self, value: R) -> PromptOutcome {
        value.into_prompt()
    }
}
impl<R: IntoContents> Returns<R> for AsResource {
    fn convert(&self, value: R) -> ReadOutcome {
        value.into_contents(&self.uri)
    }
}

/// Selected for all types that a trait can convert: values, and `Result` with an error that converts into `ToolError`.
pub trait Convert {
    type Outcome;
    fn __mcp_result(&self) -> Self::Outcome;
}
impl<K: Returns<R>, R> Convert for &&&ReturnValue<K, R> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        self.kind.convert(self.value.take())
    }
}

/// Selected for errors that are not `Send + Sync`. The message contains the source chain.
pub trait ConvertUnsentError {
    type Outcome;
    fn __mcp_result(&self) -> Self::Outcome;
}
impl<K: Returns<Result<T, String>>, T, E: Error> ConvertUnsentError for &&ReturnValue<K, Result<T, E>> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        self.convert_error(|error| Chain(&error).to_string())
    }
}

/// Selected for boxed errors that are not `Send + Sync`, which do not implement `Error` themselves.
pub trait ConvertBoxedError {
    type Outcome;
    fn __mcp_result(&self) -> Self::Outcome;
}
impl<K: Returns<Result<T, String>>, T> ConvertBoxedError for &&ReturnValue<K, Result<T, Box<dyn Error>>> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        self.convert_error(|error| Chain(&*error).to_string())
    }
}
impl<K: Returns<Result<T, String>>, T> ConvertBoxedError for &&ReturnValue<K, Result<T, Box<dyn Error + Send>>> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        self.convert_error(|error| Chain(&*error).to_string())
    }
}

/// Selected for errors that implement only `Display`.
pub trait ConvertDisplay {
    type Outcome;
    fn __mcp_result(&self) -> Self::Outcome;
}
impl<K: Returns<Result<T, String>>, T, E: Display> ConvertDisplay for &ReturnValue<K, Result<T, E>> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        self.convert_error(|error| format!("{error:#}"))
    }
}

/// Fallback for types that cannot be returned. `__mcp_output` reports the error.
pub trait ConvertImpossible {
    type Outcome;
    fn __mcp_result(&self) -> Self::Outcome;
}
impl<K: Kind, R> ConvertImpossible for ReturnValue<K, R> {
    type Outcome = K::Outcome;

    fn __mcp_result(&self) -> K::Outcome {
        const { super::impossible::<R>("this cannot be a result") }
    }
}
