//! Adds an entry to a JSON file that people edit by hand. Comments, order and formatting of the rest are kept.

use std::fmt;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};
use jsonc_parser::errors::ParseError;
use serde_json::{Value, json};

/// Why a file was not changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EditError {
    /// The text is not JSON, even with comments and trailing commas allowed. Lines and columns count from 1.
    NotJson { line: usize, column: usize, reason: String },
    /// The value of `key` is not an object. An empty `key` is the whole file.
    NotAnObject { key: String },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::NotJson { line, column, reason } => {
                write!(f, "invalid JSON at line {line}, column {column}: {reason}")
            }
            EditError::NotAnObject { key } if key.is_empty() => f.write_str("the file is not a JSON object"),
            EditError::NotAnObject { key } => write!(f, "the value of `{key}` is not a JSON object"),
        }
    }
}

impl std::error::Error for EditError {}

impl From<ParseError> for EditError {
    fn from(error: ParseError) -> EditError {
        let reason = error.kind().to_string().to_lowercase();
        EditError::NotJson { line: error.line_display(), column: error.column_display(), reason }
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
    let json = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mark = &text[..text.len() - json.len()];
    let root = CstRootNode::parse(json, &SYNTAX)?;
    let object = root.object_value().ok_or_else(|| EditError::NotAnObject { key: String::new() })?;
    let Some(servers) = last_property(&object, key) else {
        object.append(key, input(&json!({name: entry})));
        return Ok(format!("{mark}{root}"));
    };
    let servers = servers.object_value().ok_or_else(|| EditError::NotAnObject { key: key.to_owned() })?;
    match last_property(&servers, name) {
        Some(old) if has_value(&old, entry) => return Ok(text.to_owned()),
        Some(old) => old.set_value(input(entry)),
        None => drop(servers.append(name, input(entry))),
    }
    Ok(format!("{mark}{root}"))
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
