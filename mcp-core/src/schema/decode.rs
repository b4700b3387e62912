//! Arguments become a type's value, or words that tell a model what to send instead.

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::check::Check;
use super::node::{Ignored, Node};
use super::{alias, number};

/// The arguments as a `T`.
///
/// Where the type alone enforces the schema (`flat`), the text is parsed once, straight into it. Otherwise the schema comes
/// first and the type second, and both read the same arguments: neither sees what the other would refuse.
pub(super) fn decode<T: DeserializeOwned>(check: &Check, flat: bool, arguments: &RawValue) -> Result<T, String> {
    let text = arguments.get();
    // serde takes an array for a struct, field by field.
    if flat
        && text.starts_with('{')
        && let Ok(decoded) = serde_json::from_str(text)
    {
        return Ok(decoded);
    }
    let value: Value = serde_json::from_str(text).map_err(|error| format!("the arguments cannot be read: {error}"))?;
    let mended = number::with_integers(&value);
    let renamed = alias::with_schema_names::<T>(check.schema(), mended.as_ref().unwrap_or(&value));
    check.check(renamed.as_ref().unwrap_or(&value)).map_err(|violations| format!("invalid arguments:\n{violations}"))?;
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
