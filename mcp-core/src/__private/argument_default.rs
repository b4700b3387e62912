//! Arguments with `#[default(..)]`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::held_value::HeldValue;
use super::{Fails, Holds, Never};

/// An optional argument with a default. Its schema and its decoding are those of `T`.
#[allow(missing_debug_implementations, reason = "a field of the generated struct")]
pub struct Defaulted<T>(Option<T>);

impl<T> Defaulted<T> {
    pub fn absent() -> Defaulted<T> {
        Defaulted(None)
    }

    pub fn or(self, default: fn() -> T) -> T {
        self.0.unwrap_or_else(default)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Defaulted<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Defaulted<T>, D::Error> {
        T::deserialize(deserializer).map(Some).map(Defaulted)
    }
}

impl<T: JsonSchema> JsonSchema for Defaulted<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Serializes the default for the schema.
pub trait Show {
    fn __mcp_show(&self) -> Value;
}
impl<T: Serialize> Show for &&HeldValue<T> {
    fn __mcp_show(&self) -> Value {
        serde_json::to_value(self.take()).unwrap_or_default()
    }
}

#[diagnostic::on_unimplemented(
    message = "a default of type `{Self}` cannot be put into the schema",
    label = "this type does not implement `Serialize`",
    note = "put `#[derive(serde::Serialize)]` on `{Self}`, or write `#[serde(default = \"path::to::function\")]`"
)]
pub trait Serialisable<Proof> {}
impl<T: Serialize> Serialisable<Holds> for T {}
impl<T: Never> Serialisable<Fails> for T {}

/// Reports that the type of a default lacks `Serialize`.
pub trait ShowUnwritten {
    type Type;
    fn __mcp_show<Proof>(&self) -> Value
    where
        Self::Type: Serialisable<Proof>,
    {
        Value::Null
    }
}
impl<T: DeserializeOwned + JsonSchema> ShowUnwritten for &HeldValue<T> {
    type Type = T;
}

/// Fallback for types that cannot be arguments. `__mcp_argument` reports the error.
pub trait ShowImpossible {
    fn __mcp_show(&self) -> Value;
}
impl<T> ShowImpossible for HeldValue<T> {
    fn __mcp_show(&self) -> Value {
        const { super::impossible::<T>("this cannot be an argument") }
    }
}

#[diagnostic::on_unimplemented(
    message = "a string cannot be the default of a `{Self}`",
    label = "`{Self}` does not implement `From<&str>`",
    note = "write a value of the argument's type: `#[default(10)]`, `#[default(Order::Newest)]`"
)]
pub trait FromText<Proof>: Sized {
    fn from_text(text: &'static str) -> Self;
}
impl<T: From<&'static str>> FromText<Holds> for T {
    fn from_text(text: &'static str) -> T {
        T::from(text)
    }
}
impl<T: Never> FromText<Fails> for T {
    fn from_text(_: &'static str) -> T {
        unreachable!("there is no such type")
    }
}

/// Returns the value of `#[default("text")]`.
pub fn from_text<T: FromText<Proof>, Proof>(text: &'static str) -> T {
    T::from_text(text)
}
