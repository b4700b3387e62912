//! The result of a tool, and the conversions into it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::protocol::Content;
use crate::schema::OutputSchema;
use crate::tool::output::ToolOutput;

/// The result of a tool call, success or failure.
///
/// Most tools return a simpler type that [converts](IntoToolResult) into this one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolResult {
    /// The content for the model. If it is empty and there is structured content, the JSON text is sent as content.
    pub content: Vec<Content>,
    /// The structured content, for programs. Claude Code shows this to the model instead of `content`.
    #[serde(rename = "structuredContent", skip_serializing_if = "Option::is_none", default)]
    pub structured: Option<Box<RawValue>>,
    /// Whether the tool failed. The content then describes the error.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_error: bool,
    /// The `_meta` object.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

impl ToolResult {
    /// A result with one text.
    pub fn text(text: impl Into<String>) -> ToolResult {
        ToolResult { content: vec![Content::text(text)], ..ToolResult::default() }
    }

    /// A failed result with this message for the model.
    pub fn error(text: impl Into<String>) -> ToolResult {
        ToolResult { is_error: true, ..ToolResult::text(text) }
    }

    /// A result with these content blocks.
    pub fn content(content: impl IntoIterator<Item = Content>) -> ToolResult {
        ToolResult { content: content.into_iter().collect(), ..ToolResult::default() }
    }

    /// Adds structured content.
    ///
    /// # Errors
    /// If the value cannot be serialized as JSON, for example a map whose keys are not strings.
    pub fn structured(mut self, value: &impl Serialize) -> Result<ToolResult, serde_json::Error> {
        self.structured = Some(serde_json::value::to_raw_value(value)?);
        Ok(self)
    }

    /// Adds a `_meta` entry.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> ToolResult {
        self.meta.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    /// Returns the concatenated text blocks of the content.
    pub fn to_text(&self) -> String {
        self.content.iter().filter_map(Content::as_text).collect()
    }

    /// Deserializes the structured content as a `T`.
    ///
    /// # Errors
    /// If there is no structured content, or if it is not a valid `T`.
    pub fn structured_as<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.structured.as_deref().map_or("null", RawValue::get))
    }
}

/// Structured output: the value is sent as `structuredContent`, the schema of its type is the tool's `outputSchema`.
///
/// ```
/// use mcp_core::{Json, tool};
/// # use mcp_core::{schemars, serde};
///
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// # #[serde(crate = "mcp_core::serde")] #[schemars(crate = "mcp_core::schemars")]
/// struct Weather {
///     celsius: f64,
/// }
///
/// /// Tell the weather.
/// #[tool]
/// fn weather(city: String) -> Json<Weather> {
///     Json(Weather { celsius: city.len() as f64 })
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<T>(pub T);

/// A type that a tool can return.
///
/// Implemented for `()`, text, numbers, `bool`, [`Content`] and vectors of it, [`Json`], [`ToolResult`], `Option` and
/// `Result` of these. Implement it for your own types to return them from tools.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "cannot be converted to a tool result",
    note = "a tool returns (), text, a number, bool, Content, Vec<Content>, Json<T>, ToolResult, or Option or Result of these",
    note = "for structured output write `Json<{Self}>`, with `{Self}: serde::Serialize + schemars::JsonSchema`"
)]
pub trait IntoToolResult {
    /// Converts the value into a tool result.
    fn into_tool_result(self) -> ToolResult;

    /// Converts the value into tool output. Types that are a single text or number override this to avoid a content list.
    #[doc(hidden)]
    fn into_tool_output(self) -> ToolOutput
    where
        Self: Sized,
    {
        self.into_tool_result().into()
    }

    /// The schema of the structured content. `None` if a result may have no structured content.
    fn output_schema() -> Option<OutputSchema> {
        None
    }
}

impl IntoToolResult for ToolResult {
    fn into_tool_result(self) -> ToolResult {
        self
    }
}

impl IntoToolResult for () {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::default()
    }
}

impl IntoToolResult for Content {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::content([self])
    }
}

impl<T: Into<Content>> IntoToolResult for Vec<T> {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::content(self.into_iter().map(Into::into))
    }
}

impl<T: Serialize + schemars::JsonSchema> IntoToolResult for Json<T> {
    fn into_tool_result(self) -> ToolResult {
        match serde_json::value::to_raw_value(&self.0) {
            Ok(structured) => ToolResult { structured: Some(structured), ..ToolResult::default() },
            Err(error) => ToolResult::error(format!("the result cannot be serialized as JSON: {error}")),
        }
    }

    fn output_schema() -> Option<OutputSchema> {
        Some(OutputSchema::of::<T>())
    }
}

impl<T: IntoToolResult> IntoToolResult for Option<T> {
    fn into_tool_result(self) -> ToolResult {
        self.map_or_else(ToolResult::default, T::into_tool_result)
    }

    fn into_tool_output(self) -> ToolOutput {
        self.map_or_else(|| ToolResult::default().into(), T::into_tool_output)
    }
}

impl<T: IntoToolResult, E: fmt::Display> IntoToolResult for Result<T, E> {
    fn into_tool_result(self) -> ToolResult {
        match self {
            Ok(value) => value.into_tool_result(),
            Err(error) => ToolResult::error(format!("{error:#}")),
        }
    }

    fn into_tool_output(self) -> ToolOutput {
        match self {
            Ok(value) => value.into_tool_output(),
            error @ Err(_) => error.into_tool_result().into(),
        }
    }

    fn output_schema() -> Option<OutputSchema> {
        T::output_schema()
    }
}

macro_rules! text_results {
    ($($type:ty => $output:expr;)*) => {$(
        impl IntoToolResult for $type {
            fn into_tool_result(self) -> ToolResult {
                self.into_tool_output().into()
            }

            fn into_tool_output(self) -> ToolOutput {
                $output(self)
            }
        }
    )*};
}

text_results! {
    String => ToolOutput::text;
    &str => shown;
    Cow<'_, str> => shown;
    Box<str> => shown;
    Arc<str> => shown;
    char => shown;
    bool => shown;
    f32 => shown;
    f64 => shown;
    i8 => ToolOutput::from;
    i16 => ToolOutput::from;
    i32 => ToolOutput::from;
    i64 => ToolOutput::from;
    i128 => shown;
    isize => ToolOutput::from;
    u8 => ToolOutput::from;
    u16 => ToolOutput::from;
    u32 => ToolOutput::from;
    u64 => ToolOutput::from;
    u128 => shown;
    usize => ToolOutput::from;
}

fn shown(value: impl fmt::Display) -> ToolOutput {
    ToolOutput::text(value.to_string())
}
