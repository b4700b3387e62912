//! Compile-time checks of argument types, and decoding of arguments.
//!
//! An argument must implement `Deserialize` and `JsonSchema`. What is missing has a message of its own, and so a trait of its own. Blanket
//! impls of one trait for "both", "only one" and "neither" would overlap (error E0119), because Rust has no bound for "does not
//! implement". So autoref specialization selects, as the parent module explains: [`Both`] has three references in its `Self` type,
//! [`OnlyRead`] two, [`OnlyDescribed`] one and [`Neither`] none.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::item_kind::ItemCall;
use super::item_spec::ItemSpec;
use super::{Fails, Holds, Never, Probe};

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument",
    label = "an argument must implement `Deserialize` and `JsonSchema`",
    note = "if `{Self}` is a type of another crate: enable its feature for serde and that of schemars for the crate, or take a `String` or a type of your own and convert it",
    note = "if it is your type, put `#[mcp_core::json_type]` or `#[derive(serde::Deserialize, schemars::JsonSchema)]` on it, or on the type inside it that has none",
    note = "for a value of the server, set with `.state(value)`, borrow it instead: `&{Self}`"
)]
pub trait Argument<Proof> {}
impl<T: DeserializeOwned + JsonSchema> Argument<Holds> for T {}
impl<T: Never> Argument<Fails> for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument: it does not implement `Deserialize`",
    label = "cannot be decoded from JSON",
    note = "if `{Self}` is a type of another crate: enable its feature for serde, or write `#[serde(deserialize_with = \"path::to::function\")]` before the parameter",
    note = "if it is your type, put `#[derive(serde::Deserialize)]` on it, or on the type inside it that has none"
)]
pub trait Decodable<Proof> {}
impl<T: DeserializeOwned> Decodable<Holds> for T {}
impl<T: Never> Decodable<Fails> for T {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument: it does not implement `JsonSchema`",
    label = "has no schema that clients could be shown",
    note = "if `{Self}` is a type of another crate: enable the feature of schemars for that crate, or use the schema of another type with `#[schemars(with = \"String\")]` before the parameter",
    note = "if it is your type, put `#[derive(schemars::JsonSchema)]` on it, or on the type inside it that has none"
)]
pub trait Described<Proof> {}
impl<T: JsonSchema> Described<Holds> for T {}
impl<T: Never> Described<Fails> for T {}

/// Selected if the type has `Deserialize` and `JsonSchema`.
pub trait Both {
    fn __mcp_argument(&self) {}
}
impl<T: DeserializeOwned + JsonSchema> Both for &&&Probe<T> {}

/// Selected if the type has only `Deserialize`.
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

/// Selected if the type has only `JsonSchema`.
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

/// Selected if the type has neither.
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

/// Adds the schema of the arguments to a spec.
pub trait Input {
    fn __mcp_input<S: ItemSpec>(&self, spec: S, names: &[&str]) -> S;
}
impl<T: JsonSchema> Input for &Probe<T> {
    fn __mcp_input<S: ItemSpec>(&self, spec: S, names: &[&str]) -> S {
        spec.with_input::<T>(names)
    }
}

/// Fallback if an argument has no schema. `__mcp_argument` reports the error.
pub trait InputImpossible {
    fn __mcp_input<S: ItemSpec>(&self, spec: S, names: &[&str]) -> S;
}
impl<T> InputImpossible for Probe<T> {
    fn __mcp_input<S: ItemSpec>(&self, _: S, _: &[&str]) -> S {
        const { super::impossible::<T>("the arguments have no schema") }
    }
}

/// Decodes the arguments of a call.
pub trait Decode {
    type Type;
    fn __mcp_decode<C: ItemCall>(&self, call: &C) -> Result<Self::Type, C::Outcome>;
}
impl<T: DeserializeOwned + 'static> Decode for &Probe<T> {
    type Type = T;

    fn __mcp_decode<C: ItemCall>(&self, call: &C) -> Result<T, C::Outcome> {
        call.arguments()
    }
}

/// Fallback if an argument cannot be decoded. `__mcp_argument` reports the error.
pub trait DecodeImpossible {
    type Type;
    fn __mcp_decode<C: ItemCall>(&self, call: &C) -> Result<Self::Type, C::Outcome>;
}
impl<T> DecodeImpossible for Probe<T> {
    type Type = T;

    fn __mcp_decode<C: ItemCall>(&self, _: &C) -> Result<T, C::Outcome> {
        const { super::impossible::<T>("the arguments cannot be read") }
    }
}

/// The arguments of a function without arguments.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoArguments {}
