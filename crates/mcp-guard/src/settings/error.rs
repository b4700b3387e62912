//! The error for settings that could not be read.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::rules::RuleError;

/// The error for settings that could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum SettingsError {
    /// The file could not be read.
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The settings are not valid JSON, or a permission setting has the wrong type.
    Json(serde_json::Error),
    /// A rule is invalid. Invalid rules are not skipped, because a skipped rule might be a deny rule.
    Rule(RuleError),
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, .. } => write!(f, "could not read the settings file {}", path.display()),
            Self::Json(_) => f.write_str("the settings are not valid JSON or a permission setting has the wrong type"),
            Self::Rule(rule) => rule.fmt(f),
        }
    }
}

impl Error for SettingsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Json(source) => Some(source),
            Self::Rule(_) => None,
        }
    }
}

impl From<serde_json::Error> for SettingsError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

impl From<RuleError> for SettingsError {
    fn from(error: RuleError) -> Self {
        Self::Rule(error)
    }
}
