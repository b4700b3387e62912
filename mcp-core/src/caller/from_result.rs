//! Conversion of a tool result back into the value that the function returned.

use std::borrow::Cow;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::protocol::Content;
use crate::tool::error::ToolError;
use crate::tool::result::{Json, ToolResult};

/// A return type of a tool that a client can read back from the result.
///
/// The inverse of [`IntoToolResult`](crate::IntoToolResult). Implemented for the same types, so implement it for a type of your
/// own only if you have implemented `IntoToolResult` for it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the result of a tool",
    label = "the result of this call cannot be converted to what the function returns",
    note = "implement `mcp_core::caller::FromToolResult` for `{Self}`, or call the tool by its name and read the `ToolResult`"
)]
pub trait FromToolResult {
    /// The value that a call returns.
    type Value;

    /// Reads the value from the result of a tool that did not fail.
    ///
    /// # Errors
    /// If the result is not one of this type.
    fn from_tool_result(result: ToolResult) -> Result<Self::Value, ToolError>;
}

/// Content of any kind: a call returns the whole result.
impl FromToolResult for ToolResult {
    type Value = ToolResult;

    fn from_tool_result(result: ToolResult) -> Result<ToolResult, ToolError> {
        Ok(result)
    }
}

/// Content of any kind: a call returns the whole result.
impl FromToolResult for Content {
    type Value = ToolResult;

    fn from_tool_result(result: ToolResult) -> Result<ToolResult, ToolError> {
        Ok(result)
    }
}

/// Content of any kind: a call returns the whole result.
impl<T: Into<Content>> FromToolResult for Vec<T> {
    type Value = ToolResult;

    fn from_tool_result(result: ToolResult) -> Result<ToolResult, ToolError> {
        Ok(result)
    }
}

impl FromToolResult for () {
    type Value = ();

    fn from_tool_result(_: ToolResult) -> Result<(), ToolError> {
        Ok(())
    }
}

impl<T: Readable> FromToolResult for Json<T> {
    type Value = T;

    fn from_tool_result(result: ToolResult) -> Result<T, ToolError> {
        T::read(&result)
    }
}

/// A result without content is `None`.
impl<T: FromToolResult> FromToolResult for Option<T> {
    type Value = Option<T::Value>;

    fn from_tool_result(result: ToolResult) -> Result<Option<T::Value>, ToolError> {
        let is_empty = result.content.is_empty() && result.structured.is_none();
        if is_empty { Ok(None) } else { T::from_tool_result(result).map(Some) }
    }
}

/// The error of a tool is the error of the call.
impl<T: FromToolResult, E> FromToolResult for Result<T, E> {
    type Value = T::Value;

    fn from_tool_result(result: ToolResult) -> Result<T::Value, ToolError> {
        T::from_tool_result(result)
    }
}

macro_rules! texts {
    ($($type:ty),* $(,)?) => {$(
        impl FromToolResult for $type {
            type Value = String;

            fn from_tool_result(result: ToolResult) -> Result<String, ToolError> {
                Ok(result.to_text())
            }
        }
    )*};
}

texts!(String, &str, Cow<'_, str>, Box<str>, Arc<str>);

macro_rules! parsed {
    ($($type:ty),* $(,)?) => {$(
        impl FromToolResult for $type {
            type Value = $type;

            fn from_tool_result(result: ToolResult) -> Result<$type, ToolError> {
                let text = result.to_text();
                text.parse().map_err(|error| format!("{error}: `{text}`").into())
            }
        }
    )*};
}

parsed!(char, bool, f32, f64, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// A type that can be deserialized. A trait of its own, for its error message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the result of a tool: it does not implement `Deserialize`",
    label = "the result of this call cannot be converted to what the function returns",
    note = "put `#[mcp_core::json_type]` or `#[derive(serde::Deserialize)]` on `{Self}`, or on the type inside it that has none"
)]
pub trait Readable: Sized {
    fn read(result: &ToolResult) -> Result<Self, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Readable for T {
    fn read(result: &ToolResult) -> Result<T, ToolError> {
        Ok(result.decode()?)
    }
}
