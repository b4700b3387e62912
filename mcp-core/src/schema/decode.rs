//! Arguments become a type's value, or words that tell a model what to send instead.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::check::Check;
use super::node::{Ignored, Node};
use super::{alias, number, plain, undeclared};
use crate::jsonrpc::RawJson;

/// The arguments as a `T`, by the type alone, which enforces the whole schema.
///
/// They are parsed once, straight into it; the schema is needed only to explain a failure.
#[inline]
pub(super) fn by_type<T: DeserializeOwned>(check: &Check, arguments: RawJson<'_>) -> Result<T, String> {
    let text = arguments.get();
    // serde takes an array for a struct, field by field.
    if text.starts_with('{')
        && let Some(decoded) = plain::decode(text).or_else(|| serde_json::from_str(text).ok())
    {
        return Ok(decoded);
    }
    by_schema(check, arguments)
}

/// The arguments as a `T`, first by the schema and then by the type.
///
/// Both read the same arguments: neither sees what the other would refuse.
#[inline(never)]
pub(super) fn by_schema<T: DeserializeOwned>(check: &Check, arguments: RawJson<'_>) -> Result<T, String> {
    let text = arguments.get();
    let value = parse(arguments)?;
    let mended = number::with_integers(&value);
    let renamed = alias::with_schema_names::<T>(check.schema(), mended.as_ref().unwrap_or(&value), text.len());
    check.check(renamed.as_ref().unwrap_or(&value)).map_err(in_words)?;
    // From the text again and not from the value, which knows no integers beyond 64 bits.
    let refusal = match serde_json::from_str(text) {
        Ok(decoded) => return Ok(decoded),
        Err(refusal) => refusal,
    };
    if let Some(decoded) = mended.and_then(|mended| serde_json::from_value(mended).ok()) {
        return Ok(decoded);
    }
    let refusal = match T::deserialize(Node { value: &value, ignored: &Ignored::default() }) {
        Err(refusal) => refusal.to_string(),
        Ok(_) => refusal.to_string(),
    };
    Err(format!("invalid arguments:\n- {refusal}"))
}

/// Whether the schema allows the arguments, as far as that can be said without their type.
pub(super) fn by_schema_alone(check: &Check, arguments: RawJson<'_>) -> Result<(), String> {
    let value = parse(arguments)?;
    match check.check(&value) {
        // A key that the schema does not know may be an alias, and then it is the schema that is wrong about it.
        Err(_) if !undeclared::find(check.schema(), &value).is_empty() => Ok(()),
        checked => checked.map_err(in_words),
    }
}

fn parse(arguments: RawJson<'_>) -> Result<Value, String> {
    serde_json::from_str(arguments.get()).map_err(|error| format!("the arguments cannot be read: {error}"))
}

fn in_words(violations: String) -> String {
    format!("invalid arguments:\n{violations}")
}
