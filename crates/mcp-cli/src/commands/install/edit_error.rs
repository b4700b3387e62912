//! Why a configuration file was not changed.

use std::fmt;

/// Why a configuration file was not changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EditError {
    /// The text is not valid in its format. Lines and columns count from 1.
    Syntax { format: &'static str, line: usize, column: usize, reason: String },
    /// The value of `key` is not an object or a table. An empty `key` is the whole file.
    NotAnObject { key: String },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::Syntax { format, line, column, reason } => {
                write!(f, "invalid {format} at line {line}, column {column}: {reason}")
            }
            EditError::NotAnObject { key } if key.is_empty() => f.write_str("the file is not a JSON object"),
            EditError::NotAnObject { key } => write!(f, "the value of `{key}` is not an object"),
        }
    }
}

impl std::error::Error for EditError {}
