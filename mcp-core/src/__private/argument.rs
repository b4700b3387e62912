//! Whether a type can be an argument, and the arguments of a tool as one struct.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Never, Probe, Proven, Refuted};
use crate::result::ToolResult;
use crate::spec::ToolSpec;
use crate::tool::Call;

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "a client sends arguments as JSON, and this type says neither how to read it nor what it looks like",
    note = "put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `{Self}`, or on the type inside it that has none",
    note = "if the server is to give it to the tool, borrow it instead: `&{Self}`"
)]
pub trait Argument<Proof> {}
impl<T: DeserializeOwned + JsonSchema> Argument<Proven> for T {}
impl<T: Never> Argument<Refuted> for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool: it cannot be read from JSON",
    label = "this type has no `Deserialize`",
    note = "put `#[derive(serde::Deserialize)]` on `{Self}`, or on the type inside it that has none"
)]
pub trait Decodable<Proof> {}
impl<T: DeserializeOwned> Decodable<Proven> for T {}
impl<T: Never> Decodable<Refuted> for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool: it has no JSON Schema to show to clients",
    label = "this type has no `JsonSchema`",
    note = "put `#[derive(schemars::JsonSchema)]` on `{Self}`, or on the type inside it that has none",
    note = "or say what it looks like: `#[schemars(with = \"String\")]` before the parameter"
)]
pub trait Described<Proof> {}
impl<T: JsonSchema> Described<Proven> for T {}
impl<T: Never> Described<Refuted> for T {}

/// The type has both.
pub trait Both {
    fn __mcp_argument(&self) {}
}
impl<T: DeserializeOwned + JsonSchema> Both for &&&Probe<T> {}

/// The type has `Deserialize` alone.
pub trait OnlyRead {
    type Type;
    fn __mcp_argument<Proof>(&self)
    where
        Self::Type: Described<Proof>,
    {
    }
}
impl<T: DeserializeOwned> OnlyRead for &&Probe<T> {
    type Type = T;
}

/// The type has `JsonSchema` alone.
pub trait OnlyDescribed {
    type Type;
    fn __mcp_argument<Proof>(&self)
    where
        Self::Type: Decodable<Proof>,
    {
    }
}
impl<T: JsonSchema> OnlyDescribed for &Probe<T> {
    type Type = T;
}

/// The type has neither.
pub trait Neither {
    type Type;
    fn __mcp_argument<Proof>(&self)
    where
        Self::Type: Argument<Proof>,
    {
    }
}
impl<T> Neither for Probe<T> {
    type Type = T;
}

/// Gives a tool the schema of its arguments.
pub trait Input {
    fn __mcp_input(&self, spec: ToolSpec) -> ToolSpec;
}
impl<T: JsonSchema> Input for &Probe<T> {
    fn __mcp_input(&self, spec: ToolSpec) -> ToolSpec {
        spec.input::<T>()
    }
}

/// Stands in where an argument has no schema, which `__mcp_argument` tells.
pub trait InputImpossible {
    fn __mcp_input(&self, spec: ToolSpec) -> ToolSpec;
}
impl<T> InputImpossible for Probe<T> {
    fn __mcp_input(&self, _: ToolSpec) -> ToolSpec {
        const { super::impossible::<T>("the arguments have no schema") }
    }
}

/// Reads the arguments of a call.
pub trait Decode {
    type Type;
    fn __mcp_decode(&self, call: &Call<'_>) -> Result<Self::Type, ToolResult>;
}
impl<T: DeserializeOwned + 'static> Decode for &Probe<T> {
    type Type = T;

    fn __mcp_decode(&self, call: &Call<'_>) -> Result<T, ToolResult> {
        call.decode()
    }
}

/// Stands in where an argument cannot be read, which `__mcp_argument` tells.
pub trait DecodeImpossible {
    type Type;
    fn __mcp_decode(&self, call: &Call<'_>) -> Result<Self::Type, ToolResult>;
}
impl<T> DecodeImpossible for Probe<T> {
    type Type = T;

    fn __mcp_decode(&self, _: &Call<'_>) -> Result<T, ToolResult> {
        const { super::impossible::<T>("the arguments cannot be read") }
    }
}

/// The arguments of a tool that takes none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoArguments {}
