//! Compile-time checks of return types.
//!
//! Each trait reports one mistake with its own message, because `#[diagnostic::on_unimplemented]` has one message for each trait. One
//! type can have several of these mistakes: a `Json<T>` without derives also does not implement `IntoToolResult`. Blanket impls of one
//! trait for these cases would overlap (error E0119), because Rust has no bound for "does not implement". So autoref specialization
//! selects, as the parent module explains: the impl with the most references in its `Self` type whose bounds are met.
//!
//! | references in `Self` | selected for | trait |
//! |---|---|---|
//! | 5 | every type that can be returned | [`Output`] |
//! | 4 | a `Result` whose value can be returned, but whose error cannot | [`BadError`] |
//! | 3 | `Json<T>` with only one of the two derives | [`JsonWithoutSchema`], [`JsonWithoutSerialize`] |
//! | 2 | any other `Json<T>` | [`BadJson`], [`BadFile`] |
//! | 1 | a list of items that cannot be content | [`BadPiece`] |
//! | 0 | any other type | [`BadOutput`], [`BadPrompt`], [`BadContents`] |

use std::fmt::Display;

use schemars::JsonSchema;
use serde::Serialize;

use super::item_kind::{AsPrompt, AsResource, AsTool};
use super::item_spec::ItemSpec;
use super::return_value::Returns;
use super::{Fails, Holds, Never, Probe};
use crate::prompt::IntoPrompt;
use crate::prompt::spec::PromptSpec;
use crate::protocol::Content;
use crate::resource::IntoContents;
use crate::resource::spec::ResourceSpec;
use crate::tool::result::{IntoToolResult, Json};
use crate::tool::spec::ToolSpec;

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be structured output",
    label = "the type in this `Json` must implement `Serialize` and `JsonSchema`",
    note = "if `{Self}` is a type of another crate, return a type of your own with the same fields",
    note = "if it is your type, put `#[mcp_core::json_type]` or `#[derive(serde::Serialize, schemars::JsonSchema)]` on it, or on the type inside it that has none"
)]
pub trait Structured<Proof> {}
impl<T: Serialize + JsonSchema> Structured<Holds> for T {}
impl<T: Never> Structured<Fails> for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be structured output: it implements `Serialize`, but not `JsonSchema`",
    label = "the type in this `Json` has no schema that clients could be shown",
    note = "add `schemars::JsonSchema` to the derives of `{Self}` and of the types inside it, or replace its derives by `#[mcp_core::json_type]`"
)]
pub trait WithSchema<Proof> {}
impl<T: JsonSchema> WithSchema<Holds> for T {}
impl<T: Never> WithSchema<Fails> for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be structured output: it implements `JsonSchema`, but not `Serialize`",
    label = "the type in this `Json` cannot be written as JSON",
    note = "add `serde::Serialize` to the derives of `{Self}` and of the types inside it, or replace its derives by `#[mcp_core::json_type]`"
)]
pub trait Serialized<Proof> {}
impl<T: Serialize> Serialized<Holds> for T {}
impl<T: Never> Serialized<Fails> for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be sent as JSON",
    label = "the type in this `Json` must implement `Serialize`",
    note = "put `#[derive(serde::Serialize)]` on `{Self}`, or on the type inside it that has none"
)]
pub trait Written<Proof> {}
impl<T: Serialize> Written<Holds> for T {}
impl<T: Never> Written<Fails> for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an item of a tool's content",
    label = "a list of this type cannot be converted to content",
    note = "a list of texts or of `Content` is content; for structured output write `Json<Vec<{Self}>>`"
)]
pub trait Piece<Proof> {}
impl<T: Into<Content>> Piece<Holds> for T {}
impl<T: Never> Piece<Fails> for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool, prompt or resource",
    label = "this type must implement `Display`",
    note = "implement `std::fmt::Display` for `{Self}`, for example with `#[derive(thiserror::Error)]`; `ToolError` and `anyhow::Error` take any error"
)]
pub trait Readable<Proof> {}
impl<T: Display> Readable<Holds> for T {}
impl<T: Never> Readable<Fails> for T {}

/// Selected for all types that can be returned. Adds the output schema to the spec of a tool.
pub trait Output {
    fn __mcp_output<S: ItemSpec>(&self, spec: S) -> S;
}
impl<K: Returns<R>, R> Output for &&&&&Probe<(K, R)> {
    fn __mcp_output<S: ItemSpec>(&self, spec: S) -> S {
        spec.with_output(K::output_schema())
    }
}

/// Selected for a `Result` whose value can be returned. Reports an error type that cannot be displayed.
pub trait BadError {
    type Type;
    fn __mcp_output<S: ItemSpec, Proof>(&self, spec: S) -> S
    where
        Self::Type: Readable<Proof>;
}
impl<K: Returns<T>, T, E> BadError for &&&&Probe<(K, Result<T, E>)> {
    type Type = E;

    fn __mcp_output<S: ItemSpec, Proof>(&self, spec: S) -> S
    where
        E: Readable<Proof>,
    {
        spec.with_output(K::output_schema())
    }
}

/// Reports `Json<T>` of a type that has only `Serialize`.
pub trait JsonWithoutSchema {
    type Type;
    fn __mcp_output<Proof>(&self, spec: ToolSpec) -> ToolSpec
    where
        Self::Type: WithSchema<Proof>,
    {
        spec
    }
}
impl<T: Serialize> JsonWithoutSchema for &&&Probe<(AsTool, Json<T>)> {
    type Type = T;
}
impl<T: Serialize, E> JsonWithoutSchema for &&&Probe<(AsTool, Result<Json<T>, E>)> {
    type Type = T;
}

/// Reports `Json<T>` of a type that has only `JsonSchema`.
pub trait JsonWithoutSerialize {
    type Type;
    fn __mcp_output<Proof>(&self, spec: ToolSpec) -> ToolSpec
    where
        Self::Type: Serialized<Proof>,
    {
        spec
    }
}
impl<T: JsonSchema> JsonWithoutSerialize for &&&Probe<(AsTool, Json<T>)> {
    type Type = T;
}
impl<T: JsonSchema, E> JsonWithoutSerialize for &&&Probe<(AsTool, Result<Json<T>, E>)> {
    type Type = T;
}

/// Reports `Json<T>` of a type without the derives.
pub trait BadJson {
    type Type;
    fn __mcp_output<Proof>(&self, spec: ToolSpec) -> ToolSpec
    where
        Self::Type: Structured<Proof>,
    {
        spec
    }
}
impl<T> BadJson for &&Probe<(AsTool, Json<T>)> {
    type Type = T;
}
impl<T, E> BadJson for &&Probe<(AsTool, Result<Json<T>, E>)> {
    type Type = T;
}

/// Reports `Json<T>` in a resource of a type without `Serialize`.
pub trait BadFile {
    type Type;
    fn __mcp_output<Proof>(&self, spec: ResourceSpec) -> ResourceSpec
    where
        Self::Type: Written<Proof>,
    {
        spec
    }
}
impl<T> BadFile for &&Probe<(AsResource, Json<T>)> {
    type Type = T;
}
impl<T, E> BadFile for &&Probe<(AsResource, Result<Json<T>, E>)> {
    type Type = T;
}

/// Reports a list of items that cannot be content.
pub trait BadPiece {
    type Type;
    fn __mcp_output<Proof>(&self, spec: ToolSpec) -> ToolSpec
    where
        Self::Type: Piece<Proof>,
    {
        spec
    }
}
impl<T> BadPiece for &Probe<(AsTool, Vec<T>)> {
    type Type = T;
}
impl<T, E> BadPiece for &Probe<(AsTool, Result<Vec<T>, E>)> {
    type Type = T;
}

/// Fallback: reports that the type does not implement `IntoToolResult`.
pub trait BadOutput {
    type Type: ?Sized;
    fn __mcp_output(&self, spec: ToolSpec) -> ToolSpec
    where
        Self::Type: IntoToolResult,
    {
        spec
    }
}
impl<R: ?Sized> BadOutput for Probe<(AsTool, R)> {
    type Type = R;
}

/// Fallback: reports that the type does not implement `IntoPrompt`.
pub trait BadPrompt {
    type Type: ?Sized;
    fn __mcp_output(&self, spec: PromptSpec) -> PromptSpec
    where
        Self::Type: IntoPrompt,
    {
        spec
    }
}
impl<R: ?Sized> BadPrompt for Probe<(AsPrompt, R)> {
    type Type = R;
}

/// Fallback: reports that the type does not implement `IntoContents`.
pub trait BadContents {
    type Type: ?Sized;
    fn __mcp_output(&self, spec: ResourceSpec) -> ResourceSpec
    where
        Self::Type: IntoContents,
    {
        spec
    }
}
impl<R: ?Sized> BadContents for Probe<(AsResource, R)> {
    type Type = R;
}
