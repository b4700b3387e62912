//! Reading of rules from settings files.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use mcp_agent_tools::PermissionMode;
use serde::Deserialize;
use serde_json::Value;

use crate::rules::{Behavior, Layer, RuleError, Rules};

/// The folder of an administrator's settings: `managed-settings.json`, and further files in `managed-settings.d`.
const MANAGED: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode"
} else if cfg!(windows) {
    r"C:\Program Files\ClaudeCode"
} else {
    "/etc/claude-code"
};

/// The `permissions` object of settings.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Permissions {
    allow: Vec<String>,
    ask: Vec<String>,
    deny: Vec<String>,
    default_mode: Option<PermissionMode>,
    disable_bypass_permissions_mode: Option<Value>,
    additional_directories: Vec<PathBuf>,
}

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

impl Rules {
    /// Adds the rules of parsed settings: `{"permissions": {"allow": [..], "ask": [..], "deny": [..]}}`.
    ///
    /// `defaultMode` becomes the mode and `additionalDirectories` become directories that tools may work in, but only from
    /// layers that the user or an administrator controls. The files of [`Layer::Project`] and [`Layer::Local`] may come
    /// with a cloned repository: from them only a mode that allows nothing more than the default one is taken (`default`,
    /// `plan`, `dontAsk`), and no directories.
    ///
    /// # Errors
    /// Returns an error if a permission setting has the wrong type or a rule is invalid.
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
        // Every value except `null` and `false` disables the mode, so that a mistyped value does not enable it.
        self.bypass_disabled |=
            !matches!(permissions.disable_bypass_permissions_mode, None | Some(Value::Null | Value::Bool(false)));
        let from_repository = matches!(layer, Layer::Project | Layer::Local);
        if let Some(mode) = permissions.default_mode
            && (!from_repository || is_no_escalation(&mode))
        {
            self.mode = mode;
        }
        if from_repository {
            return Ok(self);
        }
        Ok(permissions.additional_directories.into_iter().fold(self, Self::add_dir))
    }

    /// Adds the rules of a settings file. A missing file is not an error.
    ///
    /// # Errors
    /// Returns an error if the file exists but cannot be read or is invalid.
    pub fn settings_file(self, layer: Layer, path: impl AsRef<Path>) -> Result<Self, SettingsError> {
        let path = path.as_ref();
        match std::fs::read_to_string(path) {
            Ok(text) => self.settings(layer, &serde_json::from_str(text.trim_start_matches('\u{feff}'))?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(self),
            Err(source) => Err(SettingsError::Io { path: path.to_owned(), source }),
        }
    }

    /// Reads the settings of the project, of the user whose home is `home` and of the administrator, from the files of the
    /// CLI.
    ///
    /// The project's files are those in `directory` and those in the root of its git repository. The mode of the user's
    /// settings replaces that of the administrator's, and so on towards the project, within what
    /// [`settings`](Self::settings) takes from each layer.
    ///
    /// # Errors
    /// Returns an error if one of the files exists but cannot be read or is invalid.
    pub fn load(directory: impl Into<PathBuf>, home: impl Into<PathBuf>) -> Result<Self, SettingsError> {
        let (directory, home) = (directory.into(), home.into());
        let user = home.join(".claude/settings.json");
        let mut projects = vec![directory.clone()];
        projects.splice(0..0, git_root(&directory).filter(|root| *root != directory));
        let mut rules = Self::new(directory).home(home).managed(Path::new(MANAGED))?.settings_file(Layer::User, user)?;
        for project in &projects {
            rules = rules.settings_file(Layer::Project, project.join(".claude/settings.json"))?;
        }
        for project in &projects {
            rules = rules.settings_file(Layer::Local, project.join(".claude/settings.local.json"))?;
        }
        Ok(rules)
    }

    /// Adds the administrator's settings from this folder: `managed-settings.json`, then the `.json` files of
    /// `managed-settings.d` in the order of their names.
    ///
    /// # Errors
    /// Returns an error if one of the files exists but cannot be read or is invalid.
    pub fn managed(self, folder: &Path) -> Result<Self, SettingsError> {
        let mut rules = self.settings_file(Layer::Policy, folder.join("managed-settings.json"))?;
        let parts = folder.join("managed-settings.d");
        let entries = match std::fs::read_dir(&parts) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(rules),
            Err(source) => return Err(SettingsError::Io { path: parts, source }),
        };
        let mut files = Vec::new();
        for entry in entries {
            files.push(entry.map_err(|source| SettingsError::Io { path: parts.clone(), source })?.path());
        }
        files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        files.sort_unstable();
        for file in files {
            rules = rules.settings_file(Layer::Policy, file)?;
        }
        Ok(rules)
    }
}

/// Returns whether a mode allows nothing beyond what the default mode allows.
fn is_no_escalation(mode: &PermissionMode) -> bool {
    matches!(mode, PermissionMode::Default | PermissionMode::Plan | PermissionMode::DontAsk)
}

/// Returns the nearest directory, at or above this one, that contains `.git`.
fn git_root(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|at| at.join(".git").exists()).map(Path::to_path_buf)
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
