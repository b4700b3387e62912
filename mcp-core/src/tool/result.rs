//! The result of a tool, and the conversions into it.

use std::borrow::Cow;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::protocol::Content;
use crate::schema::OutputSchema;
use crate::tool::error::ToolError;

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
    /// Additional metadata (`_meta`).
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

impl ToolResult {
    /// Creates a result with one text.
    pub fn text(text: impl Into<String>) -> ToolResult {
        ToolResult { content: vec![Content::text(text)], ..ToolResult::default() }
    }

    /// Creates a failed result with this message for the model.
    pub fn error(text: impl Into<String>) -> ToolResult {
        ToolResult { is_error: true, ..ToolResult::text(text) }
    }

    /// Creates a result with these content blocks.
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

    /// Deserializes the result as a `T`: the structured content if there is any, otherwise the text, which may be JSON or the text
    /// of a string.
    ///
    /// Revisions before 2026-07-28 allow only objects as structured content. Servers wrap other output as `{"result": ..}` for
    /// them, which is unwrapped here.
    ///
    /// # Errors
    /// If the result is not a valid `T`.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        let text = self.to_text();
        let Some(structured) = self.structured.as_deref().map(RawValue::get) else {
            return serde_json::from_str(&text)
                .or_else(|error| serde_json::from_value(Value::String(text)).map_err(|_| error));
        };
        // If the text is what would be wrapped, the output is certainly wrapped. A `T` such as `Value` accepts both.
        let wrapped = structured.strip_prefix("{\"result\":").and_then(|rest| rest.strip_suffix('}'));
        if wrapped.is_some_and(|wrapped| wrapped == text)
            && let Ok(value) = serde_json::from_str(&text)
        {
            return Ok(value);
        }
        serde_json::from_str(structured).or_else(|error| {
            let wrapped: Result<Wrapped<T>, _> = serde_json::from_str(structured);
            wrapped.map(|wrapped| wrapped.result).map_err(|_| error)
        })
    }
}

/// Structured output that is not an object, as older revisions wrap it.
#[derive(Deserialize)]
struct Wrapped<T> {
    result: T,
}

/// Structured output: the value is sent as `structuredContent`, the schema of its type is the tool's `outputSchema`.
///
/// ```
/// use mcp_core::{Json, json_type, tool};
///
/// #[json_type]
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
/// `Result` of these, with any error that converts into [`ToolError`]. Implement it for your own types to return them from
/// tools.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "cannot be converted to a tool result",
    note = "a tool returns (), text, a number, bool, Content, Vec<Content>, Json<T>, ToolResult, or Option or Result of these",
    note = "for structured output write `Json<{Self}>`, with `#[mcp_core::json_type]` on `{Self}`"
)]
pub trait IntoToolResult {
    /// Converts the value into a tool result.
    fn into_tool_result(self) -> ToolResult;

    /// Returns the schema of the structured content. `None` if a result may have no structured content.
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
}

impl<T: IntoToolResult, E: Into<ToolError>> IntoToolResult for Result<T, E> {
    fn into_tool_result(self) -> ToolResult {
        match self {
            Ok(value) => value.into_tool_result(),
            Err(error) => ToolResult::error(error.into().to_string()),
        }
    }

    fn output_schema() -> Option<OutputSchema> {
        T::output_schema()
    }
}

macro_rules! text_results {
    ($($type:ty),* $(,)?) => {$(
        impl IntoToolResult for $type {
            fn into_tool_result(self) -> ToolResult {
                ToolResult::text(self.to_string())
            }
        }
    )*};
}

text_results! {
    &str, Cow<'_, str>, Box<str>, Arc<str>, char, bool, f32, f64,
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize,
}

impl IntoToolResult for String {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::text(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn result(text: &str, structured: Option<Value>) -> ToolResult {
        structured.into_iter().fold(ToolResult::text(text), |result, value| result.structured(&value).unwrap())
    }

    #[test]
    fn a_result_is_decoded_from_its_structured_content_or_its_text() {
        assert_eq!(result("five", Some(json!({"sum": 5}))).decode::<Value>().unwrap(), json!({"sum": 5}));
        assert_eq!(result("5", None).decode::<i64>().unwrap(), 5);
        assert_eq!(result("five", None).decode::<String>().unwrap(), "five");
        assert!(result("five", None).decode::<i64>().is_err());
    }

    #[test]
    fn wrapped_output_is_unwrapped() {
        let wrapped = result("[1,2]", Some(json!({"result": [1, 2]})));
        assert_eq!(wrapped.decode::<Vec<u8>>().unwrap(), [1, 2]);
        assert_eq!(wrapped.decode::<Value>().unwrap(), json!([1, 2]));
        let not_wrapped = result("{\"result\":[1,2]}", Some(json!({"result": [1, 2]})));
        assert_eq!(not_wrapped.decode::<Value>().unwrap(), json!({"result": [1, 2]}));
    }
}
