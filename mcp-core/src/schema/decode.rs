//! Arguments become a type's value, or words that tell a model what to send instead.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::check::Check;
use super::node::{Ignored, Node};
use super::refusal::Refusal;
use super::{alias, number, quick, undeclared};
use crate::jsonrpc::RawJson;

/// The arguments as a `T`, by the type alone, which enforces the whole schema.
///
/// They are parsed once, straight into it; the schema is needed only to explain a failure.
#[inline]
pub(super) fn by_type<T: DeserializeOwned>(check: &Check, arguments: RawJson<'_>) -> Result<T, String> {
    match quick::read(arguments) {
        Some(decoded) => Ok(decoded),
        None => by_schema(check, arguments),
    }
}

/// The arguments as a `T`, first by the schema and then by the type.
///
/// Both read the same arguments: neither sees what the other would refuse.
#[inline(never)]
pub(super) fn by_schema<T: DeserializeOwned>(check: &Check, arguments: RawJson<'_>) -> Result<T, String> {
    let mut decoded = None;
    let mut decode = |text: &str| serde_json::from_str(text).map(|value| decoded = Some(value));
    checked(check, arguments.get(), &mut decode, |node| T::deserialize(node).err())?;
    decoded.ok_or_else(|| "invalid arguments".to_owned())
}

/// Decodes what the schema allows. Apart from the type, so that all of this is compiled once.
fn checked(
    check: &Check,
    text: &str,
    decode: &mut dyn FnMut(&str) -> serde_json::Result<()>,
    refusal_of: fn(Node<'_>) -> Option<Refusal>,
) -> Result<(), String> {
    let value = parse(text)?;
    let mended = number::with_integers(&value);
    let renamed = alias::with_schema_names(refusal_of, check.schema(), mended.as_ref().unwrap_or(&value), text.len());
    check.check(renamed.as_ref().unwrap_or(&value)).map_err(in_words)?;
    // From the text again and not from the value, which knows no integers beyond 64 bits.
    let refusal = match decode(text) {
        Ok(()) => return Ok(()),
        Err(refusal) => refusal,
    };
    if mended.is_some_and(|mended| decode(&mended.to_string()).is_ok()) {
        return Ok(());
    }
    let told = refusal_of(Node { value: &value, ignored: &Ignored::default() });
    let refusal = told.map_or_else(|| refusal.to_string(), |refusal| refusal.to_string());
    Err(format!("invalid arguments:\n- {refusal}"))
}

/// Whether the schema allows the arguments, as far as that can be said without their type.
pub(super) fn by_schema_alone(check: &Check, arguments: RawJson<'_>) -> Result<(), String> {
    let value = parse(arguments.get())?;
    match check.check(&value) {
        // A key that the schema does not know may be an alias, and then it is the schema that is wrong about it.
        Err(_) if !undeclared::find(check.schema(), &value).is_empty() => Ok(()),
        checked => checked.map_err(in_words),
    }
}

fn parse(arguments: &str) -> Result<Value, String> {
    serde_json::from_str(arguments).map_err(|error| format!("the arguments cannot be read: {error}"))
}

fn in_words(violations: String) -> String {
    format!("invalid arguments:\n{violations}")
}
