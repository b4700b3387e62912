//! Rules as settings files have them.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use mcp_agent::PermissionMode;
use serde::Deserialize;
use serde_json::Value;

use crate::rule::RuleError;
use crate::rules::Rules;
use crate::verdict::{Behavior, Layer};

/// Where an administrator's settings are.
const MANAGED: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else if cfg!(windows) {
    r"C:\ProgramData\ClaudeCode\managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
};

/// What of settings is about permissions.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Permissions {
    allow: Vec<String>,
    ask: Vec<String>,
    deny: Vec<String>,
    default_mode: Option<PermissionMode>,
    additional_directories: Vec<PathBuf>,
}

/// Why settings could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum SettingsError {
    /// The file could not be read.
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not JSON, or its permissions have another form.
    Json(serde_json::Error),
    /// One of its rules cannot be read. A rule that was ignored might be one that denies.
    Rule(RuleError),
}

impl Rules {
    /// Adds the rules of settings: `{"permissions": {"allow": [..], "ask": [..], "deny": [..]}}`.
    ///
    /// A `defaultMode` becomes the mode, `additionalDirectories` directories that tools may work in.
    ///
    /// # Errors
    /// When they have another form, or one of the rules cannot be read.
    pub fn settings(mut self, layer: Layer, settings: &Value) -> Result<Self, SettingsError> {
        let Some(permissions) = settings.get("permissions").filter(|permissions| !permissions.is_null()) else {
            return Ok(self);
        };
        let permissions = Permissions::deserialize(permissions)?;
        let lists =
            [(Behavior::Allow, &permissions.allow), (Behavior::Ask, &permissions.ask), (Behavior::Deny, &permissions.deny)];
        for (behavior, rules) in lists {
            for rule in rules {
                self.add(layer, behavior, rule.parse()?);
            }
        }
        if let Some(mode) = permissions.default_mode {
            self.mode = mode;
        }
        Ok(permissions.additional_directories.into_iter().fold(self, Self::add_dir))
    }

    /// Adds the rules of a settings file, if there is one.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn settings_file(self, layer: Layer, path: impl AsRef<Path>) -> Result<Self, SettingsError> {
        let path = path.as_ref();
        match std::fs::read_to_string(path) {
            Ok(text) => self.settings(layer, &serde_json::from_str(text.trim_start_matches('\u{feff}'))?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(self),
            Err(source) => Err(SettingsError::Io { path: path.to_owned(), source }),
        }
    }

    /// Reads the settings of the project in `directory`, of the user whose home is `home` and of the administrator, from the
    /// files of the CLI.
    ///
    /// Of several default modes the one nearest to the session counts.
    ///
    /// # Errors
    /// When one of them is there and cannot be read.
    pub fn load(directory: impl Into<PathBuf>, home: impl Into<PathBuf>) -> Result<Self, SettingsError> {
        let (directory, home) = (directory.into(), home.into());
        let [user, project] = [&home, &directory].map(|at| at.join(".claude/settings.json"));
        let local = directory.join(".claude/settings.local.json");
        Self::new(directory)
            .home(home)
            .settings_file(Layer::Policy, MANAGED)?
            .settings_file(Layer::User, user)?
            .settings_file(Layer::Project, project)?
            .settings_file(Layer::Local, local)
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, .. } => write!(f, "the settings {} could not be read", path.display()),
            Self::Json(_) => f.write_str("the settings have another form"),
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
