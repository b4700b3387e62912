//! Decoding of arguments, with error messages that tell the model how to correct the call.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::decode_error::DecodeError;
use super::lazy_validator::LazyValidator;
use super::value_deserializer::ValueDeserializer;
use super::{alias, decode_errors, undeclared_keys, whole_floats};
use crate::jsonrpc::RawJson;

/// Decodes the arguments as a `T` whose `Deserialize` enforces the whole schema.
///
/// They are parsed once, directly into the type. The schema is used only to explain a failure.
#[inline]
pub(super) fn by_type<T: DeserializeOwned>(check: &LazyValidator, arguments: RawJson<'_>) -> Result<T, String> {
    serde_json::from_str(arguments.get()).or_else(|_| by_schema(check, arguments))
}

/// Validates the arguments against the schema, then decodes them as a `T`.
pub(super) fn by_schema<T: DeserializeOwned>(check: &LazyValidator, arguments: RawJson<'_>) -> Result<T, String> {
    let mut decoded = None;
    let mut decode = |text: &str| serde_json::from_str(text).map(|value| decoded = Some(value));
    checked(check, arguments.get(), &mut decode, |node| T::deserialize(node).err())?;
    decoded.ok_or_else(|| "invalid arguments".to_owned())
}

/// Validates the text against the schema and decodes it. Not generic, so that it is compiled once.
fn checked(
    check: &LazyValidator,
    text: &str,
    decode: &mut dyn FnMut(&str) -> serde_json::Result<()>,
    decode_error: fn(ValueDeserializer<'_>) -> Option<DecodeError>,
) -> Result<(), String> {
    let value = parse(text)?;
    let mended = whole_floats::with_integers(&value);
    let renamed = alias::with_schema_names(decode_error, check.schema(), mended.as_ref().unwrap_or(&value), text.len());
    check.check(renamed.as_ref().unwrap_or(&value)).map_err(with_heading)?;
    // Decode the text and not the value: `Value` cannot represent integers beyond 64 bits.
    let refusal = match decode(text) {
        Ok(()) => return Ok(()),
        Err(refusal) => refusal,
    };
    if mended.is_some_and(|mended| decode(&mended.to_string()).is_ok()) {
        return Ok(());
    }
    let mut lines = decode_errors::lines(decode_error, &value, text.len());
    if lines.is_empty() {
        lines.push(format!("- {refusal}"));
    }
    Err(with_heading(lines.join("\n")))
}

/// Validates the arguments against the schema, for callers that do not know their type.
pub(super) fn by_schema_alone(check: &LazyValidator, arguments: RawJson<'_>) -> Result<(), String> {
    let value = parse(arguments.get())?;
    match check.check(&value) {
        // An undeclared key may be a serde alias, which schemas do not contain, so it is not an error here.
        Err(_) if !undeclared_keys::find(check.schema(), &value).is_empty() => Ok(()),
        checked => checked.map_err(with_heading),
    }
}

fn parse(arguments: &str) -> Result<Value, String> {
    serde_json::from_str(arguments).map_err(|error| format!("the arguments cannot be parsed: {error}"))
}

fn with_heading(violations: String) -> String {
    format!("invalid arguments:\n{violations}")
}
