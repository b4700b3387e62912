//! Whether a type can be the result of a tool, and what is wrong with it if not.

use std::fmt::Display;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Never, Probe, Proven, Refuted};
use crate::protocol::Content;
use crate::result::{IntoToolResult, Json};
use crate::spec::ToolSpec;

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be structured output",
    label = "the type in this `Json` says neither how to write it as JSON nor what it looks like",
    note = "put `#[derive(serde::Serialize, schemars::JsonSchema)]` on `{Self}`, or on the type inside it that has none"
)]
pub trait Structured<Proof> {}
impl<T: Serialize + JsonSchema> Structured<Proven> for T {}
impl<T: Never> Structured<Refuted> for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a piece of a tool's result",
    label = "a list of these cannot be sent to a client",
    note = "a list of texts or of `Content` is content; for structured output write `Json<Vec<{Self}>>`"
)]
pub trait Piece<Proof> {}
impl<T: Into<Content>> Piece<Proven> for T {}
impl<T: Never> Piece<Refuted> for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "a model could not read this error",
    note = "implement `std::fmt::Display` for `{Self}`, for example with `#[derive(thiserror::Error)]`; `ToolError` and `anyhow::Error` take any error"
)]
pub trait Readable<Proof> {}
impl<T: Display> Readable<Proven> for T {}
impl<T: Never> Readable<Refuted> for T {}

/// Gives a tool the schema of its output.
pub trait Output {
    fn __mcp_output(&self, spec: ToolSpec) -> ToolSpec;
}
impl<R: IntoToolResult> Output for &&&&Probe<R> {
    fn __mcp_output(&self, spec: ToolSpec) -> ToolSpec {
        spec.output_schema(R::output_schema())
    }
}

/// A `Result` whose error is at fault.
pub trait BadError {
    type Type;
    fn __mcp_output<Proof>(&self, spec: ToolSpec) -> ToolSpec
    where
        Self::Type: Readable<Proof>,
    {
        spec
    }
}
impl<T: IntoToolResult, E> BadError for &&&Probe<Result<T, E>> {
    type Type = E;
}

/// Structured output of a type without derives.
pub trait BadJson {
    type Type;
    fn __mcp_output<Proof>(&self, spec: ToolSpec) -> ToolSpec
    where
        Self::Type: Structured<Proof>,
    {
        spec
    }
}
impl<T> BadJson for &&Probe<Json<T>> {
    type Type = T;
}
impl<T, E> BadJson for &&Probe<Result<Json<T>, E>> {
    type Type = T;
}

/// A list of what is no content.
pub trait BadPiece {
    type Type;
    fn __mcp_output<Proof>(&self, spec: ToolSpec) -> ToolSpec
    where
        Self::Type: Piece<Proof>,
    {
        spec
    }
}
impl<T> BadPiece for &Probe<Vec<T>> {
    type Type = T;
}
impl<T, E> BadPiece for &Probe<Result<Vec<T>, E>> {
    type Type = T;
}

/// Anything else, of which `IntoToolResult` itself tells.
pub trait BadOutput {
    type Type: ?Sized;
    fn __mcp_output(&self, spec: ToolSpec) -> ToolSpec
    where
        Self::Type: IntoToolResult,
    {
        spec
    }
}
impl<R: ?Sized> BadOutput for Probe<R> {
    type Type = R;
}
