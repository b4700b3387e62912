//! Adds an entry to a JSON file that people edit by hand, or removes it. Comments, order and formatting of the rest are kept.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};
use jsonc_parser::errors::ParseError;
use serde_json::{Value, json};

use super::edit_error::EditError;

impl From<ParseError> for EditError {
    fn from(error: ParseError) -> EditError {
        let reason = error.kind().to_string().to_lowercase();
        EditError::Syntax { format: "JSON", line: error.line_display(), column: error.column_display(), reason }
    }
}

/// JSON with comments and trailing commas, without the other extensions of the parser.
const SYNTAX: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A byte order mark. The parser does not accept it, but some editors write it.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns `text` with `{key: {name: entry}}` added. An existing entry of that name is replaced.
pub(super) fn with_entry(text: &str, key: &str, name: &str, entry: &Value) -> Result<String, EditError> {
    if text.trim().is_empty() {
        return Ok(format!("{:#}\n", json!({key: {name: entry}})));
    }
    let (mark, root) = parse(text)?;
    let object = root_object(&root)?;
    let Some(servers) = last_property(&object, key) else {
        object.append(key, input(&json!({name: entry})));
        return Ok(format!("{mark}{root}"));
    };
    let servers = object_of(&servers, key)?;
    match last_property(&servers, name) {
        Some(old) if has_value(&old, entry) => return Ok(text.to_owned()),
        Some(old) => old.set_value(input(entry)),
        None => drop(servers.append(name, input(entry))),
    }
    Ok(format!("{mark}{root}"))
}

/// Returns `text` without `{key: {name: ..}}`. Duplicates of that name are all removed.
pub(super) fn without_entry(text: &str, key: &str, name: &str) -> Result<String, EditError> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let (mark, root) = parse(text)?;
    let Some(servers) = last_property(&root_object(&root)?, key) else {
        return Ok(text.to_owned());
    };
    let servers = object_of(&servers, key)?;
    if last_property(&servers, name).is_none() {
        return Ok(text.to_owned());
    }
    while let Some(property) = last_property(&servers, name) {
        property.remove();
    }
    Ok(format!("{mark}{root}"))
}

/// Returns the entry `{key: {name: ..}}`.
pub(super) fn entry(text: &str, key: &str, name: &str) -> Result<Option<Value>, EditError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let (_, root) = parse(text)?;
    let Some(servers) = last_property(&root_object(&root)?, key) else {
        return Ok(None);
    };
    let property = last_property(&object_of(&servers, key)?, name);
    Ok(property.and_then(|property| property.value()).and_then(|value| value.to_serde_value()))
}

/// Parses a file. Returns its byte order mark too, which the parser does not accept.
fn parse(text: &str) -> Result<(&str, CstRootNode), EditError> {
    let json = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    Ok((&text[..text.len() - json.len()], CstRootNode::parse(json, &SYNTAX)?))
}

fn root_object(root: &CstRootNode) -> Result<CstObject, EditError> {
    root.object_value().ok_or_else(|| EditError::NotAnObject { key: String::new() })
}

fn object_of(property: &CstObjectProp, key: &str) -> Result<CstObject, EditError> {
    property.object_value().ok_or_else(|| EditError::NotAnObject { key: key.to_owned() })
}

/// Returns the property of that name. If there are duplicates, the last one is in effect.
fn last_property(object: &CstObject, name: &str) -> Option<CstObjectProp> {
    object.properties().into_iter().rev().find(|property| property.decoded_name().as_deref() == Some(name))
}

fn has_value(property: &CstObjectProp, expected: &Value) -> bool {
    property.value().and_then(|value| value.to_serde_value()).as_ref() == Some(expected)
}

/// Converts a value to the type that the parser inserts.
fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(bool) => CstInputValue::Bool(*bool),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(string) => CstInputValue::String(string.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests;
